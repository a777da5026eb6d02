// One row per verb: the method, the form of the path, the query set and the body of its operations.
import { defined } from './defined.js';
import type { ParameterSet } from './parameters.js';

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';

/**
 * The form of an operation's path: `all` is the plural across namespaces, `collection` the plural in its scope,
 * `object` one object, and `watch-*` the same three under the `watch` prefix; `legacy` is the object under the `proxy`
 * prefix.
 */
type PathForm = 'all' | 'collection' | 'object' | 'watch-all' | 'watch-collection' | 'watch-object' | 'legacy';

/** The type of a request body: an object, a patch, delete options, or none. */
export type BodyForm = 'object' | 'patch' | 'options' | 'none';

export interface VerbRow {
  readonly methods: readonly Method[];
  readonly form: PathForm;
  /** The path after the object: a subresource, or a subresource and the proxied path. */
  readonly suffix?: string;
  readonly query: ParameterSet;
  readonly body: BodyForm;
  /** `resource` returns one body, `watch` a stream of events, `connect` the response of the backend. */
  readonly answer: 'resource' | 'watch' | 'connect';
  /** The verbs in discovery for this verb. */
  readonly discovery: readonly string[];
}

const row = (
  methods: readonly Method[],
  form: PathForm,
  query: ParameterSet,
  body: BodyForm,
  discovery: readonly string[],
  more: Partial<Pick<VerbRow, 'suffix' | 'answer'>> = {},
): VerbRow => ({ methods, form, query, body, discovery, answer: 'resource', ...more });

const status = { suffix: '/status' };
const scale = { suffix: '/scale' };
const ephemeral = { suffix: '/ephemeralcontainers' };
const resize = { suffix: '/resize' };
const approval = { suffix: '/approval' };
const watch = { answer: 'watch' } as const;
const connect = (suffix?: string) => ({ answer: 'connect', ...defined({ suffix }) }) as const;
const getPost = ['GET', 'POST'] as const;
const proxied = ['GET', 'PUT', 'DELETE', 'POST'] as const;
const proxyVerbs = ['get', 'update', 'delete', 'create'] as const;

/**
 * Every verb (Endpoints/Generic operation set, Additional extensions operations, Connect and proxy operations), and
 * `requestToken` and those of ephemeral containers, of the resize of pods and of approvals, which came later.
 */
export const verbs = {
  listAll: row(['GET'], 'all', 'LW', 'none', ['list']),
  list: row(['GET'], 'collection', 'LW', 'none', ['list']),
  deleteCollection: row(['DELETE'], 'collection', 'LW', 'none', ['deletecollection']),
  create: row(['POST'], 'collection', 'PR', 'object', ['create']),
  read: row(['GET'], 'object', 'RD', 'none', ['get']),
  readPlain: row(['GET'], 'object', 'PR', 'none', ['get']),
  replace: row(['PUT'], 'object', 'PR', 'object', ['update']),
  delete: row(['DELETE'], 'object', 'PR', 'options', ['delete']),
  deletePlain: row(['DELETE'], 'object', 'PR', 'none', ['delete']),
  patch: row(['PATCH'], 'object', 'PR', 'patch', ['patch']),
  readStatus: row(['GET'], 'object', 'PR', 'none', ['get'], status),
  replaceStatus: row(['PUT'], 'object', 'PR', 'object', ['update'], status),
  patchStatus: row(['PATCH'], 'object', 'PR', 'patch', ['patch'], status),
  watchAll: row(['GET'], 'watch-all', 'LW', 'none', ['watch'], watch),
  watchList: row(['GET'], 'watch-collection', 'LW', 'none', ['watch'], watch),
  watchOne: row(['GET'], 'watch-object', 'LW', 'none', ['watch'], watch),
  readScale: row(['GET'], 'object', 'PR', 'none', ['get'], scale),
  replaceScale: row(['PUT'], 'object', 'PR', 'object', ['update'], scale),
  patchScale: row(['PATCH'], 'object', 'PR', 'patch', ['patch'], scale),
  rollback: row(['POST'], 'object', 'PR', 'object', ['create'], { suffix: '/rollback' }),
  finalize: row(['PUT'], 'object', 'PR', 'object', ['update'], { suffix: '/finalize' }),
  bind: row(['POST'], 'object', 'PR', 'object', ['create'], { suffix: '/binding' }),
  evict: row(['POST'], 'object', 'PR', 'object', ['create'], { suffix: '/eviction' }),
  requestToken: row(['POST'], 'object', 'PR', 'object', ['create'], { suffix: '/token' }),
  readEphemeral: row(['GET'], 'object', 'PR', 'none', ['get'], ephemeral),
  replaceEphemeral: row(['PUT'], 'object', 'PR', 'object', ['update'], ephemeral),
  patchEphemeral: row(['PATCH'], 'object', 'PR', 'patch', ['patch'], ephemeral),
  readResize: row(['GET'], 'object', 'PR', 'none', ['get'], resize),
  replaceResize: row(['PUT'], 'object', 'PR', 'object', ['update'], resize),
  patchResize: row(['PATCH'], 'object', 'PR', 'patch', ['patch'], resize),
  readApproval: row(['GET'], 'object', 'PR', 'none', ['get'], approval),
  replaceApproval: row(['PUT'], 'object', 'PR', 'object', ['update'], approval),
  patchApproval: row(['PATCH'], 'object', 'PR', 'patch', ['patch'], approval),
  log: row(['GET'], 'object', 'log', 'none', ['get'], connect('/log')),
  attach: row(getPost, 'object', 'attach', 'none', ['get', 'create'], connect('/attach')),
  exec: row(getPost, 'object', 'exec', 'none', ['get', 'create'], connect('/exec')),
  portforward: row(getPost, 'object', 'none', 'none', ['get', 'create'], connect('/portforward')),
  proxy: row(proxied, 'object', 'path', 'none', proxyVerbs, connect('/proxy')),
  proxyPath: row(proxied, 'object', 'path', 'none', proxyVerbs, connect('/proxy/{path}')),
  legacyProxy: row(proxied, 'legacy', 'none', 'none', proxyVerbs, connect()),
  legacyProxyPath: row(proxied, 'legacy', 'none', 'none', proxyVerbs, connect('/{path}')),
} as const satisfies Record<string, VerbRow>;

export type Verb = keyof typeof verbs;

/** Returns the subresource of a verb (`status`, `scale`, `log`, …); undefined for the object itself. */
export function subresourceOf(verb: Verb): string | undefined {
  const row: VerbRow = verbs[verb];
  return row.form === 'legacy' ? undefined : row.suffix?.split('/')[1];
}
