// Client certificates: the common name of a verified one is the user, its organizations the groups (Authentication/Mechanisms).
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { OptionError } from '../optionError.js';
import type { Authenticator, User } from './authenticator.js';

/**
 * Reads the authorities that client certificates are verified with, PEM.
 * Throws an OptionError for a file that holds none, or one that is broken.
 */
export async function readAuthorities(file: string): Promise<string> {
  const option = '--client-ca-file';
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OptionError(`${option}: ${error.message}`);
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----.*?(?:-----END CERTIFICATE-----|$)/gs) ?? [];
  if (found.length === 0) throw new OptionError(`${option}: ${file} holds no PEM certificate`);
  found.forEach((pem, index) => {
    if (!isCertificate(pem)) throw new OptionError(`${option}: ${file}, certificate ${index + 1} cannot be read`);
  });
  return found.join('\n');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

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
