// Servers that break the chapter of token review: they ask otherwise, or make something else of the reply.

import type { ReceivedCall } from '../../stand-ins/secureServer.js';
import { at, isObject, type JsonObject } from '../../support/json.js';
import { showing } from './mending.js';
import { type Fault, failure, type Passing, type Returning, reply, without } from './parts.js';
import { open, selfAs } from './serviceAccounts.js';

/** Breaks one requirement. */
const only = (requirement: string, name: string, broken: Partial<Fault>, subject = ''): Fault => ({
  name,
  grep: `tokenReview.${requirement} › ${subject}`,
  fails: [`tokenReview.${requirement}`],
  ...broken,
});

/** What the remote service sees of each request. */
const plain = 'server, a plain token';
const asked = (requirement: string, name: string, change: (call: ReceivedCall) => Partial<ReceivedCall>): Fault =>
  only(requirement, name, { seen: (call) => [{ ...call, ...change(call) }] }, plain);

const inBody =
  (change: (body: JsonObject) => JsonObject) =>
  ({ body }: ReceivedCall): Partial<ReceivedCall> => ({ body: change(isObject(body) ? body : {}) });

const isProbe = ({ method, path }: Passing): boolean => method === 'GET' && path === '/api/v1';

/** Lets nobody in. */
const closed: NonNullable<Fault['reply']> = (returning, passing) =>
  isProbe(passing) ? failure(401, 'Unauthorized') : returning;

/** Lets in whom it should not, and nobody else. */
const turned: NonNullable<Fault['reply']> = (returning, passing): Returning =>
  returning.status === 401 ? { ...returning, status: 200 } : closed(returning, passing);

/** Changes the status of the reviews that it answers. */
const reviewing = (change: (status: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  showing('TokenReview', (review) => ({ ...review, status: change(isObject(review.status) ? review.status : {}) }));

const isReview = ({ path }: Passing): boolean => path.includes('/tokenreviews');

export const tokenReviewFaults: readonly Fault[] = [
  // What it asks
  {
    name: 'asks nobody',
    grep: plain,
    fails: [
      ...['request', 'request-api-version', 'request-kind', 'request-token', 'configured-service'],
      'client-certificate',
    ].map((requirement) => `tokenReview.${requirement}`),
    seen: () => [],
  },
  asked('request', 'puts reviews', () => ({ method: 'PUT' })),
  asked(
    'request-api-version',
    'asks in another version',
    inBody((body) => ({ ...body, apiVersion: 'authentication.k8s.io/v1' })),
  ),
  asked(
    'request-kind',
    'asks for something else',
    inBody((body) => ({ ...body, kind: 'SubjectAccessReview' })),
  ),
  asked(
    'request-token',
    'asks about a part of the token',
    inBody((body) => ({ ...body, spec: { token: String(at(body, 'spec', 'token')).slice(1) } })),
  ),
  asked('configured-service', 'asks at another place', () => ({ path: '/' })),
  asked('client-certificate', 'does not say who asks', () => ({ clientCertificate: 'somebody' })),
  only(
    'not-challenged',
    'asks about every request',
    { seen: (call) => [call, { ...call, ...inBody((body) => ({ ...body, spec: {} }))(call) }] },
    'server, no credentials',
  ),
  only('service-verified', 'trusts any remote service', { reply: open }),
  only('group-enabled', 'asks without knowing the group', {
    request: (passing) => (passing.path === '/apis/authentication.k8s.io' ? failure(404, 'NotFound') : passing),
  }),
  only('context-required', 'starts with a webhook of no context', { starts: true }, 'server, no current'),
  only('files-required', 'starts without a file of its webhook', { starts: true }, 'server, an absent authority'),
  only('https-only', 'starts with a webhook over plain HTTP', { starts: true }),
  // What it makes of the reply
  only('authenticated', 'lets nobody in whom others know', { reply: closed }, 'server, a name alone'),
  only(
    'user-name',
    'shortens names',
    { reply: selfAs((user) => ({ ...user, username: 'webhook' })) },
    'server, a name',
  ),
  only('user-uid', 'has no uids', { reply: selfAs((user) => without(user, 'uid')) }, 'server, all'),
  only('user-groups', 'has no groups', { reply: selfAs((user) => without(user, 'groups')) }, 'server, all'),
  only(
    'user-extra',
    'keeps one value of each extra attribute',
    {
      reply: selfAs((user) => {
        const extra = Object.entries(isObject(user.extra) ? user.extra : {});
        return { ...user, extra: Object.fromEntries(extra.map(([key, list]) => [key, [at(list, 0) ?? '']])) };
      }),
    },
    'server, all',
  ),
  only('spec-ignored', 'looks at the spec of a reply', { reply: closed }),
  ...['not-authenticated', 'failure-status', 'false-with-user', 'broken-response', 'other-version', 'redirect'].map(
    (requirement) => only(requirement, `lets everybody in, whatever the reply is (${requirement})`, { reply: open }),
  ),
  only('redirect', 'tells the token to whoever a redirect names', {
    seen: (call) => [call, { ...call, path: '/elsewhere' }],
  }),
  {
    name: 'lets in while the remote service is silent, and nobody whom it knows in the end',
    grep: 'server, a reviewer in trouble',
    fails: ['tokenReview.time-out', 'tokenReview.retried'],
    reply: turned,
  },
  only('cached', 'asks every time', { seen: (call) => [call, call] }),
  // What it answers itself
  only('review-valid', 'knows no token', { reply: reviewing(() => ({ authenticated: false })) }),
  only('review-invalid', 'knows every token', { reply: reviewing(() => ({ authenticated: true })) }),
  only('review-empty', 'reviews nothing', {
    request: (passing) => (isReview(passing) ? reply(200, { kind: 'TokenReview' }) : passing),
  }),
  only('review-created-only', 'keeps reviews', {
    request: (passing) =>
      isReview(passing) && passing.method === 'GET' ? reply(200, { kind: 'TokenReviewList' }) : passing,
  }),
  only('self-review', 'takes everybody for the same', { reply: selfAs((user) => ({ ...user, username: 'you' })) }),
];
