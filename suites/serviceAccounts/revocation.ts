// The end of a token: its Secret, account or namespace is deleted. A new account of the same name does not restore it.

import { fail } from '../client/expect.js';
import { at } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { NoAnswer, Reply } from '../client/reply.js';
import { whenControlled } from '../objects/controllers.js';
import { eventually } from '../objects/eventually.js';
import { namespaces } from '../objects/related.js';
import { accepted, wasAccepted } from '../run/acceptance.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { remove } from '../watch/removal.js';
import { type Account, accounts, accountTokenOf, askWithToken, makeAccount, secretOf, secrets } from './accounts.js';

const deleteAccount = ({ sandbox }: Context, { namespace, name }: Account): Promise<void> =>
  remove(sandbox, { resource: accounts, name, namespace });

/** The deletes that end a token. */
const ends = {
  secret: async ({ sandbox }: Context, account: Account) => {
    const name = String(at(secretOf(account), 'metadata', 'name'));
    await sandbox.attempt('delete the Secret', 'DELETE', pathTo(secrets, 'delete', account.namespace, name));
  },
  account: deleteAccount,
  namespace: ({ sandbox }: Context, { namespace }: Account) =>
    sandbox.attempt('delete the namespace', 'DELETE', pathTo(namespaces, 'delete', undefined, namespace)),
  accountAgain: async (context: Context, account: Account) => {
    await deleteAccount(context, account);
    await makeAccount(context, account.namespace, account.name);
  },
} as const;

type End = keyof typeof ends;

/** The responses to a token before the delete, and to its last use. */
interface Ended {
  readonly before: Reply;
  readonly after: Reply | NoAnswer;
}

/** Milliseconds until a token must be refused: servers cache tokens, usually for ten seconds. */
const endTimeout = 30_000;

/** Uses a token, ends it, and uses it again until it is refused or the timeout is over. */
async function ended(context: Context, end: End): Promise<Ended> {
  const account = await makeAccount(context, await context.sandbox.namespace(`ends-${end.toLowerCase()}`));
  const token = await accountTokenOf(context, account);
  const before = await askWithToken(context, token);
  await ends[end](context, account);
  const ask = () => askWithToken(context, token).catch(noAnswer);
  const isRefused = (seen: Reply | NoAnswer): boolean => seen instanceof Reply && !wasAccepted(seen);
  const after = await eventually(ask, isRefused, context.run.timeout ?? endTimeout);
  // A controller empties a namespace, and may be late.
  const isLate = end === 'namespace' && !isRefused(after);
  return { before, after: isLate ? await whenControlled(context.sandbox, ask, isRefused) : after };
}

/** Returns NoAnswer as a value: a server that is slow once may still refuse the token in time. */
function noAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

/** Returns a check that the token was accepted before and is refused afterwards. */
const endsWith =
  (end: End, what: string) =>
  (outcomes: Readonly<Record<End, PromiseSettledResult<Ended>>>): void => {
    const outcome = outcomes[end];
    if (outcome.status === 'rejected') throw outcome.reason;
    const { before, after } = outcome.value;
    accepted(before);
    if (after instanceof NoAnswer) throw after;
    if (wasAccepted(after)) fail(`${after.request}: answered ${after.status} with a token ${what}`);
  };

export const endGroups = [
  /** Runs all at once, because each waits for the same kind of change. */
  group({
    subjects: 'endedAccountTokens',
    setup: async (_, context) => {
      const [secret, account, namespace, accountAgain] = await Promise.allSettled([
        ended(context, 'secret'),
        ended(context, 'account'),
        ended(context, 'namespace'),
        ended(context, 'accountAgain'),
      ]);
      return { secret, account, namespace, accountAgain };
    },
    checks: {
      'token-secret-gone': endsWith('secret', 'whose Secret was deleted'),
      'token-account-gone': endsWith('account', 'whose service account was deleted'),
      'token-namespace-gone': endsWith('namespace', 'whose namespace was deleted'),
      'token-not-revived': endsWith('accountAgain', 'of an account that was deleted and created again'),
    },
  }),
];
