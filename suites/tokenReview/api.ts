// The review API of a target: the user of a token, and the user of the request itself.

import { defined, type Mechanism } from '../../matrix/api/index.js';
import { clientError, equal, fail, holds, oneOf, success } from '../client/expect.js';
import { at, brief, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { eventually } from '../objects/eventually.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { mustBeOffered, ordinaryVariants, settingOf } from '../run/credentialChecks.js';
import { credentials } from '../run/credentials/index.js';
import type { GoodCredential, KnownUser, Source } from '../run/credentials/source.js';
import { group } from '../run/group.js';
import { accounts, accountTokenOf, makeAccount } from '../serviceAccounts/accounts.js';
import { remove } from '../watch/removal.js';
import { newToken } from './reviewer.js';

async function goodOne(context: Context, mechanism: Mechanism = 'serviceAccountToken'): Promise<GoodCredential> {
  if (mechanism === 'serviceAccountToken') return await credentials.serviceAccountToken.good.account(context);
  const make = (credentials[mechanism] as Source).good[ordinaryVariants[mechanism]];
  if (make === undefined) throw new Error(`no good credential of ${mechanism}`);
  return await make(settingOf(context));
}

/** Posts a review of the operation's kind. */
function post(
  { client }: Context,
  { operation }: OperationSubject,
  fields: JsonObject,
  as?: GoodCredential,
): Promise<Reply> {
  const { groupVersion, resource, path } = operation;
  const apiVersion = `${groupVersion.group}/${groupVersion.version}`;
  return client.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion, kind: resource?.kind, ...fields }),
    ...(as === undefined ? {} : { as: as.credential }),
  });
}

const invalid: Readonly<Record<string, (context: Context) => string>> = {
  'a random token': newToken,
  'a token of three parts': (context) => `${newToken(context)}.${newToken(context)}.${newToken(context)}`,
  'a long token': (context) => newToken(context).repeat(200),
};

/** Milliseconds until a token must be refused: servers cache tokens, usually for ten seconds. */
const endTimeout = 30_000;

/** Reviews the token of a service account, deletes the account, and reviews the token until it is refused. */
async function reviewEnded(subject: OperationSubject, context: Context): Promise<Reply> {
  mustBeOffered(context, 'serviceAccountToken');
  const { sandbox, run } = context;
  const account = await makeAccount(context, await sandbox.namespace());
  const token = await accountTokenOf(context, account);
  const review = () => post(context, subject, { spec: { token } });
  await review();
  await remove(sandbox, { ...account, resource: accounts });
  const isRefused = (reply: Reply) => at(reply.tryValue(), 'status', 'authenticated') !== true;
  return await eventually(review, isRefused, run.timeout ?? endTimeout);
}

/** Throws Failure unless the review succeeded, and its answer is of the kind and version of the request. */
function answered(reply: Reply, { operation: { groupVersion, resource } }: OperationSubject): void {
  success(reply);
  const expected = { apiVersion: `${groupVersion.group}/${groupVersion.version}`, kind: resource?.kind ?? '' };
  holds(reply.value(), expected, `${reply.request}: the answer`);
}

/** Throws Failure unless the user in a response is the known one. */
function isUser(shown: unknown, { name, uid, groups, extra }: KnownUser): void {
  holds(shown, { username: name, ...defined({ uid, extra }) } as JsonObject, 'the user of the answer');
  const found = at(shown, 'groups');
  for (const group of groups) {
    if (!Array.isArray(found) || !found.includes(group))
      fail(`groups of the answer: ${brief(found)} has no ${brief(group)}`);
  }
}

export const apiGroups = [
  group({
    subjects: 'validTokens',
    setup: async (subject, context) => {
      const good = await goodOne(context, subject.mechanism);
      const { token = '' } = good.credential;
      return { user: good.user, reply: await post(context, subject, { spec: { token } }) };
    },
    checks: {
      'review-valid': ({ user, reply }, subject) => {
        answered(reply, subject);
        const status = at(reply.value(), 'status');
        equal(at(status, 'authenticated') === true, true, 'status.authenticated');
        isUser(at(status, 'user'), user);
      },
    },
  }),
  group({
    subjects: 'invalidTokens',
    setup: async (subject, context) => {
      if (subject.variant === 'a token of a deleted account') return await reviewEnded(subject, context);
      const token = invalid[subject.variant ?? '']?.(context) ?? newToken(context);
      return await post(context, subject, { spec: { token } });
    },
    checks: {
      'review-invalid': (reply, subject) => {
        answered(reply, subject);
        const status = at(reply.value(), 'status');
        oneOf(at(status, 'authenticated'), [false, undefined], 'status.authenticated');
        oneOf(at(status, 'user', 'username'), ['', undefined], 'status.user.username');
      },
    },
  }),
  group({
    subjects: 'emptyTokens',
    setup: (subject, context) => post(context, subject, { spec: subject.variant === 'no token' ? {} : { token: '' } }),
    checks: { 'review-empty': clientError },
  }),
  group({
    subjects: 'reviewReads',
    setup: ({ operation, variant }, { client }) =>
      client.send({ method: 'GET', path: variant === 'list' ? operation.path : `${operation.path}/some-review` }),
    checks: {
      'review-created-only': (reply) => {
        if (reply.status !== 404 && reply.status !== 405)
          fail(`${reply.request}: expected 404 or 405, got ${reply.status}`);
      },
    },
  }),
  group({
    subjects: 'selfReviews',
    setup: async (subject, context) => {
      const good = await goodOne(context, subject.mechanism);
      return { user: good.user, reply: await post(context, subject, {}, good) };
    },
    checks: {
      'self-review': ({ user, reply }, subject) => {
        answered(reply, subject);
        isUser(at(reply.value(), 'status', 'userInfo'), user);
      },
    },
  }),
];
