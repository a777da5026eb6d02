// Certificates: the server's own, and those of clients.

import { connectByNames, resume, seeCertificate, showWithoutCertificate } from './certificates/connections.js';
import { keptOut, letIn } from './support/acceptance.js';
import { defineChapter } from './support/chapter.js';
import { equal, fail } from './support/expect.js';
import { hasGroups, hasName, showBad, showGood } from './support/shown.js';

defineChapter(
  'certificates',
  {
    serverCertificates: seeCertificate,
    serverNames: connectByNames,
    clientCertificates: showGood,
    clientAuthorities: showGood,
    foreignCertificates: showBad,
    selfSignedCertificates: showBad,
    untimelyCertificates: showBad,
    otherUsageCertificates: showBad,
    namelessCertificates: showBad,
    certificateLess: showWithoutCertificate,
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
    client: ({ reply }) => letIn(reply),
    'client-user-name': hasName,
    'client-bundle': ({ reply }) => letIn(reply),
    'client-unverified': keptOut,
    'client-optional': letIn,
    'client-groups': (seen) => hasGroups(seen),
    'client-self-signed': keptOut,
    'client-expired': keptOut,
    'client-key-usage': keptOut,
    'client-without-name': keptOut,
    'client-resumed': (answers) => {
      for (const { reply } of answers) keptOut(reply);
    },
  },
);
