// The certificate of a connection, held to the authorities of one mechanism: TLS knows those of all of them.
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { certificatesIn } from './pem.js';

/** The subject of a verified certificate, and its expiry in milliseconds since 1970. */
interface Shown {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly until: number;
}

/**
 * Returns the certificate of the connection of a request, or undefined if there is none. Throws if it is not verified,
 * if none of the authorities has issued it, or if it has expired since the connection began.
 */
export type Verify = (request: Pick<IncomingMessage, 'socket'>) => Shown | undefined;

/**
 * Makes the check of certificates for some authorities, PEM. `alone`: TLS knows no others, so what TLS has verified is
 * theirs, even if a resumed session no longer has the intermediate authorities.
 */
export function verifiedBy(authorities: string, alone: boolean): Verify {
  const issuers = certificatesIn(authorities).map((pem) => new X509Certificate(pem));
  const known = new WeakMap<TLSSocket, Shown | undefined>();
  return ({ socket }) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    let shown = known.get(socket);
    if (shown === undefined && !known.has(socket)) {
      shown = shownOn(socket, issuers, alone);
      known.set(socket, shown);
    }
    if (shown !== undefined && Date.now() > shown.until) throw new Error('the certificate has expired');
    return shown;
  };
}

function shownOn(socket: TLSSocket, issuers: readonly X509Certificate[], alone: boolean): Shown | undefined {
  const certificate = socket.getPeerCertificate();
  // A resumed session without a certificate also has `authorized` set.
  if (certificate === null || certificate.subject === undefined) return undefined;
  if (!socket.authorized && !isForAnyUse(socket, issuers))
    throw new Error(`the certificate is not verified: ${socket.authorizationError}`);
  if (!alone && !leadsTo(issuers, socket.getPeerX509Certificate()))
    throw new Error('the certificate is of another authority');
  const subject: Readonly<Record<string, string | readonly string[] | undefined>> = { ...certificate.subject };
  return {
    commonName: values(subject.CN).at(-1) ?? '',
    organizations: values(subject.O),
    until: Date.parse(certificate.valid_to),
  };
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
  return issuers.some((issuer) => hasIssued(issuer, certificate));
}

/** How many certificates may be between an authority and the one that a client shows. */
const mostBetween = 8;

/** Reports whether the chain that a client has sent leads to one of the authorities. */
function leadsTo(issuers: readonly X509Certificate[], certificate: X509Certificate | undefined): boolean {
  let at = certificate;
  for (let between = 0; at !== undefined && between <= mostBetween; between++) {
    const of = at;
    if (issuers.some((issuer) => hasIssued(issuer, of))) return true;
    const { issuerCertificate: next } = of;
    at = next !== undefined && hasIssued(next, of) ? next : undefined;
  }
  return false;
}

const hasIssued = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  issuer.ca && isValidNow(issuer) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

function isValidNow({ validFrom, validTo }: X509Certificate): boolean {
  const now = Date.now();
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

/** An attribute occurs once or several times in a subject. */
function values(attribute: string | readonly string[] | undefined): readonly string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}
