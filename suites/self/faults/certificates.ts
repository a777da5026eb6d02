// Servers that show another certificate than theirs, or read those of clients wrongly.
import type { CertificateName } from '../../fixtures/clientCertificates.js';
import { at, isObject } from '../../support/json.js';
import { answering, type Fault, failure, type Passing, reply } from './parts.js';

const fault = (name: string, grep: string, fails: readonly string[], broken: Partial<Fault>): Fault => ({
  name,
  grep,
  chapters: ['certificates'],
  tls: true,
  fails: fails.map((requirement) => `certificates.${requirement}`),
  ...broken,
});

const unverified = (which: CertificateName): NonNullable<Fault['request']> => {
  return (passing: Passing) => (passing.certificate === which ? { ...passing, certificate: undefined } : passing);
};

export const certificateFaults: readonly Fault[] = [
  fault('shows a certificate of another authority', 'certificates.server-certificate', ['server-certificate'], {
    identity: ({ fixtures }) => fixtures.standIns.own,
  }),
  fault(
    'shows a certificate of another authority to clients that ask by name',
    'certificates.server-certificate',
    ['server-certificate-names'],
    { namedIdentity: ({ fixtures }) => fixtures.standIns.own },
  ),
  fault(
    'knows no certificates of clients',
    '› clientCertificate, plain',
    ['client', 'client-bundle', 'client-groups', 'client-user-name'],
    { request: unverified('plain') },
  ),
  fault(
    'knows the first of its authorities',
    '› clientCertificate, secondAuthority',
    ['client', 'client-bundle', 'client-groups', 'client-user-name'],
    { request: unverified('secondAuthority') },
  ),
  fault('knows no organizations', '› clientCertificate, plain', ['client-groups'], {
    reply: answering((body) => {
      const user = at(body, 'status', 'userInfo');
      return isObject(user) ? { ...body, status: { userInfo: { ...user, groups: [] } } } : body;
    }),
  }),
  fault('wants a certificate of everybody', 'certificates.client-optional', ['client-optional'], {
    request: (passing) =>
      passing.path === '/api/v1' && passing.certificate === undefined ? failure(401, 'Unauthorized') : passing,
  }),
  fault(
    'takes every certificate for a good one',
    'certificates.client-',
    ['client-expired', 'client-key-usage', 'client-self-signed', 'client-unverified', 'client-without-name'],
    {
      reply: (returning, { certificate }) =>
        returning.status === 401 && certificate !== undefined ? reply(200, {}) : returning,
    },
  ),
  fault('lets resumed sessions in', 'certificates.client-resumed', ['client-resumed'], {
    request: (passing) => (passing.resumed ? reply(200, {}) : passing),
  }),
];
