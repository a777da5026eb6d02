// The review API of a target: the user of a token, and the user of the request itself.

import { defined, type Mechanism } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, holds, oneOf, success } from '../support/http/expect.js';
import { at, brief, type JsonObject } from '../support/http/json.js';
import type { Reply } from '../support/http/reply.js';
import { ordinary, settingOf } from '../support/run/credentialChecks.js';
import { credentials } from '../support/run/credentials/index.js';
import type { GoodCredential, Source } from '../support/run/credentials/source.js';
import type { Context } from '../support/run/worker.js';
import { newToken } from './reviewer.js';

/** Returns a credential of the mechanism, and its user. */
async function goodOne(context: Context, mechanism: Mechanism = 'serviceAccountToken'): Promise<GoodCredential> {
  if (mechanism === 'serviceAccountToken') return await credentials.serviceAccountToken.good.account(context);
  const make = (credentials[mechanism] as Source).good[ordinary[mechanism]];
  if (make === undefined) throw new Error(`no good credential of ${mechanism}`);
  return await make(settingOf(context));
}

type ReviewSubject = OperationSubject & { readonly mechanism?: Mechanism };

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

export const apiSetups = {
  validTokens: async (subject: ReviewSubject, context: Context) => {
    const good = await goodOne(context, subject.mechanism);
    const { token = '' } = good.credential;
    return { user: good.user, reply: await post(context, subject, { spec: { token } }) };
  },
  invalidTokens: async (subject: ReviewSubject, context: Context) => {
    const token = invalid[subject.variant ?? '']?.(context) ?? newToken(context);
    return await post(context, subject, { spec: { token } });
  },
  emptyTokens: (subject: ReviewSubject, context: Context) =>
    post(context, subject, { spec: subject.variant === 'no token' ? {} : { token: '' } }),
  reviewReads: ({ operation, variant }: ReviewSubject, { client }: Context) =>
    client.send({ method: 'GET', path: variant === 'list' ? operation.path : `${operation.path}/some-review` }),
  selfReviews: async (subject: ReviewSubject, context: Context) => {
    const good = await goodOne(context, subject.mechanism);
    return { user: good.user, reply: await post(context, subject, {}, good) };
  },
};

type ValidTokens = Awaited<ReturnType<typeof apiSetups.validTokens>>;

/** Throws Failure unless the user in a response is the known one. */
function isUser(shown: unknown, { name, uid, groups }: ValidTokens['user']): void {
  holds(shown, { username: name, ...defined({ uid }) }, 'the user of the answer');
  const found = at(shown, 'groups');
  for (const group of groups) {
    if (!Array.isArray(found) || !found.includes(group))
      fail(`groups of the answer: ${brief(found)} has no ${brief(group)}`);
  }
}

export const apiChecks = {
  'review-valid': ({ user, reply }: ValidTokens) => {
    success(reply);
    const status = at(reply.value(), 'status');
    equal(at(status, 'authenticated') === true, true, 'status.authenticated');
    isUser(at(status, 'user'), user);
  },
  'review-invalid': (reply: Reply) => {
    success(reply);
    const status = at(reply.value(), 'status');
    oneOf(at(status, 'authenticated'), [false, undefined], 'status.authenticated');
    oneOf(at(status, 'user', 'username'), ['', undefined], 'status.user.username');
  },
  'review-empty': clientError,
  'review-created-only': (reply: Reply) => {
    if (reply.status !== 404 && reply.status !== 405)
      fail(`${reply.request}: expected 404 or 405, got ${reply.status}`);
  },
  'self-review': ({ user, reply }: ValidTokens) => {
    success(reply);
    isUser(at(reply.value(), 'status', 'userInfo'), user);
  },
};
