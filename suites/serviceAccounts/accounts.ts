// Service accounts of the checks: their Secrets, their tokens, and whom they should let in.

import { told } from '../support/acceptance.js';
import { type AccountPlace, decoded, madeSecret, requestedToken } from '../support/accountTokens.js';
import type { KnownUser } from '../support/credentials/source.js';
import { fail } from '../support/expect.js';
import { at, type JsonObject } from '../support/json.js';
import { byId } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

export const accounts = byId('core/serviceaccounts');
export const secrets = byId('core/secrets');

/** Milliseconds that the target is given to make the Secret of a new account, where the run does not say. */
export const patience = 5_000;

/** An account that was made, with its Secret where the target makes one. */
export interface Account extends AccountPlace {
  readonly uid: string;
  readonly secret?: JsonObject;
}

/** Makes an account and waits for its Secret. */
export async function makeAccount({ scope, run }: Context, namespace: string, name = scope.name()): Promise<Account> {
  const { object } = await scope.make(accounts, { namespace, name });
  const secret = await madeSecret(scope, { namespace, name }, run.patience ?? patience);
  const uid = String(at(object, 'metadata', 'uid'));
  return { namespace, name, uid, ...(secret === undefined ? {} : { secret }) };
}

/** The Secret of an account. Throws a Failure where the target made none. */
export function secretOf({ namespace, name, secret }: Account): JsonObject {
  return secret ?? fail(`service account ${namespace}/${name} got no Secret with a token`);
}

/** A token of the account: from its Secret, or on request. */
export async function tokenOf({ scope }: Context, account: Account): Promise<string> {
  return decoded(account.secret, 'token') ?? (await requestedToken(scope, account));
}

/** Whom a token of the account lets in. */
export function userOf({ namespace, name, uid }: Account): KnownUser {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: `system:serviceaccount:${namespace}:${name}`, uid, groups };
}

/** An ordinary request with a bearer token. */
export async function ask(
  context: Context,
  token: string,
  { client }: Pick<Context, 'client'> = context,
): Promise<Reply> {
  return await told(context, { token }, await client.send({ ...anyRequest, as: { token } }));
}
