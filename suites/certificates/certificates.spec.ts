// Certificates of the server, and of clients.

import { equal, fail } from '../client/expect.js';
import { accepted, rejected, wasAccepted } from '../run/acceptance.js';
import { defineChapter } from '../run/chapter.js';
import { hasGroups, hasName, sendBadCredential, sendGoodCredential } from '../run/credentialChecks.js';
import { group } from '../run/group.js';
import { connectByNames, outliveCertificate, resume, seeCertificate, sendWithoutCertificate } from './connections.js';

defineChapter('certificates', [
  group({
    subjects: 'serverCertificates',
    setup: seeCertificate,
    checks: {
      'server-certificate': ({ shown, fingerprint, unjudged }) => {
        if (unjudged !== undefined) throw unjudged;
        if (shown.fingerprint === undefined) fail(`no handshake: ${shown.error}`);
        equal(shown.fingerprint, fingerprint, 'SHA-256 of the certificate that the server shows');
      },
    },
  }),
  group({
    subjects: 'serverNames',
    setup: connectByNames,
    checks: {
      'server-certificate-names': ({ answers, unjudged }) => {
        if (unjudged !== undefined) throw unjudged;
        for (const { name, answer } of answers) {
          if (answer.reply === undefined) fail(`the certificate is not good for ${name}: ${answer.error}`);
        }
      },
    },
  }),
  group({
    subjects: 'clientCertificates',
    setup: sendGoodCredential,
    checks: {
      client: ({ reply }) => accepted(reply),
      'client-user-name': hasName,
      'client-groups': (seen) => hasGroups(seen),
    },
  }),
  group({
    subjects: 'clientAuthorities',
    setup: sendGoodCredential,
    checks: { 'client-bundle': ({ reply }) => accepted(reply) },
  }),
  group({
    subjects: 'foreignCertificates',
    setup: sendBadCredential,
    checks: { 'client-unverified': rejected },
  }),
  group({
    subjects: 'selfSignedCertificates',
    setup: sendBadCredential,
    checks: { 'client-self-signed': rejected },
  }),
  group({
    subjects: 'untimelyCertificates',
    setup: sendBadCredential,
    checks: { 'client-expired': rejected },
  }),
  group({
    subjects: 'outlivedCertificates',
    setup: outliveCertificate,
    checks: {
      'client-expired-later': ({ before, after }) => {
        accepted(before);
        rejected(after);
      },
    },
  }),
  group({
    subjects: 'otherUsageCertificates',
    setup: sendBadCredential,
    checks: { 'client-key-usage': rejected },
  }),
  group({
    subjects: 'namelessCertificates',
    setup: sendBadCredential,
    checks: { 'client-without-name': rejected },
  }),
  group({
    subjects: 'severalNamesCertificates',
    setup: sendGoodCredential,
    checks: {
      'client-several-names': (seen) => {
        if (wasAccepted(seen.reply)) hasName(seen);
      },
    },
  }),
  group({
    subjects: 'certificateLess',
    setup: sendWithoutCertificate,
    checks: { 'client-optional': accepted },
  }),
  group({
    subjects: 'resumedSessions',
    setup: resume,
    checks: {
      'client-resumed': (answers) => {
        for (const { reply } of answers) rejected(reply);
      },
    },
  }),
]);
