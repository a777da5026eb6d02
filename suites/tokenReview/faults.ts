// Servers that break token review: they send wrong requests to the remote service, or use its reply wrongly.

import { isObject, type Json } from '../client/json.js';
import { webhookUsers } from '../fixtures/users.js';
import type { ReceivedCall } from '../stand-ins/secureServer.js';
import { authorizationOf, open, refuseUser, self, withClaim } from '../testing/faults/wire/credentials.js';
import { type Broken, fault, faultsOf, notConformant, type WireReply } from '../testing/faults/wire/fault.js';
import { all, change, drop, type Edit, keepFirst, replacing, set, text, where } from '../testing/faults/wire/objects.js';
import { anyStatus, replace, shown } from '../testing/faults/wire/replies.js';
import { every, failure, ok, refuse, swallow } from '../testing/faults/wire/requests.js';

/** Changes each call to the remote service. */
const calls = (edit: (call: ReceivedCall) => Partial<ReceivedCall>): Broken => ({
  calls: (call) => [{ ...call, ...edit(call) }],
});
/** Edits the body of each call to the remote service. */
const asked = (edit: Edit): Broken => calls(({ body }) => ({ body: edit(isObject(body) ? body : {}) }));
/** Calls the remote service once more, in another way. */
const callsTwice = (again: Partial<ReceivedCall>): Broken => ({ calls: (call) => [call, { ...call, ...again }] });

const lowerKeys = (map: Json | undefined): Json | undefined =>
  isObject(map) ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key.toLowerCase(), value])) : map;

/** Accepts each token that begins as one did that was accepted. */
function knowsBeginnings(): Broken {
  const known = new Set<string>();
  return replace(every, anyStatus, (reply, request) => {
    const beginning = authorizationOf(request).slice(0, 100);
    if (reply.status < 300) known.add(beginning);
    return reply.status === 401 && known.has(beginning) ? ok() : reply;
  });
}

/** Refuses each token again that was refused once. */
function remembersRefusals(): Broken {
  const known = new Set<string>();
  return replace(every, anyStatus, (reply, request) => {
    const asked = authorizationOf(request);
    if (reply.status === 401) known.add(asked);
    return known.has(asked) ? failure(401) : reply;
  });
}

/** Answers each review again as it answered it once. */
function remembersReviews(): Broken {
  const known = new Map<string, WireReply>();
  return replace(/\/tokenreviews/, anyStatus, (reply, { body }) => {
    known.set(body, known.get(body) ?? reply);
    return known.get(body) ?? reply;
  });
}

/** Refuses all users. */
const closed = replace(/^GET \/api\/v1$/, anyStatus, 401);
/** Gives each user of the name of `webhookUsers.plain` what that one has. */
const asPlain = where(
  'status.userInfo.username',
  webhookUsers.plain.username,
  all(
    set('status.userInfo.uid', webhookUsers.plain.uid),
    set('status.userInfo.groups', [...webhookUsers.plain.groups, 'system:authenticated']),
    set('status.userInfo.extra', { 'example.org/One': ['1'] }),
  ),
);

/** Accepts the users that it should refuse, and refuses all others. */
const reversed: Broken = {
  reply: (reply, request) => (reply.status === 401 ? { ...reply, status: 200 } : (closed.reply?.(reply, request) ?? reply)),
};

export const faults = faultsOf('tokenReview', [
  // The request to the remote service
  fault(
    'asks nobody',
    `request request-api-version request-kind request-token request-media-type configured-service client-certificate in a plain token`,
    [{ calls: () => [] }],
  ),
  fault('puts reviews', 'request › server, a plain token', [calls(() => ({ method: 'PUT' }))]),
  fault('asks in another version', 'request-api-version › server, a plain token', [asked(set('apiVersion', 'authentication.k8s.io/v1'))]),
  fault('asks for something else', 'request-kind › server, a plain token', [asked(set('kind', 'SubjectAccessReview'))]),
  fault('does not say that a review is JSON', 'request-media-type › server, a plain token', [calls(() => ({ headers: {} }))]),
  fault('asks about a part of the token', 'request-token › server, a plain token', [asked(text('spec.token', replacing(/^./, '')))]),
  fault('asks at another place', 'configured-service › server, a plain token', [calls(() => ({ path: '/' }))]),
  fault('does not say who asks', 'client-certificate › server, a plain token', [calls(() => ({ clientCertificate: 'somebody' }))]),
  fault('asks about every request', 'not-challenged › server, no credentials', [callsTwice({ body: { spec: {} } })]),
  fault('trusts any remote service', 'service-verified', [open]),
  fault('asks without knowing the group', 'group-enabled', [refuse(/ \/apis\/authentication\.k8s\.io$/, 404)]),
  fault('starts with a webhook of no context', 'context-required › server, no current', [{ starts: true }]),
  fault('starts without a file of its webhook', 'files-required › server, an absent authority', [{ starts: true }]),
  fault('starts with a webhook over plain HTTP', 'https-only', [{ starts: true }]),
  // The user that it reads from the reply
  fault('lets nobody in whom others know', 'authenticated › server, a name alone', [closed]),
  ...['the status 201', 'a charset', 'fields that are empty', 'an unknown field'].map((form) =>
    fault(`does not read a reply with ${form}`, `response-forms in server, ${form}`, [closed]),
  ),
  fault(
    'asks no webhook about a JSON Web Token of another issuer',
    'authenticated user-extra user-groups user-name user-uid in server, odd characters',
    [refuseUser(withClaim(1, /issuer\.example/))],
  ),
  fault('remembers that it got no review', 'retried in a reviewer in trouble', [remembersRefusals()]),
  fault('shortens names', 'user-name › server, a name', [self(set('status.userInfo.username', 'webhook'))]),
  fault('has no uids', 'user-uid › server, all', [self(drop('status.userInfo.uid'))]),
  fault('has no groups', 'user-groups › server, all', [self(drop('status.userInfo.groups'))]),
  fault('has two groups of three', 'user-groups › server, all', [
    self(change('status.userInfo.groups.*', (group) => (group === 'webhook-group-3' ? undefined : group))),
  ]),
  fault('folds the case of extra attributes', 'user-extra › server, all', [self(change('status.userInfo.extra', lowerKeys))]),
  fault('keeps one value of each extra attribute', 'user-extra › server, all', [self(keepFirst('status.userInfo.extra.*'))]),
  fault('looks at the spec of a reply', 'spec-ignored', [closed]),
  ...['not-authenticated', 'failure-status', 'false-with-user', 'broken-response', 'unsuccessful-status', 'other-version', 'redirect'].map(
    (requirement) => fault(`lets everybody in, whatever the reply is (${requirement})`, requirement, [open]),
  ),
  fault('reads a reply of a later version', 'other-version › server, the later version', [open]),
  fault('takes a reply without a status for a good one', 'broken-response › server, no status', [notConformant, open]),
  fault('takes a reply that does not say no for a yes', 'broken-response › server, no verdict', [notConformant, open]),
  fault('takes a text for true', 'broken-response › server, a text for', [notConformant, open]),
  fault('knows a token by its beginning', 'not-authenticated › server, a token like', [knowsBeginnings()]),
  fault('gives users the extra attributes of others', 'user-extra › server, a name', [
    self(set('status.userInfo.extra', { 'example.org/scopes': ['read'] })),
  ]),
  fault('knows the groups of a user by the name', 'user-groups user-uid user-extra in server, a name', [self(asPlain)]),
  fault('sends the token where a redirect points', 'redirect', [callsTwice({ path: '/elsewhere' })]),
  fault('lets in while the remote service is silent, and nobody whom it knows in the end', 'time-out retried in a reviewer in trouble', [
    reversed,
  ]),
  fault('asks every time', 'cached', [callsTwice({})]),
  // Reviews that the server answers itself
  fault('knows no token', 'review-valid', [shown('TokenReview', set('status', { authenticated: false }))]),
  ...['review-valid', 'review-invalid'].map((requirement) =>
    fault(`answers a review in another version (${requirement})`, requirement, [
      shown('TokenReview', set('apiVersion', 'authentication.k8s.io/v9')),
    ]),
  ),
  fault('answers the review of oneself as another kind', 'self-review', [shown('SelfSubjectReview', set('kind', 'TokenReview'))]),
  fault('reviews tokens without the extra attributes of a user', 'review-valid in tokenreviews, webhookTokenReview', [
    shown('TokenReview', drop('status.user.extra')),
  ]),
  fault('knows every token', 'review-invalid', [shown('TokenReview', set('status', { authenticated: true }))]),
  fault('knows a token for good that it has reviewed once', 'review-invalid in a token of a deleted account', [remembersReviews()]),
  fault('reviews nothing', 'review-empty', [swallow(/\/tokenreviews/, { kind: 'TokenReview' })]),
  fault('keeps reviews', 'review-created-only', [swallow(/^GET .*\/tokenreviews/, { kind: 'TokenReviewList' })]),
  fault('returns the same user for everyone', 'self-review', [self(set('status.userInfo.username', 'you'))]),
]);
