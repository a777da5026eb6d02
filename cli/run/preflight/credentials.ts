// Offline checks of credentials, and the message if the target refuses them.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type Client, ownCredential, type Reply } from '../../../suites/index.js';
import type { Credential, Target } from '../../../suites/requirements/index.js';
import { UsageError } from '../../errors.js';
import { cameIn } from './cameIn.js';

/** Throws UsageError for an authority or a client certificate that is unusable in TLS. */
export function checkCredentials({ ca, caFrom, namespaceServer, credentials }: Target): void {
  checkAuthority(ca, caFrom ?? 'the CA of the target');
  checkAuthority(namespaceServer?.ca, 'the CA of the namespace server');
  const { certificate, key } = credentials.clientCertificate ?? {};
  if (certificate === undefined || key === undefined) return;
  const shown = read(certificate);
  if (shown === undefined)
    throw new UsageError('the client certificate is not a certificate: give one in PEM with --client-certificate');
  if (!belongs(shown, key))
    throw new UsageError('the client key does not belong to the client certificate: give both of one pair');
}

function checkAuthority(ca: string | undefined, from: string): void {
  if (ca === undefined) return;
  if (ca.trim() === '') throw new UsageError(`${from}: it is empty: give a certificate in PEM`);
  if (read(ca) === undefined) throw new UsageError(`${from}: not a certificate: give the CA of the server in PEM`);
}

/** Returns the error for a target that refuses the credentials. */
export function refusal(client: Client, reply: Reply): UsageError {
  const { target } = client;
  const { url, credentials, renewal } = target;
  const came = cameIn(client, reply);
  const given = [...Object.values(credentials), ...(renewal === undefined ? [] : [ownCredential(target)])];
  const old = given.flatMap((credential) => expired(credential) ?? [])[0];
  if (given.length === 0) {
    return new UsageError(
      `${url} requires credentials (${came}): add --token, --token-file, --client-certificate and --client-key, or --kubeconfig`,
    );
  }
  const advice = old ?? 'give valid credentials with --token or --kubeconfig';
  return new UsageError(`${url} does not accept the credentials (${came}): ${advice}`);
}

function read(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function belongs(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Returns a sentence about an expired credential, by the clock of this machine, or undefined. */
function expired({ token, certificate }: Credential): string | undefined {
  const until = certificate === undefined ? undefined : read(certificate)?.validTo;
  if (until !== undefined && Date.parse(until) < Date.now())
    return `the client certificate expired ${isoOf(Date.parse(until))}; give one that is valid`;
  const end = token === undefined ? undefined : expiryOf(token);
  if (end !== undefined && end < Date.now()) return `the token expired ${isoOf(end)}; give a new one with --token`;
  return undefined;
}

const isoOf = (time: number): string => new Date(time).toISOString();

/** Returns the expiry of a JSON Web Token, in milliseconds since 1970, or undefined for other tokens. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const { exp } = claims as { readonly exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
