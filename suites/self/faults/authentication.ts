// Servers that break what holds for every mechanism of authentication.
import { type Fault, failure, type Passing } from './parts.js';
import {
  admitting,
  authorizationOf,
  keepingGroups,
  only,
  refusing,
  showing,
  unauthorized,
  wantsToken,
  withHeader,
} from './users.js';

const nobody = (passing: Passing): boolean => ['', 'Bearer a-token-that-nobody-has'].includes(authorizationOf(passing));
const isUnknownPath = ({ path }: Passing): boolean => /nosuch|\/v9\/|^\/no\//.test(path);

/** What it says of those whom it refuses, with the credential in it. */
const repeating: Pick<Fault, 'reply'> = {
  reply: (returning, passing) =>
    returning.status === 401 ? { ...returning, body: `${authorizationOf(passing)} is not known` } : returning,
};

export const authenticationFaults: readonly Fault[] = [
  // All mechanisms
  only(
    'every-operation',
    'PUT /api/v1/namespaces/{namespace}/configmaps/{name}',
    'lets users of the webhook read, and not write',
    {
      request: (passing, { fixtures }) =>
        wantsToken(passing, fixtures.secrets.webhookTokenReview.plain) && passing.method !== 'GET'
          ? unauthorized
          : passing,
    },
  ),
  only('several-enabled', 'clientCertificate', 'looks at headers alone', {
    request: (passing) => ({ ...passing, certificate: undefined }),
  }),
  only('one-succeeds', 'staticToken', 'gives up at a certificate that it cannot verify', {
    request: refusing(({ certificate }) => certificate === 'foreignAuthority'),
  }),
  only(
    'either-user',
    'staticToken',
    'makes one user of two',
    showing((user) => ({ ...user, username: 'both' })),
  ),
  only(
    'opaque-attributes',
    'staticToken, utf8',
    'knows no names beyond ASCII',
    showing((user) => ({ ...user, username: String(user.username).replace(/[^ -~]/g, '?') })),
  ),
  only('opaque-attributes', 'staticToken, markup', 'answers odd users otherwise', {
    request: (passing, { fixtures }) =>
      wantsToken(passing, fixtures.secrets.staticToken.markup) ? failure(403, 'Forbidden') : passing,
  }),
  only(
    'opaque-attributes',
    'webhookTokenReview, odd',
    'passes no extra attributes on',
    showing(({ extra: _, ...user }) => user),
  ),
  only('refused', 'GET /api/v1/namespaces/{namespace}/configmaps,', 'answers 500 where it does not know', {
    reply: (returning) => (returning.status === 401 ? { ...returning, status: 500 } : returning),
  }),
  only('refused-401', 'GET /api/v1/namespaces/{namespace}/configmaps,', 'forbids where it does not know', {
    reply: (returning) => (returning.status === 401 ? { ...returning, status: 403 } : returning),
  }),
  only('refused-without-effect', 'server, ', 'does what it is asked before it looks who asks', {
    request: admitting((passing) => nobody(passing) && passing.method !== 'GET'),
    reply: (returning, passing) => (nobody(passing) && passing.method !== 'GET' ? unauthorized : returning),
  }),
  only('refused-before-path', 'server, ', 'tells strangers what is not there', {
    request: (passing) => (isUnknownPath(passing) ? failure(404, 'NotFound') : passing),
  }),
  only(
    'authenticated-group',
    'staticToken',
    'knows no group of all',
    keepingGroups((group) => group !== 'system:authenticated'),
  ),
  only('scheme-case', 'static', 'reads schemes in one spelling', {
    request: refusing((passing) => !/^(Bearer|Basic) /.test(authorizationOf(passing))),
  }),
  only('other-scheme', 'server, Token', 'takes every scheme for Bearer', {
    request: (passing) => withHeader(passing, authorizationOf(passing).replace(/^\S+ /, 'Bearer ')),
  }),
  only('empty-value', 'server, ', 'lets in who shows nothing', {
    request: admitting(({ headers }) => /^(Bearer|Basic)?\s*$/.test(headers.authorization ?? 'none')),
  }),
  only('control-characters', 'server, ', 'answers what it cannot read', { unread: 'HTTP/1.1 200 OK\r\n\r\n' }),
  only('oversized', 'server, ', 'answers what it has not read', { unread: 'HTTP/1.1 200 OK\r\n\r\n' }),
  only('two-headers', 'staticToken', 'takes the last of two headers', {
    request: (passing) => withHeader(passing, passing.authorizations.at(-1) ?? ''),
  }),
  only('no-leak', 'server, ', 'repeats what it was shown', repeating),
];
