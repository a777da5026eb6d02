// Servers that break one mechanism of authentication: they do not know its users, know them wrongly, or know everybody.
import { openidUser, passwordUsers, tokenUsers } from '../../fixtures/users.js';
import { type Fault, type Passing, reply } from './parts.js';
import { admitting, authorizationOf, fault, keepingGroups, only, refusing, showing, wantsToken } from './users.js';

/** Lets in whoever shows anything. */
const everybody: Pick<Fault, 'reply'> = {
  reply: (returning, { headers }) =>
    returning.status === 401 && headers.authorization !== undefined ? reply(200, {}) : returning,
};

/** User name and password of a request. */
const basicOf = (passing: Passing): string =>
  Buffer.from(/^Basic (.*)$/.exec(authorizationOf(passing))?.[1] ?? '', 'base64').toString('utf8');
const isUser =
  ({ name }: { readonly name: string }) =>
  (passing: Passing) =>
    basicOf(passing).startsWith(`${name}:`);
const isIdToken = (passing: Passing): boolean => claims(passing, 1).includes(`"${openidUser.sub}"`);
const claims = (passing: Passing, part: 0 | 1): string =>
  Buffer.from(authorizationOf(passing).slice('Bearer '.length).split('.')[part] ?? '', 'base64url').toString('utf8');

export const mechanismFaults: readonly Fault[] = [
  // Static token file
  fault(
    'does not know a token of its file',
    '› staticToken, severalGroups',
    ['token', 'token-groups', 'token-identity'],
    {
      request: refusing((passing, { fixtures }) => wantsToken(passing, fixtures.secrets.staticToken.severalGroups)),
    },
  ),
  fault(
    'takes the name of a user for the uid',
    '› staticToken, oneGroup',
    ['token-identity'],
    showing((user) => ({ ...user, uid: user.username ?? '' })),
  ),
  fault(
    'knows no groups',
    '› staticToken, oneGroup',
    ['token-group'],
    keepingGroups((group) => group !== tokenUsers.oneGroup.groups[0]),
  ),
  fault(
    'knows one group of several',
    '› staticToken, severalGroups',
    ['token-groups'],
    keepingGroups((_, index) => index !== 1),
  ),
  fault('forgets a token that leaves its file', 'authentication.token-lasting', ['token-lasting'], {
    request: refusing((passing, { fixtures }) => wantsToken(passing, fixtures.secrets.staticToken.severalGroups)),
  }),
  fault('forgets a password that leaves its file', 'authentication.password-lasting', ['password-lasting'], {
    request: refusing(isUser(passwordUsers.plain)),
  }),
  fault(
    'lets in whoever shows a token',
    'authentication.token-',
    ['token-restart', 'token-similar', 'token-truncated'],
    everybody,
  ),
  // Static password file
  fault('does not know a password of its file', '› staticPassword, plain', ['password', 'password-identity'], {
    request: refusing(isUser(passwordUsers.plain)),
  }),
  fault(
    'splits at the last colon',
    '› staticPassword, colons',
    ['opaque-attributes', 'password', 'password-colon', 'password-identity'],
    {
      request: refusing(isUser(passwordUsers.colons)),
    },
  ),
  fault('reads ASCII alone', '› staticPassword, utf8', ['password-utf8'], {
    request: refusing((passing) => /[^ -~]/.test(basicOf(passing))),
  }),
  fault(
    'lets in whoever shows a password',
    'authentication.password-',
    ['password-cut-at-colon', 'password-malformed', 'password-restart', 'password-wrong'],
    everybody,
  ),
  // OpenID Connect
  fault(
    'knows no ID tokens',
    'authentication.openid',
    ['openid', 'openid-algorithms', 'openid-authorized-party', 'openid-claims', 'openid-rotation', 'openid-user-name'],
    { request: refusing(isIdToken) },
  ),
  fault(
    'lets in whoever shows an ID token',
    'authentication.openid-',
    ['openid-audience', 'openid-expired', 'openid-issuer', 'openid-signature', 'openid-unsigned'],
    everybody,
  ),
  only(
    'openid-user-name',
    'openidConnect, rs256',
    'takes the subject for the name',
    showing((user) => ({ ...user, username: openidUser.sub })),
  ),
  only(
    'openid-claims',
    'openidConnect, oneGroup',
    'knows no groups of ID tokens',
    keepingGroups((group) => group === 'system:authenticated'),
  ),
  losesAll(),
  // Identity service
  fault(
    'asks no identity service',
    '› identityServicePassword, plain',
    ['identity-service', 'identity-service-asked'],
    {
      request: refusing((passing) => basicOf(passing).startsWith('identity-')),
    },
  ),
  only('identity-service-asked', 'identityServicePassword, colons', 'asks the identity service with its own password', {
    request: admitting((passing) => basicOf(passing).startsWith('identity-colons:')),
  }),
  only('identity-service-utf8', 'identityServicePassword, utf8', 'reads passwords for the identity service as ASCII', {
    request: refusing((passing) => /[^ -~]/.test(basicOf(passing))),
  }),
  fault(
    'lets in whoever shows a password to the identity service',
    'authentication.identity-service-',
    ['identity-service-down', 'identity-service-refused'],
    everybody,
  ),
];

/** Once it had to look for the keys of a token, and could not, it lets nobody in any more. */
function losesAll(): Fault {
  let looked = false;
  return only('openid-issuer-down', 'openidConnect', 'goes down with its issuer', {
    request: (passing, known) => {
      looked ||= claims(passing, 0).includes('"unpublished"');
      return refusing(() => looked)(passing, known);
    },
  });
}
