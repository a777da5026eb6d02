// Certificates of the server, and of clients.

import { connectByNames, resume, seeCertificate, sendWithoutCertificate } from './certificates/connections.js';
import { equal, fail } from './support/http/expect.js';
import { accepted, rejected } from './support/run/acceptance.js';
import { defineChapter } from './support/run/chapter.js';
import { hasGroups, hasName, sendBadCredential, sendGoodCredential } from './support/run/credentialChecks.js';

defineChapter(
  'certificates',
  {
    serverCertificates: seeCertificate,
    serverNames: connectByNames,
    clientCertificates: sendGoodCredential,
    clientAuthorities: sendGoodCredential,
    foreignCertificates: sendBadCredential,
    selfSignedCertificates: sendBadCredential,
    untimelyCertificates: sendBadCredential,
    otherUsageCertificates: sendBadCredential,
    namelessCertificates: sendBadCredential,
    certificateLess: sendWithoutCertificate,
    resumedSessions: resume,
  },
  {
    'server-certificate': ({ shown, fingerprint }) => {
      if (shown.fingerprint === undefined) fail(`no handshake: ${shown.error}`);
      equal(shown.fingerprint, fingerprint, 'SHA-256 of the certificate that the server shows');
    },
    'server-certificate-names': (answers) => {
      for (const { name, answer } of answers) {
        if (answer.reply === undefined) fail(`the certificate is not good for ${name}: ${answer.error}`);
      }
    },
    client: ({ reply }) => accepted(reply),
    'client-user-name': hasName,
    'client-bundle': ({ reply }) => accepted(reply),
    'client-unverified': rejected,
    'client-optional': accepted,
    'client-groups': (seen) => hasGroups(seen),
    'client-self-signed': rejected,
    'client-expired': rejected,
    'client-key-usage': rejected,
    'client-without-name': rejected,
    'client-resumed': (answers) => {
      for (const { reply } of answers) rejected(reply);
    },
  },
);
