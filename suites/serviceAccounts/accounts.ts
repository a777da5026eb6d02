// The service accounts of the checks: their Secrets, their tokens, and the users of the tokens.

import { defined } from '../../matrix/api/index.js';
import { fail } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { type AccountPlace, decodedData, madeSecret, requestedToken } from '../objects/accountTokens.js';
import { byId } from '../objects/related.js';
import { identified } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';
import type { KnownUser } from '../run/credentials/source.js';

export const accounts = byId('core/serviceaccounts');
export const secrets = byId('core/secrets');

/** Milliseconds that the target may take to create the Secret of a new account, if the run sets no other limit. */
export const timeout = 5_000;

/** A new account, with its Secret if the target creates one. */
export interface Account extends AccountPlace {
  readonly uid: string;
  readonly secret?: JsonObject;
}

/** Creates an account and waits for its Secret. */
export async function makeAccount(
  { sandbox, run }: Context,
  namespace: string,
  name = sandbox.name(),
): Promise<Account> {
  const { object } = await sandbox.make(accounts, { namespace, name });
  const secret = await madeSecret(sandbox, { namespace, name }, run.timeout ?? timeout);
  const uid = String(at(object, 'metadata', 'uid'));
  return { namespace, name, uid, ...defined({ secret }) };
}

/** Returns the Secret of an account. Throws Failure if the target created none. */
export function secretOf({ namespace, name, secret }: Account): JsonObject {
  return secret ?? fail(`service account ${namespace}/${name} got no Secret with a token`);
}

/** Returns a token of the account, from its Secret or on request. */
export async function accountTokenOf({ sandbox }: Context, account: Account): Promise<string> {
  return decodedData(account.secret, 'token') ?? (await requestedToken(sandbox, account));
}

/** Returns the user of a token of the account. */
export function userOf({ namespace, name, uid }: Account): KnownUser {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: `system:serviceaccount:${namespace}:${name}`, uid, groups };
}

/** Sends an ordinary request with a bearer token. */
export async function askWithToken(
  context: Context,
  token: string,
  { client }: Pick<Context, 'client'> = context,
): Promise<Reply> {
  return await identified(context, { token }, await client.send({ ...anyRequest, as: { token } }));
}
