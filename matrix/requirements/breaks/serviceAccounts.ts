// The consequences for clients if a requirement of the chapter serviceAccounts is violated.
import type { Breaks } from './types.js';

export const serviceAccounts = [
  [['manual'], 'A team cannot give its application an account of its own.'],
  [['automatic', 'automatic-name'], 'Pods in a new namespace cannot be created, because they have no service account.'],
  [
    ['secret', 'secret-listed', 'secret-type'],
    'A program outside the cluster finds no credentials for its service account.',
  ],
  [['secret-ca'], 'A client in a Pod cannot verify the server, and either fails or skips the verification.'],
  [
    ['secret-token', 'token', 'token-outside', 'token-of-another'],
    'A controller with a service-account token cannot call the server.',
  ],
  [['secret-namespace'], 'A program in a Pod does not know its own namespace and works in `default`.'],
  [['secret-by-hand'], 'An administrator cannot make a second token for an account.'],
  [['secret-unknown-account'], 'A Secret stays without a token, and its user waits for it.'],
  [['token-user', 'token-groups'], 'Roles that are bound to the service account or its groups have no effect.'],
  [['token-forged', 'token-unsigned'], 'Any client can write a token and act as any service account.'],
  [
    ['token-secret-gone', 'token-account-gone', 'token-namespace-gone', 'token-not-revived'],
    'A token that was revoked keeps working.',
  ],
  [['pod-account', 'pod-account-named'], 'The processes of a Pod run without an identity, or with another one.'],
  [['pod-account-unknown'], 'A Pod without a valid account starts and fails at its first request.'],
  [['pod-account-alias'], 'Older clients read and write another account than newer ones.'],
  [
    ['pod-mount', 'pod-mount-path', 'pod-token'],
    'Client libraries find no credentials in the Pod, and no controller in the cluster works.',
  ],
  [['pod-mount-own'], 'A Pod that brings its own credentials gets others instead.'],
] as const satisfies Breaks;
