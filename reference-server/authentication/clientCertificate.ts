// Client certificates: the common name of a verified one is the user, its organizations the groups (Authentication/Mechanisms).
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Authenticator, User } from './authenticator.js';

/** Who a connection's certificate names, and for how long, in milliseconds since 1970. */
interface Identity {
  readonly user: User;
  readonly until: number;
}

/**
 * Authenticates by the certificate of the connection, which TLS has verified against the authorities. One that it
 * could not verify is refused; one that has ended since the connection began is too.
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
  // a resumed session without a certificate is `authorized` all the same
  if (certificate === null || certificate.subject === undefined) return undefined;
  if (!socket.authorized) throw new Error(`the certificate is not verified: ${socket.authorizationError}`);
  const subject: Readonly<Record<string, string | readonly string[] | undefined>> = { ...certificate.subject };
  const name = values(subject.CN).at(-1) ?? '';
  if (name === '') throw new Error('the subject of the certificate has no common name');
  return { user: { name, groups: values(subject.O) }, until: Date.parse(certificate.valid_to) };
}

/** An attribute stands in a subject once or several times. */
function values(attribute: string | readonly string[] | undefined): readonly string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}
