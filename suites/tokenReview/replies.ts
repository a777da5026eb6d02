// The effect of the remote service's replies: users that they authenticate, and replies that refuse every token.

import { defined } from '../../matrix/api/index.js';
import { equal, fail } from '../client/expect.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { webhookUsers } from '../fixtures/users.js';
import type { Subject } from '../requirements/index.js';
import { accepted, notAccepted, rejected } from '../run/acceptance.js';
import type { Context } from '../run/context.js';
import { hasExtra, hasGroups, hasName, hasUid, sendCredential, settingOf } from '../run/credentialChecks.js';
import { otherEnd } from '../run/credentials/source.js';
import { group } from '../run/group.js';
import type { ReviewedUser, ReviewReply } from '../stand-ins/webhookReviewer.js';
import {
  askAnswered,
  askReviewed,
  callsAbout,
  foreignToken,
  newToken,
  reviewPath,
  reviewText,
  somebody,
  tokenAnswered,
} from './reviewer.js';

const vouched = { authenticated: true, user: somebody } as const;

const users: Readonly<Record<string, ReviewedUser>> = {
  'all that a user can have': webhookUsers.plain,
  // The name says nothing about the rest.
  'a name alone': { username: webhookUsers.plain.username },
  'odd characters': webhookUsers.odd,
};

const another = { token: 'another-token' };

/** Replies by variant. Replies with a text need the target's domain. */
type Replies = Readonly<Record<string, (context: Context) => ReviewReply>>;

const specs: Readonly<Record<string, unknown>> = {
  'no spec': undefined,
  'the spec of another token': another,
  'a spec of unknown fields': { ...another, unknown: { field: true } },
  'a spec of other types': { token: ['a', 'list'] },
};

/** Other forms of a reply that vouches. */
const forms: Replies = {
  // A server of the review API answers a create so.
  'the status 201': () => ({ ...vouched, httpStatus: 201 }),
  'a charset': () => ({ ...vouched, contentType: 'application/json; charset=utf-8' }),
  // A service in Go sends what its types have.
  'fields that are empty': (context) => ({
    ...vouched,
    text: reviewText(context, {
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        authenticated: true,
        user: { username: somebody.username, uid: '', groups: null, extra: null },
        error: '',
      },
    }),
  }),
  'an unknown field': (context) => ({
    ...vouched,
    text: reviewText(context, { status: { authenticated: true, user: somebody, later: {} } }),
  }),
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
  'no verdict': (context) => ({ ...vouched, text: reviewText(context, { status: { user: somebody } }) }),
  'a text for a boolean': (context) => ({
    ...vouched,
    text: reviewText(context, { status: { authenticated: 'false', user: somebody } }),
  }),
};

const unsuccessful: Replies = Object.fromEntries(
  [300, 401, 403].map((httpStatus) => [String(httpStatus), () => ({ ...vouched, httpStatus })]),
);

const others: Replies = {
  'another version': () => ({ ...vouched, apiVersion: 'authentication.k8s.io/v9' }),
  'the later version': ({ run }) => ({
    ...vouched,
    apiVersion: `authentication.${run.target.domains.authentication}/v1`,
  }),
  'another group': () => ({ ...vouched, apiVersion: 'authentication.example.org/v1beta1' }),
  'another kind': () => ({ ...vouched, kind: 'SubjectAccessReview' }),
  'no apiVersion and no kind': (context) => ({
    ...vouched,
    text: reviewText(context, { apiVersion: undefined, kind: undefined }),
  }),
};

/** Returns a setup that sends a token with that reply; a token without a reply is unknown. */
const askWith =
  (replies: Replies) =>
  async ({ variant = '' }: Subject, context: Context): Promise<Reply> => {
    const reply = replies[variant];
    settingOf(context);
    return reply === undefined
      ? await askReviewed(context, newToken(context))
      : await askAnswered(context, reply(context));
  };

/** Sends a token that differs only in its end from one that is let in, as the tokens of an issuer do that begin alike. */
async function askAlike(context: Context): Promise<Reply> {
  const known = newToken(context) + 'x'.repeat(1_000);
  const alike = otherEnd(known);
  for (const token of [known, alike]) context.client.redactor.add(token);
  await settingOf(context).backends.setReview(known, vouched);
  await askReviewed(context, known);
  return await askReviewed(context, alike);
}

/** Milliseconds that a faulty service may delay a request; servers wait half a minute, and can be slow. */
const bound = 90_000;

/** Sends a token, and gives up if the service delays the request for too long. */
async function askInTrouble(context: Context, token: string): Promise<Reply | NoAnswer> {
  return await askReviewed(context, token, bound).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });
}

/** Sends a token while the service closes its connections, and once more when it no longer does. */
async function askAgain(context: Context): Promise<Reply> {
  const token = await tokenAnswered(context, { ...vouched, instead: 'reset' });
  await askInTrouble(context, token);
  await settingOf(context).backends.setReview(token, vouched);
  return await askReviewed(context, token);
}

/** Returns the response. Throws Failure if there was none. */
function answerOf(reply: Reply | NoAnswer): Reply {
  return reply instanceof NoAnswer ? fail(`the remote service is in trouble: ${reply.message}`) : reply;
}

export const replyGroups = [
  group({
    subjects: 'reviewedUsers',
    setup: async ({ variant = '' }, context) => {
      const user: ReviewedUser = users[variant] ?? somebody;
      // The token of one user is a JSON Web Token, which may be of other mechanisms too.
      const form = variant === 'odd characters' ? foreignToken(context) : newToken(context);
      const token = await tokenAnswered(context, { authenticated: true, user }, form);
      const { username: name, groups = [], ...rest } = user;
      return await sendCredential({ credential: { token }, user: { name, groups, ...rest } }, context);
    },
    checks: {
      authenticated: ({ reply }) => accepted(reply),
      'user-name': hasName,
      'user-uid': hasUid,
      'user-groups': (seen) => hasGroups(seen),
      'user-extra': hasExtra,
    },
  }),
  group({
    subjects: 'reviewForms',
    setup: askWith(forms),
    checks: { 'response-forms': accepted },
  }),
  group({
    subjects: 'ignoredSpecs',
    setup: async ({ variant = '' }, context) => {
      const token = newToken(context);
      const spec = variant === 'the spec of the request' ? { token } : specs[variant];
      await settingOf(context).backends.setReview(token, { ...vouched, ...defined({ spec }) });
      return await askReviewed(context, token);
    },
    checks: { 'spec-ignored': accepted },
  }),
  group({
    subjects: 'deniedReviews',
    setup: (subject, context) =>
      subject.variant === 'a token like one that is let in' ? askAlike(context) : askWith(denied)(subject, context),
    checks: { 'not-authenticated': rejected },
  }),
  group({
    subjects: 'deniedStatuses',
    setup: askWith(denied),
    checks: { 'failure-status': rejected },
  }),
  group({
    subjects: 'deniedUsers',
    setup: askWith(denied),
    checks: { 'false-with-user': rejected },
  }),
  group({
    subjects: 'brokenReviews',
    setup: askWith(broken),
    checks: { 'broken-response': rejected },
  }),
  group({
    subjects: 'unsuccessfulReviews',
    setup: askWith(unsuccessful),
    checks: { 'unsuccessful-status': rejected },
  }),
  group({
    subjects: 'otherReviews',
    setup: askWith(others),
    checks: { 'other-version': rejected },
  }),
  group({
    subjects: 'redirectedReviews',
    setup: async (_, context) => {
      const token = await tokenAnswered(context, { ...vouched, redirect: true });
      return { reply: await askReviewed(context, token), calls: await callsAbout(context, token) };
    },
    checks: {
      redirect: ({ reply, calls }) => {
        rejected(reply);
        if (calls.some(({ path }) => path !== reviewPath)) fail('the token was sent to where the redirect leads');
      },
    },
  }),
  /** Runs all at once, because servers wait long before they give up and before they retry. */
  group({
    subjects: 'troubledReviews',
    setup: async (_, context) => {
      const ask = async (reply: Partial<ReviewReply>) =>
        await askInTrouble(context, await tokenAnswered(context, { ...vouched, ...reply }));
      const [silence, closeConnection, failure, failures, again] = await Promise.all([
        ask({ instead: 'silence' }),
        ask({ instead: 'reset' }),
        ask({ failures: { times: 1, httpStatus: 500 } }),
        ask({ failures: { times: 2, httpStatus: 500 } }),
        askAgain(context),
      ]);
      return { unanswered: [silence, closeConnection], failing: [failure, failures], again };
    },
    checks: {
      'time-out': ({ unanswered }) => {
        for (const reply of unanswered) notAccepted(answerOf(reply));
      },
      retried: ({ failing, again }) => {
        for (const reply of failing) accepted(answerOf(reply));
        accepted(again);
      },
    },
  }),
  group({
    subjects: 'repeatedReviews',
    setup: async ({ variant }, context) => {
      const token = await tokenAnswered(
        context,
        variant === 'a token that is let in' ? vouched : { authenticated: false },
      );
      const replies = [await askReviewed(context, token), await askReviewed(context, token)];
      return { replies, calls: await callsAbout(context, token) };
    },
    checks: {
      cached: ({ replies, calls }) => {
        const [first, second] = replies;
        equal(second?.status ?? 0, first?.status ?? 0, 'status of the second request');
        equal(calls.length, 1, 'reviews of a token that was used twice');
      },
    },
  }),
];
