// The subject sets of the certificates chapter: the server's certificate, and the names of the client certificates.

import { perMechanism, shown } from './authentication.js';
import type { Subject } from './build.js';

const server: Subject = { id: 'server', resource: 'server' };

export const certificatesSets = {
  serverCertificates: [server],
  serverNames: [server],
  clientCertificates: shown('clientCertificate', [
    'plain',
    'secondAuthority',
    'intermediate',
    'noGroups',
    'unsaidUsage',
    'utf8',
    'odd',
  ]),
  clientAuthorities: shown('clientCertificate', ['plain', 'secondAuthority']),
  foreignCertificates: shown('clientCertificate', ['foreignAuthority', 'impostorAuthority', 'signedByClient']),
  selfSignedCertificates: shown('clientCertificate', ['selfSigned']),
  untimelyCertificates: shown('clientCertificate', ['expired', 'notYetValid', 'expiredAuthority']),
  outlivedCertificates: perMechanism(['clientCertificate']),
  otherUsageCertificates: shown('clientCertificate', ['serverUsage']),
  namelessCertificates: shown('clientCertificate', ['noCommonName', 'emptyCommonName']),
  severalNamesCertificates: shown('clientCertificate', ['severalNames']),
  certificateLess: perMechanism([
    'staticToken',
    'staticPassword',
    'serviceAccountToken',
    'openidConnect',
    'webhookTokenReview',
    'identityServicePassword',
  ]),
  resumedSessions: shown('clientCertificate', ['TLS 1.2', 'TLS 1.3']),
} as const satisfies Record<string, readonly Subject[]>;
