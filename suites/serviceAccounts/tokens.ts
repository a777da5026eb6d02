// The tokens of service accounts: their users, their use from outside, and the tokens that are refused.

import { Client } from '../client/client.js';
import { equal, fail } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { decodedData } from '../objects/accountTokens.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { Subject } from '../requirements/index.js';
import { accepted, rejected } from '../run/acceptance.js';
import type { Context } from '../run/context.js';
import { hasGroups, hasName, identityOf, sendCredential } from '../run/credentialChecks.js';
import { group } from '../run/group.js';
import {
  signedByOwnKey,
  signedByUs,
  signedWithSecret,
  unsigned,
  unsignedInCapitals,
  withClaims,
  withOtherSignature,
  withoutSignature,
} from '../stand-ins/jsonWebToken.js';
import { type Account, accountTokenOf, askWithToken, makeAccount, secretOf, secrets, userOf } from './accounts.js';

const known = new WeakMap<Sandbox, Promise<Account>>();

/** Returns an account that exists for the whole run. */
function lastingAccount(context: Context): Promise<Account> {
  const found =
    known.get(context.sandbox) ?? context.sandbox.namespace('accounts').then((each) => makeAccount(context, each));
  known.set(context.sandbox, found);
  return found;
}

/** Changes a token so that it must be refused. Public facts about the target are used as a key. */
const spoilers: Readonly<Record<string, (token: string, context: Context) => string | Promise<string>>> = {
  'its end is missing': (token) => token.slice(0, -8),
  'its signature is missing': withoutSignature,
  'its signature is changed': withOtherSignature,
  'its payload is changed': (token) => withClaims(token, { sub: 'system:serviceaccount:kube-system:default' }),
  'a key of ours signed it': (token) => signedByUs(token),
  'a key in its header signed it': signedByOwnKey,
  none: unsigned,
  NONE: unsignedInCapitals,
  'HS256 with the public key': (token, { run }) =>
    signedWithSecret(token, run.authentication?.fixtures.serviceAccountPublicKey ?? run.target.ca ?? run.target.url),
};

async function tryForged({ variant = '' }: Subject, context: Context): Promise<{ readonly reply: Reply }> {
  const token = await accountTokenOf(context, await lastingAccount(context));
  const forged = await spoilers[variant]?.(token, context);
  if (forged === undefined) throw new Error(`no way of forging: ${variant}`);
  context.client.redactor.add(forged);
  return { reply: await askWithToken(context, forged) };
}

/**
 * Sends a request like a program that has only the token, and reaches the target as the run does: outside of a cluster,
 * the certificate may be another than the one that `ca.crt` verifies.
 */
async function askFromOutside(context: Context, token: string): Promise<Reply | NoAnswer> {
  const credentials = { serviceAccountToken: { token } };
  const outside = { ...context.run.target, credentials, own: ['serviceAccountToken'] } as const;
  const elsewhere = new Client(outside, undefined, { redactor: context.client.redactor });
  try {
    return await askWithToken(context, token, { client: elsewhere });
  } catch (error) {
    if (error instanceof NoAnswer) return error;
    throw error;
  } finally {
    context.client.adopt(elsewhere.takeExchanges());
    await elsewhere.close();
  }
}

/** Reads the Secret as the user of the run, and returns its token. */
async function readByUs({ client }: Context, { secret, namespace }: Account): Promise<string | undefined> {
  const name = at(secret, 'metadata', 'name');
  if (typeof name !== 'string') return undefined;
  const reply = await client.send({ method: 'GET', path: pathTo(secrets, 'read', namespace, name) });
  return decodedData(reply.tryValue(), 'token');
}

export const tokenGroups = [
  group({
    subjects: 'accountTokens',
    setup: async (_, context) => {
      const account = await lastingAccount(context);
      const token = await accountTokenOf(context, account);
      const read = await readByUs(context, account);
      return {
        account,
        seen: await sendCredential({ credential: { token }, user: userOf(account) }, context),
        outside: await askFromOutside(context, token),
        ofAnother:
          read === undefined
            ? undefined
            : await sendCredential({ credential: { token: read }, user: userOf(account) }, context),
      };
    },
    checks: {
      token: ({ seen }) => accepted(seen.reply),
      'token-user': ({ seen }) => hasName(seen),
      'token-groups': ({ seen }) => {
        hasGroups(seen);
        const { groups = [], seenIn } = identityOf(seen);
        const ofNamespaces = groups.filter((each) => each.startsWith('system:serviceaccounts:'));
        equal(ofNamespaces.length, 1, `the groups, in ${seenIn}: those of namespaces, of ${brief(ofNamespaces)}`);
      },
      'token-outside': ({ outside }) => {
        if (outside instanceof NoAnswer) fail(outside.message);
        else accepted(outside);
      },
      'token-of-another': ({ ofAnother, account }) => {
        secretOf(account);
        if (ofAnother === undefined) fail('the Secret cannot be read, or holds no token');
        else hasName(ofAnother);
      },
    },
  }),
  group({
    subjects: 'forgedAccountTokens',
    setup: tryForged,
    checks: { 'token-forged': ({ reply }) => rejected(reply) },
  }),
  group({
    subjects: 'otherAccountAlgorithms',
    setup: tryForged,
    checks: { 'token-unsigned': ({ reply }) => rejected(reply) },
  }),
];
