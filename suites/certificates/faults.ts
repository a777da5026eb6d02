// Servers that present a wrong certificate, or read the certificates of clients wrongly.
import { overlooksCertificate, refuseUser, self, showing } from '../testing/faults/wire/credentials.js';
import { fault, faultsOf, overTls } from '../testing/faults/wire/fault.js';
import { set } from '../testing/faults/wire/objects.js';
import { replace } from '../testing/faults/wire/replies.js';
import { answer, every, not, ok } from '../testing/faults/wire/requests.js';

export const faults = faultsOf('certificates', [
  fault('shows a certificate of another authority', 'server-certificate in .server-certificate', [
    { identity: ({ fixtures }) => fixtures.standIns.own },
  ]),
  fault('shows a certificate of another authority to clients that ask by name', 'server-certificate-names in .server-certificate', [
    { namedIdentity: ({ fixtures }) => fixtures.standIns.own },
  ]),
  fault('is behind a gateway that ends TLS, as names show', ' in .server-certificate-names', [
    { namedIdentity: ({ fixtures }) => fixtures.standIns.own },
    overlooksCertificate(every),
  ]),
  fault('knows no certificates of clients', 'client client-bundle client-groups client-user-name in clientCertificate, plain', [
    overlooksCertificate(showing('plain')),
  ]),
  fault('knows the first of its authorities', 'client client-bundle client-groups client-user-name in secondAuthority', [
    overlooksCertificate(showing('secondAuthority')),
  ]),
  fault('knows no organizations', 'client-groups in clientCertificate, plain', [self(set('status.userInfo.groups', []))]),
  fault('takes the units of a subject for groups', 'client-groups in clientCertificate, noGroups', [
    self(set('status.userInfo.groups', ['certificate-group-1', 'system:authenticated'])),
  ]),
  fault(
    'knows no certificate that does not say what it is for',
    'client client-groups client-user-name in clientCertificate, unsaidUsage',
    [overlooksCertificate(showing('unsaidUsage'))],
  ),
  fault('takes the first of several common names', 'client-several-names', [
    self(set('status.userInfo.username', 'certificate-first-name')),
  ]),
  fault('takes all of several common names', 'client-several-names', [
    self(set('status.userInfo.username', 'certificate-first-name,certificate-last-name')),
  ]),
  fault('refuses several common names', ' in client-several-names', [refuseUser(showing('severalNames'))]),
  fault('looks at the time of the last certificate of a chain alone', 'client-expired in expiredAuthority', [
    replace(showing('expiredAuthority'), 401, ok()),
  ]),
  fault('takes an empty name for a name', 'client-without-name in emptyCommonName', [replace(showing('emptyCommonName'), 401, ok())]),
  fault('wants a certificate of everybody', 'client-optional', [refuseUser(showing(undefined))]),
  fault(
    'takes every certificate for a good one',
    'client-expired client-expired-later client-key-usage client-self-signed client-unverified client-without-name in .client-',
    [replace(not(showing(undefined)), 401, ok())],
  ),
  fault('looks at a certificate when the connection begins alone', 'client-expired-later', [
    replace(({ certificate }) => certificate?.startsWith('made ') === true, 401, ok()),
  ]),
  fault('lets resumed sessions in', 'client-resumed', [answer(({ resumed }) => resumed, ok())]),
]).map(overTls);
