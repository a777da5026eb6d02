// The consequences for clients if a requirement of the chapter authentication is violated.
import type { Breaks } from './types.js';

export const authentication = [
  [
    ['every-operation', 'several-enabled', 'token', 'password', 'openid', 'identity-service'],
    'A user with a valid credential cannot work with this server.',
  ],
  [['one-succeeds', 'either-user'], 'A client behind a proxy that adds its own credential is locked out.'],
  [['opaque-attributes'], 'Authorization rules do not match, because the name in them is not the name that arrives.'],
  [['refused'], 'A client with a wrong credential can read and change the cluster.'],
  [['refused-without-effect'], 'A request that is reported as refused has changed the cluster.'],
  [
    ['refused-401', 'refused-before-path', 'empty-value', 'other-scheme'],
    'A client does not learn that its credential is the problem, and never renews it.',
  ],
  [['authenticated-group'], 'Rules for every authenticated user do not hold, and users cannot even discover the API.'],
  [['scheme-case'], 'A client library that writes `bearer` is locked out.'],
  [['control-characters', 'oversized'], 'One header stops the server or is written into its log as it is.'],
  [['two-headers'], 'A second header, smuggled past a proxy, decides who the user is.'],
  [['no-leak'], 'A token appears in error messages and from there in logs and tickets.'],
  [
    ['token-identity', 'token-group', 'token-groups', 'password-identity'],
    'Authorization rules for this user or group do not match, and the user can do too much or too little.',
  ],
  [['token-truncated', 'token-similar'], 'An attacker can guess a token from a part of it.'],
  [
    ['token-restart', 'password-restart'],
    'An administrator removes a user from the file, and the user still gets in after the restart.',
  ],
  [['token-lasting', 'password-lasting'], 'A running cluster locks its users out when the file is edited.'],
  [['password-wrong', 'password-cut-at-colon'], 'A client with the wrong password is accepted.'],
  [
    ['password-colon', 'password-utf8', 'identity-service-utf8'],
    'A user with an unusual but valid password is locked out.',
  ],
  [['password-malformed'], 'A damaged header is taken for a user.'],
  [['openid-signature', 'openid-unsigned'], 'Anybody can write a token and become any user.'],
  [
    ['openid-audience', 'openid-issuer'],
    'A token that was made for another application, or by another issuer, opens the cluster.',
  ],
  [
    ['openid-authorized-party'],
    'Web applications and command-line tools that share one identity provider cannot both use the cluster.',
  ],
  [['openid-user-name', 'openid-claims'], 'Authorization rules do not match the names of the users.'],
  [['openid-expired'], 'A stolen token works for ever.'],
  [['openid-algorithms'], 'Users of an identity provider with another key type are locked out.'],
  [['openid-rotation'], 'All users are locked out when the identity provider changes its keys.'],
  [
    ['openid-issuer-down', 'identity-service-down'],
    'An outage of the identity provider locks out administrators and nodes too.',
  ],
  [['identity-service-asked'], 'The identity service checks another user or password than the client sent.'],
  [['identity-service-refused'], 'A user whom the identity service has refused is accepted.'],
] as const satisfies Breaks;
