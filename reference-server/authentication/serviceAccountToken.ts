// Service account tokens: valid while their Secret and account exist (Authentication/Mechanisms).
import { timingSafeEqual } from 'node:crypto';
import type { Store } from '../registry/store.js';
import { part } from '../schema/object.js';
import type { TokenIssuer } from '../serviceaccounts/tokenIssuer.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';
import { accountUser, living } from './serviceAccounts.js';

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
  const { namespace, account, secret: name, uid } = await issuer.verify(token);
  const secret = await living('secrets', secrets, { namespace, name });
  const { token: held = '' } = part<{ token?: string }>(secret, 'data');
  if (!isSame(Buffer.from(held, 'base64'), Buffer.from(token))) throw new Error('the Secret holds another token');
  await living('serviceaccounts', accounts, { namespace, name: account }, uid);
  return accountUser(namespace, account, uid);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
