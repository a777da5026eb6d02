// Client certificates, sent in the TLS handshake.
import { issueCertificate } from '../../../test-certs/issue.js';
import {
  badCertificates,
  type ClientCertificate,
  goodCertificates,
  severalNames,
} from '../../fixtures/clientCertificates.js';
import type { CertifiedKey } from '../../fixtures/fixtures.js';
import { mapRows, type Setting, type Source } from './source.js';

export const clientCertificate = {
  good: mapRows({ ...goodCertificates, severalNames }, ({ commonName, organizations }, name) => {
    const user = { name: typeof commonName === 'string' ? commonName : commonName[1], groups: organizations };
    return async ({ fixtures }: Setting) => ({ credential: fixtures.clientCertificates[name], user });
  }),
  bad: mapRows(badCertificates, (_: ClientCertificate, name) => async ({ fixtures }: Setting) => {
    return fixtures.clientCertificates[name];
  }),
} satisfies Source;

/** Returns a new certificate that is valid until that time, in seconds since 1970. */
export async function certificateUntil({ fixtures, sandbox }: Setting, exp: number): Promise<CertifiedKey> {
  const made = await issueCertificate({
    subject: { commonName: 'short-lived-user' },
    usage: 'client',
    issuer: fixtures.clientAuthority,
    days: (exp - Date.now() / 1000) / 86_400,
  });
  sandbox.client.redactor.add(made.key);
  return made;
}
