// What can be seen of credentials without showing them to anybody, and what to say where they are refused.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Credential, Target } from '../../../matrix/requirements/index.js';
import { ownCredential } from '../../../suites/index.js';
import { UsageError } from '../../usageError.js';

/** Throws UsageError for an authority or a client certificate that no handshake could use. */
export function checkCredentials({ ca, credentials }: Target): void {
  if (ca !== undefined && read(ca) === undefined)
    throw new UsageError('the authority of the target is no certificate: give one in PEM with --ca');
  const { certificate, key } = credentials.clientCertificate ?? {};
  if (certificate === undefined || key === undefined) return;
  const shown = read(certificate);
  if (shown === undefined) throw new UsageError('the client certificate is no certificate: give one in PEM');
  if (!belongs(shown, key))
    throw new UsageError('the key is not that of the client certificate: give both of one pair');
}

/** The sentence for a target that does not let these credentials in. */
export function refusal(target: Target, status: number): UsageError {
  const { url, credentials, renewal } = target;
  const given = [...Object.values(credentials), ...(renewal === undefined ? [] : [ownCredential(target)])];
  const old = given.flatMap((credential) => expired(credential) ?? [])[0];
  const advice =
    given.length === 0
      ? 'no credentials were given; add --token, --client-certificate and --client-key, or --kubeconfig'
      : (old ?? 'give valid credentials with --token or --kubeconfig');
  return new UsageError(`${url} does not let us in (${status}): ${advice}`);
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

/** What is over by our clock. */
function expired({ token, certificate }: Credential): string | undefined {
  const until = certificate === undefined ? undefined : read(certificate)?.validTo;
  if (until !== undefined && Date.parse(until) < Date.now())
    return `the client certificate ended ${isoOf(Date.parse(until))}; give one that is valid`;
  const end = token === undefined ? undefined : expiryOf(token);
  if (end !== undefined && end < Date.now()) return `the token ended ${isoOf(end)}; give a new one with --token`;
  return undefined;
}

const isoOf = (time: number): string => new Date(time).toISOString();

/** When a JSON Web Token ends; undefined for other tokens. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const { exp } = claims as { readonly exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
