// What ends a token: its Secret, its account or its namespace goes, and nothing brings it back.
import type { Subject } from '../../matrix/requirements/index.js';
import { letIn, wasLetIn } from '../support/acceptance.js';
import { eventually } from '../support/eventually.js';
import { fail } from '../support/expect.js';
import { at } from '../support/json.js';
import { namespaces } from '../support/related.js';
import { NoAnswer, Reply } from '../support/reply.js';
import { pathTo } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { remove } from '../watch/removal.js';
import { type Account, accounts, ask, makeAccount, secretOf, secrets, tokenOf } from './accounts.js';

const deleteAccount = ({ scope }: Context, { namespace, name }: Account): Promise<void> =>
  remove(scope, { resource: accounts, name, namespace });

/** What may go. */
const ends = {
  secret: async ({ scope }: Context, account: Account) => {
    const name = String(at(secretOf(account), 'metadata', 'name'));
    await scope.attempt('delete the Secret', 'DELETE', pathTo(secrets, 'delete', account.namespace, name));
  },
  account: deleteAccount,
  namespace: ({ scope }: Context, { namespace }: Account) =>
    scope.attempt('delete the namespace', 'DELETE', pathTo(namespaces, 'delete', undefined, namespace)),
  accountAgain: async (context: Context, account: Account) => {
    await deleteAccount(context, account);
    await makeAccount(context, account.namespace, account.name);
  },
} as const;

type End = keyof typeof ends;

/** A token before what it stands on went, and the last that was seen of it. */
interface Ended {
  readonly before: Reply;
  readonly after: Reply | NoAnswer;
}

/** Milliseconds in which a token must be refused: servers remember one for a while, and ten seconds are usual. */
const endPatience = 30_000;

/** Uses a token, ends it, and uses it until it is refused or the patience is over. */
async function ended(context: Context, end: End): Promise<Ended> {
  const account = await makeAccount(context, await context.scope.namespace(`ends-${end.toLowerCase()}`));
  const token = await tokenOf(context, account);
  const before = await ask(context, token);
  await ends[end](context, account);
  const after = await eventually(
    () => ask(context, token).catch(noAnswer),
    (seen) => seen instanceof Reply && !wasLetIn(seen),
    context.run.patience ?? endPatience,
  );
  return { before, after };
}

/** A server that is slow to answer once may still refuse in time. */
function noAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

export const endPerformers = {
  /** All at once, for what they wait for is the same. */
  endedAccountTokens: async (_: Subject, context: Context) => {
    const [secret, account, namespace, accountAgain] = await Promise.allSettled([
      ended(context, 'secret'),
      ended(context, 'account'),
      ended(context, 'namespace'),
      ended(context, 'accountAgain'),
    ]);
    return { secret, account, namespace, accountAgain };
  },
};

type Outcomes = Awaited<ReturnType<typeof endPerformers.endedAccountTokens>>;

/** The token let in before, and lets in no more. */
const endsWith =
  (end: End, what: string) =>
  (outcomes: Outcomes): void => {
    const outcome = outcomes[end];
    if (outcome.status === 'rejected') throw outcome.reason;
    const { before, after } = outcome.value;
    letIn(before);
    if (after instanceof NoAnswer) throw after;
    if (wasLetIn(after)) fail(`${after.request}: answered ${after.status} with a token ${what}`);
  };

export const endChecks = {
  'token-secret-gone': endsWith('secret', 'whose Secret was deleted'),
  'token-account-gone': endsWith('account', 'whose service account was deleted'),
  'token-namespace-gone': endsWith('namespace', 'whose namespace was deleted'),
  'token-not-revived': endsWith('accountAgain', 'of an account that was deleted and created again'),
};
