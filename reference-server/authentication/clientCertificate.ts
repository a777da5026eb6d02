// Client certificates: the common name is the user, the organizations are the groups (Authentication/Mechanisms).
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Authenticator, User } from './authenticator.js';

/** The user of a certificate, and its expiry in milliseconds since 1970. */
interface Identity {
  readonly user: User;
  readonly until: number;
}

/**
 * Authenticates the certificate of the connection, which TLS has verified. Rejects a certificate that is not verified,
 * or that has expired since the connection began.
 */
export function clientCertificate(): Authenticator {
  const known = new WeakMap<Socket, Identity | undefined>();
  return ({ socket }) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    let identity = known.get(socket);
    if (identity === undefined && !known.has(socket)) {
      identity = identityOf(socket);
      known.set(socket, identity);
    }
    if (identity === undefined) return undefined;
    if (Date.now() > identity.until) throw new Error('the certificate has expired');
    return identity.user;
  };
}

function identityOf(socket: TLSSocket): Identity | undefined {
  const certificate = socket.getPeerCertificate();
  // A resumed session without a certificate also has `authorized` set.
  if (certificate === null || certificate.subject === undefined) return undefined;
  if (!socket.authorized) throw new Error(`the certificate is not verified: ${socket.authorizationError}`);
  const subject: Readonly<Record<string, string | readonly string[] | undefined>> = { ...certificate.subject };
  const name = values(subject.CN).at(-1) ?? '';
  if (name === '') throw new Error('the subject of the certificate has no common name');
  return { user: { name, groups: values(subject.O) }, until: Date.parse(certificate.valid_to) };
}

/** An attribute occurs once or several times in a subject. */
function values(attribute: string | readonly string[] | undefined): readonly string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}
