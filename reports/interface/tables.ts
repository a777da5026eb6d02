// The tables of docs/interface.md from matrix/api: paths, kinds and operations, parameters, mechanisms.
import {
  type Method,
  mechanisms,
  parameterSets,
  pathOf,
  type Resource,
  resources,
  type Verb,
  type VerbRow,
  verbs,
} from '../../matrix/api/index.js';
import { anchorOf, type TableName } from '../../matrix/interface/index.js';

export function tableLines(name: TableName): string[] {
  return tables[name]();
}

const has = (resource: Resource, ...anyOf: readonly Verb[]): boolean =>
  anyOf.some((verb) => resource.stated.includes(verb));
const inCore = ({ groupVersion }: Resource): boolean => groupVersion.group === '';
const inGroups =
  (...groups: readonly string[]) =>
  ({ groupVersion, kind }: Resource): boolean =>
    groups.includes(groupVersion.group) && kind !== 'ThirdPartyResource';
const code = (text: string): string => `\`${text}\``;
const link = (rule: string): string => `[${rule}](#${anchorOf(rule)})`;

const tables: Readonly<Record<TableName, () => string[]>> = {
  paths,
  parameters,
  mechanisms: mechanismTable,
  'core-namespaced': () => kinds((resource) => inCore(resource) && resource.namespaced && resource.kind !== 'Binding'),
  'core-cluster': () => kinds((resource) => inCore(resource) && !resource.namespaced),
  'autoscaling-batch': () => kinds(inGroups('autoscaling', 'batch')),
  extensions: () => kinds(inGroups('extensions')),
  'third-party': () => kinds(({ kind }) => kind === 'ThirdPartyResource'),
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** The names of the verbs, in the order of the table of paths; verbs with the same name share a row. */
const operationNames = {
  listAll: 'list across namespaces',
  list: 'list',
  deleteCollection: 'delete collection',
  create: 'create',
  read: 'read',
  replace: 'replace',
  patch: 'patch',
  delete: 'delete',
  readStatus: 'read status',
  replaceStatus: 'replace status',
  patchStatus: 'patch status',
  readScale: 'read scale',
  replaceScale: 'replace scale',
  patchScale: 'patch scale',
  rollback: 'rollback',
  finalize: 'finalize',
  bind: 'bind',
  watchAll: 'watch across namespaces',
  watchList: 'watch',
  watchOne: 'watch one object',
  log: 'log',
  attach: 'attach',
  exec: 'exec',
  portforward: 'port-forward',
  proxy: 'proxy',
  proxyPath: 'proxy with a path',
  legacyProxy: 'legacy proxy',
  legacyProxyPath: 'legacy proxy with a path',
} as const satisfies Partial<Record<Verb, string>>;

const bodies = { object: 'the object', patch: 'a patch', options: 'delete options', none: '' } as const;
const querySets: Readonly<Record<string, string>> = {
  log: '[section 13](#s-13)',
  attach: link('14.3'),
  exec: link('14.2'),
  path: code('path'),
  none: '',
};

function paths(): string[] {
  const rows = Object.entries(operationNames).map(([verb, name]) => {
    const row: VerbRow = verbs[verb as Verb];
    const methods = row.methods.map((method: Method) => code(method)).join(', ');
    const isScale = row.suffix === '/scale';
    const body = verb === 'bind' ? 'a Binding' : verb === 'rollback' ? 'a DeploymentRollback' : bodies[row.body];
    const query = querySets[row.query] ?? link('5.1').replace('5.1', row.query);
    return [name, methods, code(samplePath(row)), query, isScale && row.body === 'object' ? 'a Scale' : body];
  });
  return table(['Operation', 'Method', 'Path', 'Query', 'Body'], rows);
}

/** Returns the path of an operation of any kind; `…` is the namespace, which a cluster-scoped kind does not have. */
function samplePath(row: VerbRow): string {
  const any = { plural: '{plural}', namespaced: true, groupVersion: { prefix: 'P' } } as Resource;
  const isFinalize = row.suffix === '/finalize';
  return pathOf(isFinalize ? { ...any, plural: 'namespaces', namespaced: false } : any, row).replace(
    'namespaces/{namespace}',
    '…',
  );
}

function kinds(isShown: (resource: Resource) => boolean): string[] {
  const shown = resources.filter((resource) => isShown(resource) && resource.stated.length > 0);
  const columns: readonly (readonly [string, (resource: Resource) => string])[] = [
    ['Kind', ({ kind, plural }) => (kind.endsWith('Dummy') ? code(plural) : `${kind}<br>${code(plural)}`)],
    ['Collection', collection],
    ['Object', object],
    ['Status', ({ stated }) => methodsOf(stated, ['readStatus', 'replaceStatus', 'patchStatus'])],
    ['Watch', watchForms],
    ['Further', further],
  ];
  const used = columns.filter(([, cell]) => shown.some((resource) => cell(resource) !== ''));
  return table(
    used.map(([title]) => title),
    shown.map((resource) => used.map(([, cell]) => cell(resource))),
  );
}

function collection(resource: Resource): string {
  const lists = resource.namespaced ? { 'list all': ['listAll'], list: ['list'] } : { list: ['list'] };
  return names(resource, { ...lists, create: ['create'], 'delete collection': ['deleteCollection'] });
}

function object(resource: Resource): string {
  return names(resource, {
    read: ['read', 'readPlain'],
    replace: ['replace'],
    patch: ['patch'],
    delete: ['delete', 'deletePlain'],
  });
}

const names = (resource: Resource, named: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(named)
    .filter(([, verbs]) => resource.stated.some((verb) => verbs.includes(verb)))
    .map(([name]) => name)
    .join(', ');

const methodsOf = (stated: readonly Verb[], wanted: readonly Verb[]): string =>
  stated
    .filter((verb) => wanted.includes(verb))
    .flatMap((verb) => verbs[verb].methods)
    .join(', ');

function watchForms(resource: Resource): string {
  const forms = [
    ['watchAll', 'all'],
    ['watchList', resource.namespaced ? 'namespace' : 'all'],
    ['watchOne', 'one'],
  ] as const;
  return forms.flatMap(([verb, form]) => (has(resource, verb) ? [form] : [])).join(', ');
}

function further({ stated }: Resource): string {
  const named = { scale: 'readScale', rollback: 'rollback', finalize: 'finalize', binding: 'bind' } as const;
  const connections = {
    log: 'log',
    attach: 'attach',
    exec: 'exec',
    portforward: 'portforward',
    proxy: 'proxy',
    'legacy proxy': 'legacyProxy',
  } as const;
  return Object.entries({ ...named, ...connections })
    .filter(([, verb]) => stated.includes(verb))
    .map(([name]) => name)
    .join(', ');
}

const parameterRules = {
  pretty: '5.3',
  labelSelector: '6.1',
  fieldSelector: '6.3',
  watch: '12.1',
  resourceVersion: '5.4',
  timeoutSeconds: '5.5',
  export: '5.6',
  exact: '5.7',
} as const;

function parameters(): string[] {
  const { LW, RD, PR } = parameterSets;
  const declared = { ...LW, ...RD };
  const types = { string: 'string', boolean: 'boolean', int32: 'integer (32 bits)' } as const;
  const rows = Object.entries(parameterRules).map(([name, rule]) => {
    const { type } = declared[name as keyof typeof declared];
    return [code(name), types[type], ...[LW, RD, PR].map((set) => (Object.hasOwn(set, name) ? '✓' : '')), link(rule)];
  });
  return table(['Parameter', 'Type', 'LW', 'RD', 'PR', 'Rule'], rows);
}

const mechanismRules = {
  clientCertificate: ['Client certificate', '18.1'],
  staticToken: ['Static token', '18.2'],
  staticPassword: ['Static password', '18.3'],
  serviceAccountToken: ['Service-account token', '18.4'],
  openidConnect: ['OpenID Connect ID token', '18.5'],
  webhookTokenReview: ['Token review by a webhook', '18.6'],
  identityServicePassword: ['Password check by an identity service', '18.7'],
} as const satisfies Record<keyof typeof mechanisms, readonly [string, string]>;

const carriers = {
  tls: 'TLS handshake',
  bearer: code('Authorization: Bearer'),
  basic: code('Authorization: Basic'),
} as const;

function mechanismTable(): string[] {
  const rows = Object.entries(mechanisms).map(([name, { carrier, option }]) => {
    const [title, rule] = mechanismRules[name as keyof typeof mechanisms];
    return [title, carriers[carrier], option === undefined ? 'always enabled' : code(option), link(rule)];
  });
  return table(['Mechanism', 'Credential in', 'Enabled by', 'Rule'], rows);
}
