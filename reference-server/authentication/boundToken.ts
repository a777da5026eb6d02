// Tokens of TokenRequest: valid until they expire, while their account and the object exist that they are bound to.
import type { Store } from '../registry/store.js';
import type { KubeObject, ObjectKey } from '../schema/object.js';
import type { BoundToken, BoundTokens } from '../serviceaccounts/boundTokens.js';
import { userNameOf } from '../serviceaccounts/tokenIssuer.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';

/** The stores that decide about a token. */
export interface BoundHolders {
  readonly boundTokens: BoundTokens;
  readonly accounts: Pick<Store, 'find'>;
  readonly pods: Pick<Store, 'find'>;
  readonly secrets: Pick<Store, 'find'>;
}

/** Authenticates tokens that name this server as their issuer. Ignores other tokens. */
export function boundToken(holders: BoundHolders): Authenticator {
  return (request) => {
    const token = bearerToken(request);
    return token === undefined || !holders.boundTokens.claims(token) ? undefined : userOf(token, holders);
  };
}

async function userOf(token: string, { boundTokens, accounts, pods, secrets }: BoundHolders): Promise<User> {
  const said = await boundTokens.verify(token);
  const { namespace, account, uid, bound } = said;
  await living(accounts, { namespace, name: account }, uid);
  if (bound !== undefined)
    await living(bound.kind === 'Pod' ? pods : secrets, { namespace, name: bound.name }, bound.uid);
  return {
    name: userNameOf(namespace, account),
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: extraOf(said),
  };
}

function extraOf({ id, bound }: BoundToken): Readonly<Record<string, readonly string[]>> {
  return {
    'authentication.kubernetes.io/credential-id': [`JTI=${id}`],
    ...(bound?.kind === 'Pod' && {
      'authentication.kubernetes.io/pod-name': [bound.name],
      'authentication.kubernetes.io/pod-uid': [bound.uid],
    }),
  };
}

/** Throws if an object is absent, another one by now, or being deleted. */
async function living(store: Pick<Store, 'find'>, key: ObjectKey, uid: string): Promise<KubeObject> {
  const object = (await store.find(key))?.value;
  if (object?.metadata.uid === uid && object.metadata.deletionTimestamp === undefined) return object;
  throw new Error(`${key.namespace}/${key.name} of the token is gone`);
}
