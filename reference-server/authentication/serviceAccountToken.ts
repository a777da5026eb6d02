// Service account tokens: valid while their Secret and account exist (Authentication/Mechanisms).
import { timingSafeEqual } from 'node:crypto';
import type { Store } from '../registry/store.js';
import { type KubeObject, type ObjectKey, part } from '../schema/object.js';
import { type TokenIssuer, type TokenSubject, userNameOf } from '../serviceaccounts/tokenIssuer.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';

/** The stores that decide about a token: a token ends when its Secret or its account is deleted. */
export interface TokenHolders {
  readonly issuer: TokenIssuer;
  readonly secrets: Pick<Store, 'find'>;
  readonly accounts: Pick<Store, 'find'>;
}

/** Authenticates tokens that name this server as their issuer. Ignores other tokens. */
export function serviceAccountToken(holders: TokenHolders): Authenticator {
  return (request) => {
    const token = bearerToken(request);
    return token === undefined || !holders.issuer.claims(token) ? undefined : userOf(token, holders);
  };
}

async function userOf(token: string, { issuer, secrets, accounts }: TokenHolders): Promise<User> {
  const subject = await issuer.verify(token);
  const { namespace, account, secret: name, uid } = subject;
  const secret = await living('secrets', secrets, { namespace, name });
  const { token: held = '' } = part<{ token?: string }>(secret, 'data');
  if (!isSame(Buffer.from(held, 'base64'), Buffer.from(token))) throw new Error('the Secret holds another token');
  const holder = await living('serviceaccounts', accounts, { namespace, name: account });
  if (holder.metadata.uid !== uid) throw new Error('the token is that of an earlier account');
  return userFrom(subject);
}

function userFrom({ namespace, account, uid }: TokenSubject): User {
  return {
    name: userNameOf(namespace, account),
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}

/** Returns an object. Throws if it is absent or being deleted. */
async function living(plural: string, store: Pick<Store, 'find'>, key: ObjectKey): Promise<KubeObject> {
  const object = (await store.find(key))?.value;
  if (object !== undefined && object.metadata.deletionTimestamp === undefined) return object;
  throw new Error(`${plural} ${key.namespace}/${key.name} is gone`);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
