// Token review: the webhook that judges bearer tokens, seen from both ends, and the API that asks for a review.
import type { Chapter } from '../types.js';

const source = ['Webhook token review/2'] as const;

export const tokenReview = {
  // The request
  request: {
    level: 'stated',
    source: [...source, 'Mechanisms/Webhook token review'],
    text: 'A bearer token makes the server POST a review to the remote service.',
    subjects: 'webhookRequests',
  },
  'request-api-version': {
    level: 'stated',
    source: ['Webhook token review/request apiVersion', 'Versioning/1'],
    text: 'The review of the request has the apiVersion authentication.<domain>/v1beta1.',
    subjects: 'webhookRequests',
  },
  'request-kind': {
    level: 'stated',
    source: ['Webhook token review/request kind'],
    text: 'The review of the request has the kind TokenReview.',
    subjects: 'webhookRequests',
  },
  'request-token': {
    level: 'stated',
    source: ['Webhook token review/request spec.token'],
    text: 'The spec.token of the request is the bearer token, unchanged.',
    subjects: 'webhookRequests',
  },
  'not-challenged': {
    level: 'stated',
    source: ['Mechanisms/Webhook token review'],
    text: 'A request without a bearer header makes the server ask nothing.',
    subjects: 'requestsWithoutToken',
  },
  'configured-service': {
    level: 'stated',
    source: ['Webhook token review/1'],
    text: 'The server asks the service that the current context of its configuration names.',
    subjects: 'webhookRequests',
  },
  'client-certificate': {
    level: 'stated',
    source: ['Webhook token review/1'],
    text: 'The server shows the remote service the client certificate of its configuration.',
    subjects: 'webhookRequests',
  },
  'service-verified': {
    level: 'stated',
    source: ['Webhook token review/1'],
    text: 'A remote service whose certificate the configured authority did not sign lets nobody in, and sees no token.',
    subjects: 'foreignReviewer',
  },
  'https-only': {
    level: 'convention',
    source: ['Webhook token review/1'],
    text: 'A configuration whose server is not an https URL stops the start of the server.',
    subjects: 'wrongConfigurations',
  },
  'context-required': {
    level: 'convention',
    source: ['Webhook token review/1'],
    text: 'A configuration without a current context stops the start of the server.',
    subjects: 'wrongConfigurations',
  },
  'group-enabled': {
    level: 'stated',
    source: ['Webhook token review/3', 'Versioning/3'],
    text: 'The webhook works with the authentication group enabled at v1beta1.',
    subjects: 'enabledGroup',
  },
  // The response
  authenticated: {
    level: 'stated',
    source: ['Webhook token review/response status.authenticated', 'Webhook token review/response apiVersion, kind'],
    text: "A response of the request's apiVersion and kind with authenticated true lets the request in.",
    subjects: 'reviewedUsers',
  },
  'user-name': {
    level: 'stated',
    source: ['Webhook token review/response status.user.username'],
    text: 'The user has the username of the response.',
    subjects: 'reviewedUsers',
  },
  'user-uid': {
    level: 'stated',
    source: ['Webhook token review/response status.user.uid'],
    text: 'The user has the uid of the response.',
    subjects: 'reviewedUsers',
  },
  'user-groups': {
    level: 'stated',
    source: ['Webhook token review/response status.user.groups'],
    text: 'The user is in the groups of the response.',
    subjects: 'reviewedUsers',
  },
  'user-extra': {
    level: 'stated',
    source: ['Webhook token review/response status.user.extra'],
    text: 'The user has the extra attributes of the response, each with all its values.',
    subjects: 'reviewedUsers',
  },
  'spec-ignored': {
    level: 'stated',
    source: ['Webhook token review/response spec'],
    text: 'A response without spec, or with any spec, is judged by its status alone.',
    subjects: 'ignoredSpecs',
  },
  'not-authenticated': {
    level: 'stated',
    source: ['Webhook token review/failure', 'Webhook token review/response status.authenticated', 'Errors/2'],
    text: 'A response with authenticated false and no user refuses the request.',
    subjects: 'deniedReviews',
  },
  'failure-status': {
    level: 'stated',
    source: ['Webhook token review/failure'],
    text: 'A response with authenticated false refuses the request, with an HTTP status 200 and with 401.',
    subjects: 'deniedStatuses',
  },
  'false-with-user': {
    level: 'convention',
    source: ['Webhook token review/failure'],
    text: 'A response with authenticated false refuses the request even when it names a user.',
    subjects: 'deniedUsers',
  },
  'broken-response': {
    level: 'convention',
    source: ['Webhook token review/failure'],
    text: 'A response that cannot be read refuses the request.',
    subjects: 'brokenReviews',
  },
  'other-version': {
    level: 'convention',
    source: ['Webhook token review/response apiVersion, kind', 'Versioning/2'],
    text: 'A response of another apiVersion refuses the request.',
    subjects: 'otherReviews',
  },
  redirect: {
    level: 'convention',
    source: ['Webhook token review/failure'],
    text: 'A response that redirects refuses the request, and the token goes nowhere else.',
    subjects: 'redirectedReviews',
  },
  'time-out': {
    level: 'convention',
    source: ['Webhook token review/failure', 'Limits/4'],
    text: 'A remote service that does not answer refuses the request in bounded time.',
    subjects: 'troubledReviews',
  },
  retried: {
    level: 'convention',
    source: ['Webhook token review/failure'],
    text: 'A response of 500 is asked for again, and a good one after it lets the request in.',
    subjects: 'troubledReviews',
  },
  cached: {
    level: 'convention',
    source: ['Limits/4'],
    text: 'A second request with the same token soon after is judged without a second review.',
    subjects: 'repeatedReviews',
  },
  // The API
  'review-valid': {
    level: 'convention',
    source: ['Versioning/1', 'Conventions/6'],
    text: 'A TokenReview of a valid token answers authenticated true with its user.',
    subjects: 'validTokens',
  },
  'review-invalid': {
    level: 'convention',
    source: ['Versioning/1', 'Conventions/6'],
    text: 'A TokenReview of an invalid token answers authenticated false with no user.',
    subjects: 'invalidTokens',
  },
  'review-empty': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A TokenReview without a token is a client error.',
    subjects: 'emptyTokens',
  },
  'review-created-only': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A TokenReview can be posted, and not listed or read.',
    subjects: 'reviewReads',
  },
  'self-review': {
    level: 'convention',
    source: ['General rules/4'],
    text: 'A SelfSubjectReview answers the user that the request was let in as.',
    subjects: 'selfReviews',
  },
} as const satisfies Chapter;
