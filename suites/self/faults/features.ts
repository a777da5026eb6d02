// Servers that lack a feature: what their age, or they themselves, say of it decides whether that is a fault.
import { at, isObject, type JsonObject } from '../../support/json.js';
import { answering, asking, eachEvent, type Fault, failure, metadata, type Passing, reply, without } from './parts.js';
import { asks } from './selectors.js';

/** What breaks, whatever the age. */
type Broken = Pick<Fault, 'request' | 'reply' | 'watch'>;

interface Lacking extends Broken {
  readonly feature: string;
  readonly grep: string;
  readonly fails: readonly string[];
  /** Of this age a server has the feature. */
  readonly young: string;
  /** Of this age it has not. */
  readonly old: string;
}

const bundled = 'v1.5.0';
const modern = 'v1.36.2';

/** A broken server that says that it is of this version. */
function aged({ request, reply: change, watch }: Broken, gitVersion: string): Broken {
  return {
    request: (passing, known) =>
      passing.path === '/version'
        ? reply(200, { major: '1', minor: gitVersion.split('.')[1] ?? '', gitVersion })
        : (request?.(passing, known) ?? passing),
    ...(change && { reply: change }),
    ...(watch && { watch }),
  };
}

/** The same server twice: of an age that has the feature, where it is a fault, and of one that has not. */
const twice = ({ feature, grep, fails, young, old, ...broken }: Lacking): readonly Fault[] => [
  { name: `lacks ${feature} at an age that has it`, probed: true, grep, fails, ...aged(broken, young) },
  { name: `lacks ${feature} at an age that has it not`, probed: true, grep, fails: [], ...aged(broken, old) },
];

const map = '/api/v1/namespaces/{namespace}/configmaps';
const list = `› GET ${map}`;
const oneDelete = `› DELETE ${map}/{name}`;

/** Does not see a parameter of the query. */
const blindTo = (...names: readonly string[]): NonNullable<Fault['request']> => {
  const methods = ['GET', 'POST', 'DELETE'].map((method) =>
    asks(method, (query) => {
      for (const name of names) query.delete(name);
    }),
  );
  return (passing, known) => methods.reduce<Passing>((left, change) => change(left, known) as Passing, passing);
};

const algorithmOf = ({ headers }: Passing): unknown => {
  const [header = ''] = /^Bearer (eyJ[^.]*)\./.exec(headers.authorization ?? '')?.slice(1) ?? [];
  try {
    return at(JSON.parse(Buffer.from(header, 'base64url').toString('utf8')), 'alg');
  } catch {
    return undefined;
  }
};

const isBasic = ({ headers }: Passing): boolean => /^basic /i.test(headers.authorization ?? '');

/** Names the limits where the requests are wrong. */
const limitsForRequests: NonNullable<Fault['reply']> = (returning) => ({
  ...returning,
  body:
    returning.status === 422 ? returning.body.replaceAll('.resources.requests', '.resources.limits') : returning.body,
});

const ofAccount = (body: JsonObject): JsonObject => (body.kind === 'ServiceAccount' ? without(body, 'secrets') : body);

const passwords: Broken = { request: (passing) => (isBasic(passing) ? failure(401, 'Unauthorized') : passing) };

const young: readonly Lacking[] = [
  {
    feature: 'dry-run',
    grep: `deleteOptions.dry-run ${oneDelete}, in the query`,
    fails: ['deleteOptions.dry-run'],
    young: 'v1.20.2',
    old: 'v1.12.0',
    request: blindTo('dryRun'),
  },
  {
    feature: 'limit',
    grep: `parameters.limit-pages ${list}`,
    fails: ['parameters.limit-pages'],
    young: 'v1.20.2+k3s1',
    old: 'v1.7.5',
    request: blindTo('limit'),
  },
  {
    feature: 'resource-version-match',
    grep: `parameters.resource-version-match ${list}`,
    fails: ['parameters.resource-version-match'],
    young: 'v1.19.0',
    old: 'v1.18.3',
    request: blindTo('resourceVersion', 'resourceVersionMatch'),
  },
  {
    feature: 'propagation-policy',
    grep: `deleteOptions.propagation-unknown ${oneDelete}`,
    fails: ['deleteOptions.propagation-unknown'],
    young: 'v1.7.0',
    old: bundled,
    request: asking('DELETE', (body) => without(body, 'propagationPolicy')),
  },
  {
    feature: 'precondition-version',
    grep: `deleteOptions.precondition-version ${oneDelete}`,
    fails: ['deleteOptions.precondition-version'],
    young: 'v1.14.0',
    old: 'v1.13.9',
    request: asking('DELETE', (body) => without(body, 'preconditions')),
  },
  {
    feature: 'strategic-directives',
    grep: `patch.strategic-retain-keys › PATCH ${map}/{name}`,
    fails: ['patch.strategic-retain-keys'],
    young: 'v1.20.2',
    old: bundled,
    request: (passing) => (passing.body.includes('$retainKeys') ? failure(500, 'InternalError') : passing),
  },
  {
    feature: 'bookmarks',
    grep: 'watch.bookmarks › GET /api/v1/namespaces/{namespace}/endpoints',
    fails: ['watch.bookmarks'],
    young: 'v1.16.0',
    old: bundled,
    watch: eachEvent((event) => (event.type === 'BOOKMARK' ? undefined : event)),
  },
  {
    feature: 'initial-events',
    grep: 'watch.initial-events › GET /api/v1/nodes',
    fails: ['watch.initial-events'],
    young: modern,
    old: 'v1.20.2',
    request: (passing) => (passing.path.includes('sendInitialEvents=') ? failure(422, 'Invalid') : passing),
  },
  {
    feature: 'cause-names',
    grep: 'validation.invalid-causes › POST /api/v1/namespaces/{namespace}/pods, a request above the limit',
    fails: ['validation.invalid-causes'],
    young: 'v1.20.2',
    old: bundled,
    reply: limitsForRequests,
  },
  {
    feature: 'jwt-algorithms',
    grep: 'authentication.openid-algorithms › openidConnect, es256',
    fails: ['authentication.openid-algorithms'],
    young: 'v1.20.2',
    old: bundled,
    request: (passing) =>
      ['ES256', 'PS256'].includes(String(algorithmOf(passing))) ? failure(401, 'Unauthorized') : passing,
  },
  {
    feature: 'review-token',
    grep: 'tokenReview.review-empty › POST /apis/authentication.k8s.io/v1beta1/tokenreviews, no token',
    fails: ['tokenReview.review-empty'],
    young: 'v1.20.2',
    old: bundled,
    reply: (returning, { path }) =>
      path.endsWith('/tokenreviews') && returning.status === 400
        ? reply(201, { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'TokenReview', status: { user: {} } })
        : returning,
  },
  {
    feature: 'self-review',
    grep: 'tokenReview.self-review › POST /apis/authentication.k8s.io/v1/selfsubjectreviews, staticToken',
    fails: ['tokenReview.self-review'],
    young: modern,
    old: 'v1.20.2',
    request: (passing) => (passing.path.endsWith('/selfsubjectreviews') ? failure(404, 'NotFound') : passing),
  },
];

/** Of what is gone, the older server is the one that has it. */
const gone: readonly Lacking[] = [
  {
    feature: 'legacy-proxy',
    grep: 'proxy.legacy-node › GET /api/v1/proxy/nodes/{name}',
    fails: ['proxy.legacy-node'],
    young: bundled,
    old: modern,
    request: (passing) => (passing.path.startsWith('/api/v1/proxy/') ? failure(404, 'NotFound') : passing),
  },
  {
    feature: 'static-password',
    grep: 'authentication.password › staticPassword, plain',
    fails: ['authentication.password'],
    young: 'v1.18.20',
    old: 'v1.19.0',
    ...passwords,
  },
  {
    feature: 'identity-service',
    grep: 'authentication.identity-service › identityServicePassword, plain',
    fails: ['authentication.identity-service'],
    young: 'v1.9.11',
    old: 'v1.10.0',
    ...passwords,
  },
  {
    feature: 'token-secrets',
    grep: 'serviceAccounts.secret-listed',
    fails: ['serviceAccounts.secret-listed'],
    young: 'v1.23.0',
    old: 'v1.24.0',
    reply: answering(ofAccount),
  },
];

const pages = young
  .filter(({ feature }) => feature === 'limit')
  .map(({ grep, fails, request }) => ({
    ...({ grep, fails, probed: true } as const),
    request,
  }));

export const featureFaults: readonly Fault[] = [
  ...[...young, ...gone].flatMap(twice),
  // What a server says of itself counts more than what it does.
  ...pages.map(
    ({ request, ...row }): Fault => ({
      ...row,
      name: 'lists limit in its OpenAPI and does not know it',
      request: (passing, known) =>
        passing.path === '/openapi/v2'
          ? reply(200, { paths: { '/api/v1/pods': { get: { parameters: [{ name: 'limit', in: 'query' }] } } } })
          : (request?.(passing, known) ?? passing),
    }),
  ),
  ...pages.map(
    ({ request, ...row }): Fault => ({
      ...row,
      name: 'lists limit in its OpenAPI while it is switched off',
      fails: [],
      request: (passing, known) => {
        if (passing.path === '/version') return reply(200, { gitVersion: 'v1.8.4' });
        if (passing.path !== '/openapi/v2') return request?.(passing, known) ?? passing;
        return reply(200, { paths: { '/api/v1/pods': { get: { parameters: [{ name: 'limit', in: 'query' }] } } } });
      },
    }),
  ),
  ...pages.map(
    ({ request, ...row }): Fault => ({
      ...row,
      name: 'does not know limit and fails where it is asked for it',
      request: (passing, known) =>
        passing.path.includes('limit=1') ? failure(500, 'InternalError') : (request?.(passing, known) ?? passing),
    }),
  ),
  {
    name: 'does not know export, and does not say so',
    probed: true,
    grep: `parameters.export-strips-identity › GET ${map}/{name}`,
    fails: ['parameters.export-strips-identity'],
    ...aged({ request: blindTo('export') }, modern),
  },
  {
    name: 'says that it supports export no longer',
    probed: true,
    grep: `parameters.export-strips-identity › GET ${map}/{name}`,
    fails: [],
    request: (passing) =>
      passing.path.includes('export=true')
        ? reply(400, { kind: 'Status', message: 'the export parameter is no longer supported', code: 400 })
        : passing,
  },
  {
    name: 'writes no status of a quota, as one without controllers',
    probed: true,
    grep: 'admission.quota-status',
    fails: [],
    reply: answering((body) =>
      body.kind === 'ResourceQuota' && isObject(metadata(body)) ? without(body, 'status') : body,
    ),
  },
];
