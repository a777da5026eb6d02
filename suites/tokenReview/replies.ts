// What becomes of the remote service's replies: whom they let in, and which keep everybody out.
import type { Subject } from '../../matrix/requirements/index.js';
import { webhookUsers } from '../fixtures/users.js';
import type { ReviewedUser, ReviewReply } from '../stand-ins/webhookReviewer.js';
import { keptOut, letIn, notAccepted } from '../support/acceptance.js';
import { equal, fail } from '../support/expect.js';
import { NoAnswer, type Reply } from '../support/reply.js';
import { hasExtra, hasGroups, hasName, hasUid, type Seen, settingOf, showed } from '../support/shown.js';
import type { Context } from '../support/worker.js';
import { ask, askAnswered, callsAbout, newToken, reviewPath, reviewText, somebody, tokenAnswered } from './reviewer.js';

const vouched = { authenticated: true, user: somebody } as const;

const users: Readonly<Record<string, ReviewedUser>> = {
  'all that a user can have': webhookUsers.plain,
  'a name alone': webhookUsers.nameOnly,
  'odd characters': webhookUsers.odd,
};

const another = { token: 'another-token' };

/** Replies by what is particular about each; those of a text need the target's domain. */
type Replies = Readonly<Record<string, (context: Context) => ReviewReply>>;

const specs: Readonly<Record<string, unknown>> = {
  'no spec': undefined,
  'the spec of another token': another,
  'a spec of unknown fields': { ...another, unknown: { field: true } },
  'a spec of other types': { token: ['a', 'list'] },
};

const denied: Replies = {
  'a token that is refused': () => ({ authenticated: false }),
  '200': () => ({ authenticated: false, httpStatus: 200 }),
  '401': () => ({ authenticated: false, httpStatus: 401 }),
  'a user': () => ({ authenticated: false, user: somebody }),
  'a user, and 401': () => ({ authenticated: false, user: somebody, httpStatus: 401 }),
};

const broken: Replies = {
  'half of an object': (context) => ({ ...vouched, text: reviewText(context, {}).slice(0, -9) }),
  'a text': () => ({ ...vouched, text: 'authenticated: true' }),
  nothing: () => ({ ...vouched, text: '' }),
  'a list': (context) => ({ ...vouched, text: `[${reviewText(context, {})}]` }),
  'no status': (context) => ({ ...vouched, text: reviewText(context, { status: undefined }) }),
};

const others: Replies = {
  'another version': () => ({ ...vouched, apiVersion: 'authentication.k8s.io/v9' }),
  'another group': () => ({ ...vouched, apiVersion: 'authentication.example.org/v1beta1' }),
  'another kind': () => ({ ...vouched, kind: 'SubjectAccessReview' }),
  'no apiVersion and no kind': (context) => ({
    ...vouched,
    text: reviewText(context, { apiVersion: undefined, kind: undefined }),
  }),
};

/** Asks with a token of that reply; a token without a reply is one that nobody knows. */
const askWith =
  (replies: Replies) =>
  async ({ variant = '' }: Subject, context: Context): Promise<Reply> => {
    const reply = replies[variant];
    settingOf(context);
    return reply === undefined ? await ask(context, newToken(context)) : await askAnswered(context, reply(context));
  };

/** Milliseconds that a service in trouble may hold a request up; servers give it half a minute, and are slow at times. */
const bound = 90_000;

/** Asks with a token that is answered so, and gives up where the service holds the request up for ever. */
async function askInTrouble(context: Context, reply: ReviewReply): Promise<Reply | NoAnswer> {
  const token = await tokenAnswered(context, reply);
  return await ask(context, token, bound).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });
}

export const replyPerformers = {
  reviewedUsers: async ({ variant = '' }: Subject, context: Context) => {
    const user: ReviewedUser = users[variant] ?? somebody;
    const token = await tokenAnswered(context, { authenticated: true, user });
    const { username: name, groups = [], ...rest } = user;
    return await showed({ credential: { token }, user: { name, groups, ...rest } }, context);
  },
  ignoredSpecs: async ({ variant = '' }: Subject, context: Context) => {
    const token = newToken(context);
    const spec = variant === 'the spec of the request' ? { token } : specs[variant];
    await settingOf(context).standIns.setReview(token, { ...vouched, ...(spec === undefined ? {} : { spec }) });
    return await ask(context, token);
  },
  deniedReviews: askWith(denied),
  deniedStatuses: askWith(denied),
  deniedUsers: askWith(denied),
  brokenReviews: askWith(broken),
  otherReviews: askWith(others),
  redirectedReviews: async (_: Subject, context: Context) => {
    const token = await tokenAnswered(context, { ...vouched, redirect: true });
    return { reply: await ask(context, token), calls: await callsAbout(context, token) };
  },
  /** All at once: what servers wait for before they give up, and before they ask again, is long. */
  troubledReviews: async (_: Subject, context: Context) => {
    const [silence, hangUp, failure, failures] = await Promise.all([
      askInTrouble(context, { ...vouched, instead: 'silence' }),
      askInTrouble(context, { ...vouched, instead: 'reset' }),
      askInTrouble(context, { ...vouched, failures: { times: 1, httpStatus: 500 } }),
      askInTrouble(context, { ...vouched, failures: { times: 2, httpStatus: 500 } }),
    ]);
    return { unanswered: [silence, hangUp], failing: [failure, failures] };
  },
  repeatedReviews: async ({ variant }: Subject, context: Context) => {
    const token = await tokenAnswered(
      context,
      variant === 'a token that is let in' ? vouched : { authenticated: false },
    );
    const replies = [await ask(context, token), await ask(context, token)];
    return { replies, calls: await callsAbout(context, token) };
  },
};

type RecordOf<S extends keyof typeof replyPerformers> = Awaited<ReturnType<(typeof replyPerformers)[S]>>;

/** The answer, where there was one. */
function answerOf(reply: Reply | NoAnswer): Reply {
  return reply instanceof NoAnswer ? fail(`the remote service is in trouble: ${reply.message}`) : reply;
}

export const replyChecks = {
  authenticated: ({ reply }: Seen) => letIn(reply),
  'user-name': hasName,
  'user-uid': hasUid,
  'user-groups': (seen: Seen) => hasGroups(seen),
  'user-extra': hasExtra,
  'spec-ignored': letIn,
  'not-authenticated': keptOut,
  'failure-status': keptOut,
  'false-with-user': keptOut,
  'broken-response': keptOut,
  'other-version': keptOut,
  redirect: ({ reply, calls }: RecordOf<'redirectedReviews'>) => {
    keptOut(reply);
    if (calls.some(({ path }) => path !== reviewPath)) fail('the token was sent to where the redirect leads');
  },
  'time-out': ({ unanswered }: RecordOf<'troubledReviews'>) => {
    for (const reply of unanswered) notAccepted(answerOf(reply));
  },
  retried: ({ failing }: RecordOf<'troubledReviews'>) => {
    for (const reply of failing) letIn(answerOf(reply));
  },
  cached: ({ replies, calls }: RecordOf<'repeatedReviews'>) => {
    const [first, second] = replies;
    equal(second?.status ?? 0, first?.status ?? 0, 'status of the second request');
    equal(calls.length, 1, 'reviews of a token that was used twice');
  },
};
