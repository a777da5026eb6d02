// The subject sets of token review: tokens that a server sends to the webhook, the webhook's replies, the review API.
import { type Mechanism, mechanisms, operations } from '../api/index.js';
import { alone, perOperation, perVariant, type Subject, serverVariants } from './build.js';

/** Returns subjects that need the webhook. */
const ofWebhook = (...variants: readonly string[]) =>
  serverVariants(variants).map((subject) => ({ ...subject, mechanism: 'webhookTokenReview' as const }));

const creates = operations.filter(({ verb }) => verb === 'create');
const tokenReviews = creates.filter(({ resource }) => resource?.kind === 'TokenReview');
const selfReviews = creates.filter(({ resource }) => resource?.kind === 'SelfSubjectReview');
const names = Object.keys(mechanisms) as Mechanism[];
const bearers = names.filter((name) => mechanisms[name].carrier === 'bearer');

/** Returns a subject for each operation and mechanism. */
const shownTo = (to: typeof creates, of: readonly Mechanism[]) =>
  perOperation(to).flatMap((subject) =>
    of.map((mechanism) => ({ ...subject, id: `${subject.id}, ${mechanism}`, mechanism })),
  );

export const tokenReviewSets = {
  webhookRequests: ofWebhook('a plain token', 'a token of odd characters', 'a long token', 'a token of three parts'),
  requestsWithoutToken: ofWebhook('a user and a password', 'a client certificate', 'no credentials'),
  foreignReviewer: ofWebhook('a reviewer of another authority').map(alone),
  enabledGroup: ofWebhook('the authentication group').map((subject) => ({
    ...subject,
    within: 'resource:authentication.k8s.io/tokenreviews' as const,
  })),
  unlinkedConfigurations: ofWebhook(
    'no current context',
    'a current context that is not there',
    'a context without a cluster',
    'a context of an absent cluster',
    'a context of an absent user',
  ),
  incompleteConfigurations: ofWebhook('an absent authority', 'an absent client certificate'),
  plainConfigurations: ofWebhook('a service over plain HTTP'),
  reviewedUsers: ofWebhook('all that a user can have', 'a name alone', 'odd characters'),
  reviewForms: ofWebhook('the status 201', 'a charset', 'fields that are empty', 'an unknown field'),
  ignoredSpecs: ofWebhook(
    'no spec',
    'the spec of the request',
    'the spec of another token',
    'a spec of unknown fields',
    'a spec of other types',
  ),
  deniedReviews: ofWebhook('a token that nobody knows', 'a token that is refused', 'a token like one that is let in'),
  deniedStatuses: ofWebhook('200', '401'),
  deniedUsers: ofWebhook('a user', 'a user, and 401'),
  brokenReviews: ofWebhook(
    'half of an object',
    'a text',
    'nothing',
    'a list',
    'no status',
    'no verdict',
    'a text for a boolean',
  ),
  unsuccessfulReviews: ofWebhook('300', '401', '403'),
  otherReviews: ofWebhook(
    'another version',
    'the later version',
    'another group',
    'another kind',
    'no apiVersion and no kind',
  ),
  redirectedReviews: ofWebhook('a redirect'),
  troubledReviews: ofWebhook('a reviewer in trouble'),
  repeatedReviews: ofWebhook('a token that is let in', 'a token that is refused'),
  validTokens: shownTo(tokenReviews, bearers),
  invalidTokens: perVariant(tokenReviews, [
    'a random token',
    'a token of three parts',
    'a long token',
    'a token of a deleted account',
  ]),
  emptyTokens: perVariant(tokenReviews, ['no token', 'an empty token']),
  reviewReads: perVariant(tokenReviews, ['list', 'read']),
  selfReviews: shownTo(selfReviews, names),
} as const satisfies Record<string, readonly Subject[]>;
