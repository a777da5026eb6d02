// What a request carries to say who sends it.
import type { Mechanism } from '../../matrix/api/index.js';
import type { Credential, Target } from '../../matrix/requirements/index.js';
import type { Call } from './calls.js';
import { renewed } from './renewed.js';

/** A certificate and one credential for the header, as far as the target's own mechanisms have them. */
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

/** The headers of a request: what the credential puts there, and its own, which win. */
export function headersOf(credential: Credential, own: Call['headers']): Record<string, string> {
  const authorization = authorizationOf(credential);
  return {
    ...(authorization === undefined ? {} : { authorization }),
    'user-agent': 'kube-api-conformance',
    ...own,
  };
}

/** The Authorization header of a credential, where it has one. */
export function authorizationOf(credential: Credential): string | undefined {
  if (credential.token !== undefined) return `Bearer ${credential.token}`;
  if (credential.username === undefined) return undefined;
  return `Basic ${Buffer.from(`${credential.username}:${credential.password ?? ''}`).toString('base64')}`;
}
