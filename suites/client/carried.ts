// The credentials that a request carries.
import { readFileSync, statSync } from 'node:fs';
import { defined, type Mechanism } from '../../matrix/api/index.js';
import type { Credential, Header, Target } from '../requirements/index.js';
import type { Call, SentHeaders } from './calls.js';

/** Returns a certificate and one credential for the Authorization header, as far as the target has them. */
export function ownCredential({
  credentials,
  own,
  renewal,
}: Pick<Target, 'credentials' | 'own' | 'renewal'>): Credential {
  const of = (mechanism: Mechanism): Credential | undefined =>
    own === undefined || own.includes(mechanism) ? credentials[mechanism] : undefined;
  return {
    ...(of('staticToken') ?? of('serviceAccountToken') ?? of('staticPassword')),
    ...of('clientCertificate'),
    ...(renewal === undefined ? {} : renewed(renewal)),
  };
}

/** Returns the headers of a request: those of the credential, and the request's own, which take precedence. */
export function headersOf(credential: Credential, own: Call['headers']): SentHeaders {
  const authorization = authorizationOf(credential);
  return {
    ...defined({ authorization }),
    'user-agent': 'kube-api-conformance',
    ...own,
  };
}

/** Returns the headers as they are sent, one for each value. */
export const linesOf = (headers: SentHeaders): Header[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value): Header => [name, value]));

/** Returns the Authorization header of a credential; undefined if the credential has none. */
export function authorizationOf(credential: Credential): string | undefined {
  if (credential.token !== undefined) return `Bearer ${credential.token}`;
  const pair = basicOf(credential);
  return pair && `Basic ${pair}`;
}

/** Returns the user name and the password in base64, as Basic credentials have them; undefined without a user name. */
export function basicOf({ username, password = '' }: Credential): string | undefined {
  return username === undefined ? undefined : Buffer.from(`${username}:${password}`).toString('base64');
}

/** Milliseconds after which a file with a credential is read again. The command line keeps the file up to date. */
const interval = 1_000;

interface CachedCredential {
  readonly credential: Credential;
  readonly modified: number;
  readonly at: number;
}

const seen = new Map<string, CachedCredential>();

/** Returns the credential in a file, at most one second old; the same object until the credential changes. */
function renewed(file: string): Credential {
  const last = seen.get(file);
  const at = performance.now();
  if (last !== undefined && at - last.at < interval) return last.credential;
  const { mtimeMs: modified } = statSync(file);
  const credential =
    last?.modified === modified ? last.credential : (JSON.parse(readFileSync(file, 'utf8')) as Credential);
  seen.set(file, { credential, modified, at });
  return credential;
}
