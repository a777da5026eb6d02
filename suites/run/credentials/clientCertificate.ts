// Client certificates, sent in the TLS handshake.
import { badCertificates, type ClientCertificate, goodCertificates } from '../../fixtures/clientCertificates.js';
import { mapRows, type Setting, type Source } from './source.js';

export const clientCertificate = {
  good: mapRows(goodCertificates, ({ commonName, organizations }, name) => async ({ fixtures }: Setting) => ({
    credential: fixtures.clientCertificates[name],
    user: { name: commonName, groups: organizations },
  })),
  bad: mapRows(badCertificates, (_: ClientCertificate, name) => async ({ fixtures }: Setting) => {
    return fixtures.clientCertificates[name];
  }),
} satisfies Source;
