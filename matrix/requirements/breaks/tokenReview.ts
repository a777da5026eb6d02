// The consequences for clients if a requirement of the chapter tokenReview is violated.
import type { Breaks } from './types.js';

export const tokenReview = [
  [['request', 'group-enabled'], 'No user of the token service can log in.'],
  [
    ['request-api-version', 'request-kind', 'request-token'],
    'The remote service cannot decode the review and refuses every token.',
  ],
  [['not-challenged'], 'The remote service is flooded with reviews of requests that have no token.'],
  [['configured-service', 'client-certificate'], 'Reviews go to the wrong service, or the service refuses the server.'],
  [['service-verified', 'https-only'], 'Tokens of users are sent to any server that answers on the network.'],
  [['context-required', 'files-required'], 'A wrong configuration goes unnoticed until no user can log in.'],
  [['authenticated'], 'Users whose token the service confirms cannot log in.'],
  [
    ['user-name', 'user-uid', 'user-groups', 'user-extra'],
    'Authorization rules see another user than the service has confirmed.',
  ],
  [['spec-ignored'], 'A remote service that leaves `spec` out, as it may, locks all users out.'],
  [
    ['not-authenticated', 'failure-status', 'false-with-user', 'broken-response', 'other-version'],
    'A client whose token the service has not confirmed is accepted.',
  ],
  [['redirect'], 'The token of a user is sent to another host.'],
  [['time-out'], 'A remote service that hangs makes every request hang.'],
  [['retried'], 'One short failure of the remote service logs users out.'],
  [['cached'], 'Every request of a client costs a review, and the remote service becomes the bottleneck.'],
  [
    ['review-valid', 'review-invalid'],
    'A service in the cluster accepts wrong tokens of its callers, or refuses good ones.',
  ],
  [['review-empty'], 'A service that lost the token by a bug gets an answer all the same.'],
  [['review-created-only'], 'A client could list the tokens that others have asked about.'],
  [['self-review'], '`kubectl auth whoami` does not show who the user is.'],
] as const satisfies Breaks;
