// Client certificates: the common name is the user, the organizations are the groups (Authentication/Mechanisms).
import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Authenticator, User } from './authenticator.js';
import { certificatesIn } from './pem.js';

/** The user of a certificate, and its expiry in milliseconds since 1970. */
interface Identity {
  readonly user: User;
  readonly until: number;
}

/**
 * Authenticates the certificate of the connection, which TLS has verified. Rejects a certificate that is not verified,
 * or that has expired since the connection began. `authorities`: the PEM of those that may sign certificates for any use.
 */
export function clientCertificate(authorities = ''): Authenticator {
  const issuers = certificatesIn(authorities).map((pem) => new X509Certificate(pem));
  const known = new WeakMap<Socket, Identity | undefined>();
  return ({ socket }) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    let identity = known.get(socket);
    if (identity === undefined && !known.has(socket)) {
      identity = identityOf(socket, issuers);
      known.set(socket, identity);
    }
    if (identity === undefined) return undefined;
    if (Date.now() > identity.until) throw new Error('the certificate has expired');
    return identity.user;
  };
}

function identityOf(socket: TLSSocket, issuers: readonly X509Certificate[]): Identity | undefined {
  const certificate = socket.getPeerCertificate();
  // A resumed session without a certificate also has `authorized` set.
  if (certificate === null || certificate.subject === undefined) return undefined;
  if (!socket.authorized && !isForAnyUse(socket, issuers))
    throw new Error(`the certificate is not verified: ${socket.authorizationError}`);
  const subject: Readonly<Record<string, string | readonly string[] | undefined>> = { ...certificate.subject };
  const name = values(subject.CN).at(-1) ?? '';
  if (name === '') throw new Error('the subject of the certificate has no common name');
  return { user: { name, groups: values(subject.O) }, until: Date.parse(certificate.valid_to) };
}

const anyExtendedKeyUsage = '2.5.29.37.0';

/**
 * Reports whether a certificate was refused for its purpose alone, and may have any. OpenSSL says only the last of its
 * reasons, so the rest is checked here: an authority has issued the certificate itself, and both are valid now.
 */
function isForAnyUse(socket: TLSSocket, issuers: readonly X509Certificate[]): boolean {
  // a code, whatever its type says
  if (String(socket.authorizationError) !== 'INVALID_PURPOSE') return false;
  const certificate = socket.getPeerX509Certificate();
  if (certificate?.keyUsage?.includes(anyExtendedKeyUsage) !== true || !isValidNow(certificate)) return false;
  return issuers.some(
    (issuer) =>
      issuer.ca && isValidNow(issuer) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey),
  );
}

function isValidNow({ validFrom, validTo }: X509Certificate): boolean {
  const now = Date.now();
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

/** An attribute occurs once or several times in a subject. */
function values(attribute: string | readonly string[] | undefined): readonly string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}
