// Exchanges with roles and bindings, as a table of literals: the same requests go to this server and to a real one.
import { setTimeout as sleep } from 'node:timers/promises';

/** A request for a user, and what the response must be. */
export interface RbacExchange {
  /** A user, and groups behind it, apart by spaces; empty for an administrator. */
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
  /** Absent if any success will do: the codes of creates differ between servers. */
  readonly code?: number;
  readonly message?: string;
  readonly details?: object;
  readonly status?: object;
}

const group = '/apis/rbac.authorization.k8s.io/v1';
const apiVersion = 'rbac.authorization.k8s.io/v1';
const inA = `${group}/namespaces/rbac-a`;

/** Writes a rule as `verbs | groups | resources | names`, or as `verbs | paths`. */
const rule = (text: string): object => {
  const [verbs, ...rest] = text.split(' | ').map((words) => words.split(' '));
  if (rest.length === 1) return { verbs, nonResourceURLs: rest[0] };
  const [groups = [], resources, resourceNames] = rest;
  return {
    verbs,
    apiGroups: groups.map((name) => (name === 'core' ? '' : name)),
    resources,
    ...(resourceNames && { resourceNames }),
  };
};

const role = (kind: 'Role' | 'ClusterRole', name: string, ...rules: readonly string[]): object => ({
  apiVersion,
  kind,
  metadata: { name },
  rules: rules.map(rule),
});

/** Writes a subject as `User jane`, `Group devs` or `ServiceAccount rbac-b/robot`. */
const subject = (text: string): object => {
  const [kind = '', name = ''] = text.split(' ');
  const [namespace, account] = name.split('/');
  if (kind === 'ServiceAccount') return { kind, namespace, name: account };
  return { kind, name, apiGroup: 'rbac.authorization.k8s.io' };
};

const binding = (
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  name: string,
  to: string,
  ...subjects: readonly string[]
) => {
  const [roleKind, roleName] = to.split(' ');
  return {
    apiVersion,
    kind,
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
    subjects: subjects.map(subject),
  };
};

const made = (path: string, body: object, as = ''): RbacExchange => ({ as, method: 'POST', path, body });
const clusterRole = (name: string, ...rules: readonly string[]) =>
  made(`${group}/clusterroles`, role('ClusterRole', name, ...rules));
const roleInA = (name: string, ...rules: readonly string[]) => made(`${inA}/roles`, role('Role', name, ...rules));
const bound = (name: string, to: string, ...subjects: readonly string[]) =>
  made(`${group}/clusterrolebindings`, binding('ClusterRoleBinding', name, to, ...subjects));
const boundInA = (name: string, to: string, ...subjects: readonly string[]) =>
  made(`${inA}/rolebindings`, binding('RoleBinding', name, to, ...subjects));
const namespace = (name: string) =>
  made('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

const asked = (as: string, request: string, code: number, more: Partial<RbacExchange> = {}): RbacExchange => {
  const [method = '', path = ''] = request.split(' ');
  return { as, method, path, code, ...more };
};
const can = (as: string, request: string) => asked(as, request, 200);
/** What the user cannot do ends the message. */
const cannot = (as: string, request: string, message: string, details?: object) =>
  asked(as, request, 403, { message, ...(details && { details }) });

const robot = 'system:serviceaccount:rbac-b:robot';
const reviews = '/apis/authorization.k8s.io/v1';

const review = (user: string, attributes: object, status: object, groups?: readonly string[]): RbacExchange => ({
  as: '',
  method: 'POST',
  path: `${reviews}/subjectaccessreviews`,
  body: {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, ...(groups && { groups }), ...attributes },
  },
  code: 201,
  status,
});
const resource = (text: string, more: object = {}) => {
  const [verb, plural] = text.split(' ');
  return { resourceAttributes: { verb, resource: plural, ...more } };
};

const requests: readonly RbacExchange[] = [
  namespace('rbac-a'),
  namespace('rbac-b'),
  clusterRole('rbac-readers', 'get list watch | core | pods pods/log'),
  clusterRole('rbac-scalers', 'get update patch | * | */scale'),
  clusterRole('rbac-paths', 'get | /logs/* /metrics'),
  clusterRole('rbac-apps', '* | apps | *'),
  roleInA('named', 'get list watch delete update | core | configmaps | settings'),
  bound('rbac-jane', 'ClusterRole rbac-readers', 'User jane'),
  bound('rbac-operators', 'ClusterRole rbac-apps', 'Group operators'),
  bound('rbac-paths', 'ClusterRole rbac-paths', 'Group operators'),
  bound('rbac-lost', 'ClusterRole rbac-absent', 'User lost'),
  boundInA('devs', 'ClusterRole rbac-readers', 'Group devs'),
  boundInA('named', 'Role named', 'User max', 'ServiceAccount rbac-b/robot'),
  boundInA('scalers', 'ClusterRole rbac-scalers', 'Group system:serviceaccounts:rbac-b'),
  boundInA('lost', 'Role absent', 'User lost'),

  // The cluster and its namespaces.
  can('jane', 'GET /api/v1/pods'),
  can('jane', 'GET /api/v1/namespaces/rbac-b/pods'),
  cannot(
    'jane',
    'DELETE /api/v1/namespaces/rbac-b/pods',
    'pods is forbidden: User "jane" cannot deletecollection resource "pods" in API group "" in the namespace "rbac-b"',
    { kind: 'pods' },
  ),
  can('max devs', 'GET /api/v1/namespaces/rbac-a/pods'),
  cannot(
    'max devs',
    'GET /api/v1/namespaces/rbac-b/pods',
    'pods is forbidden: User "max" cannot list resource "pods" in API group "" in the namespace "rbac-b"',
  ),
  cannot(
    'max devs',
    'GET /api/v1/pods',
    'pods is forbidden: User "max" cannot list resource "pods" in API group "" at the cluster scope',
  ),
  cannot(
    'max devs',
    'GET /api/v1/namespaces/rbac-a',
    'namespaces "rbac-a" is forbidden: User "max" cannot get resource "namespaces" in API group "" in the namespace "rbac-a"',
    { name: 'rbac-a', kind: 'namespaces' },
  ),

  // Subresources.
  asked('jane', 'GET /api/v1/namespaces/rbac-a/pods/absent/log', 404),
  cannot(
    'jane',
    'GET /api/v1/namespaces/rbac-a/pods/absent/status',
    'pods "absent" is forbidden: User "jane" cannot get resource "pods/status" in API group "" in the namespace "rbac-a"',
  ),
  cannot(
    'jane',
    'POST /api/v1/namespaces/rbac-a/pods/absent/exec?command=ls',
    'pods "absent" is forbidden: User "jane" cannot create resource "pods/exec" in API group "" in the namespace "rbac-a"',
  ),
  cannot(
    'jane',
    'GET /api/v1/namespaces/rbac-a/pods/absent/exec?command=ls',
    'pods "absent" is forbidden: User "jane" cannot get resource "pods/exec" in API group "" in the namespace "rbac-a"',
  ),
  cannot(
    'jane',
    'PUT /api/v1/namespaces/rbac-a/services/web/proxy/a/b',
    'services "web" is forbidden: User "jane" cannot update resource "services/proxy" in API group "" in the namespace "rbac-a"',
  ),
  asked(`${robot} system:serviceaccounts:rbac-b`, 'GET /apis/apps/v1/namespaces/rbac-a/deployments/absent/scale', 404),
  asked(
    `${robot} system:serviceaccounts:rbac-b`,
    'GET /api/v1/namespaces/rbac-a/replicationcontrollers/absent/scale',
    404,
  ),
  cannot(
    `${robot} system:serviceaccounts:rbac-b`,
    'GET /apis/apps/v1/namespaces/rbac-a/deployments/absent',
    'deployments.apps "absent" is forbidden: User "system:serviceaccount:rbac-b:robot" cannot get resource "deployments" in API group "apps" in the namespace "rbac-a"',
    { name: 'absent', group: 'apps', kind: 'deployments' },
  ),

  // Names.
  asked('max', 'GET /api/v1/namespaces/rbac-a/configmaps/settings', 404),
  asked(robot, 'DELETE /api/v1/namespaces/rbac-a/configmaps/settings', 404),
  cannot(
    'max',
    'GET /api/v1/namespaces/rbac-a/configmaps/other',
    'configmaps "other" is forbidden: User "max" cannot get resource "configmaps" in API group "" in the namespace "rbac-a"',
  ),
  cannot(
    'max',
    'GET /api/v1/namespaces/rbac-a/configmaps',
    'configmaps is forbidden: User "max" cannot list resource "configmaps" in API group "" in the namespace "rbac-a"',
  ),
  can('max', 'GET /api/v1/namespaces/rbac-a/configmaps?fieldSelector=metadata.name%3Dsettings'),
  can(
    'max',
    'GET /api/v1/namespaces/rbac-a/configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D%3Dsettings',
  ),
  cannot(
    'max',
    'GET /api/v1/namespaces/rbac-a/configmaps?watch=true&fieldSelector=metadata.name%3Dother',
    'configmaps "other" is forbidden: User "max" cannot watch resource "configmaps" in API group "" in the namespace "rbac-a"',
    { name: 'other', kind: 'configmaps' },
  ),
  // A comma with a backslash ends no term.
  cannot(
    'max',
    'GET /api/v1/namespaces/rbac-a/configmaps?fieldSelector=metadata.namespace!%3Dx%5C,metadata.name%3Dsettings',
    'configmaps is forbidden: User "max" cannot list resource "configmaps" in API group "" in the namespace "rbac-a"',
  ),
  cannot(
    'max',
    'DELETE /api/v1/namespaces/rbac-a/configmaps?fieldSelector=metadata.name%3Dsettings',
    'configmaps is forbidden: User "max" cannot deletecollection resource "configmaps" in API group "" in the namespace "rbac-a"',
  ),

  // Groups of resources, and paths.
  can('eve operators', 'GET /apis/apps/v1/deployments'),
  asked('eve operators', 'GET /apis/apps/v1/namespaces/rbac-a/deployments/absent/scale', 404),
  cannot(
    'eve operators',
    'GET /apis/batch/v1/jobs',
    'jobs.batch is forbidden: User "eve" cannot list resource "jobs" in API group "batch" at the cluster scope',
    { group: 'batch', kind: 'jobs' },
  ),
  cannot(
    'eve',
    'GET /apis/example.com/v1/things',
    'things.example.com is forbidden: User "eve" cannot list resource "things" in API group "example.com" at the cluster scope',
  ),
  asked('eve operators', 'GET /logs/absent', 404),
  cannot('eve operators', 'GET /logs', 'forbidden: User "eve" cannot get path "/logs"', {}),
  cannot('eve operators', 'POST /metrics', 'forbidden: User "eve" cannot post path "/metrics"'),
  cannot('eve', 'GET /', 'forbidden: User "eve" cannot get path "/"'),
  cannot('eve', 'GET /healthz/ping', 'forbidden: User "eve" cannot get path "/healthz/ping"'),
  can('eve', 'GET /healthz'),
  can('eve', 'GET /api/v1'),
  can('eve', 'GET /apis'),
  can('eve', 'GET /version'),
  cannot(
    'system:anonymous system:unauthenticated',
    'GET /apis',
    'forbidden: User "system:anonymous" cannot get path "/apis"',
  ),
  can('system:anonymous system:unauthenticated', 'GET /readyz'),

  // Bindings to roles that are absent.
  cannot(
    'lost',
    'GET /api/v1/pods',
    'pods is forbidden: User "lost" cannot list resource "pods" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "rbac-absent" not found',
  ),
  cannot(
    'lost',
    'GET /api/v1/namespaces/rbac-a/pods',
    'pods is forbidden: User "lost" cannot list resource "pods" in API group "" in the namespace "rbac-a": RBAC: [clusterrole.rbac.authorization.k8s.io "rbac-absent" not found, role.rbac.authorization.k8s.io "absent" not found]',
  ),
  cannot(
    'lost',
    'GET /logs',
    'forbidden: User "lost" cannot get path "/logs": RBAC: clusterrole.rbac.authorization.k8s.io "rbac-absent" not found',
  ),
];

const answers: readonly RbacExchange[] = [
  review('jane', resource('list pods', { namespace: 'rbac-b' }), {
    allowed: true,
    reason: 'RBAC: allowed by ClusterRoleBinding "rbac-jane" of ClusterRole "rbac-readers" to User "jane"',
  }),
  review(
    'ann',
    resource('get pods', { namespace: 'rbac-a', subresource: 'log' }),
    {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "devs/rbac-a" of ClusterRole "rbac-readers" to Group "devs"',
    },
    ['devs'],
  ),
  review(robot, resource('get configmaps', { namespace: 'rbac-a', name: 'settings' }), {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "named/rbac-a" of Role "named" to ServiceAccount "robot/rbac-b"',
  }),
  review('ann', resource('list pods'), { allowed: false }, ['devs']),
  review('lost', resource('list pods'), {
    allowed: false,
    reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "rbac-absent" not found',
  }),
  review(
    'eve',
    { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
    {
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "rbac-paths" of ClusterRole "rbac-paths" to Group "operators"',
    },
    ['operators'],
  ),
  review('root', resource('impersonate users'), { allowed: true }, ['system:masters']),
  {
    as: 'jane',
    method: 'POST',
    path: `${reviews}/selfsubjectaccessreviews`,
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: resource('watch pods') },
    code: 201,
    status: {
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "rbac-jane" of ClusterRole "rbac-readers" to User "jane"',
    },
  },
  {
    as: '',
    method: 'POST',
    path: `${reviews}/namespaces/rbac-a/localsubjectaccessreviews`,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'LocalSubjectAccessReview',
      metadata: { namespace: 'rbac-a' },
      spec: { user: 'max', ...resource('update configmaps', { namespace: 'rbac-a', name: 'settings' }) },
    },
    code: 201,
    status: { allowed: true, reason: 'RBAC: allowed by RoleBinding "named/rbac-a" of Role "named" to User "max"' },
  },
  {
    as: 'max nobody',
    method: 'POST',
    path: `${reviews}/subjectaccessreviews`,
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user: 'jane' } },
    code: 403,
    message:
      'subjectaccessreviews.authorization.k8s.io is forbidden: User "max" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope',
  },
];

const grants = (who: string, missing: string, kind = 'roles', name = 'more') =>
  `${kind}.rbac.authorization.k8s.io "${name}" is forbidden: user "${who}" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${missing}`;

const written = (
  as: string,
  method: string,
  path: string,
  body: object,
  code: number,
  message?: string,
  type?: string,
) => ({
  ...{ as, method, path, body, code },
  ...(message !== undefined && { message }),
  ...(type !== undefined && { type }),
});
const merge = 'application/merge-patch+json';
const labels = { metadata: { labels: { a: 'b' } } };

const escalations: readonly RbacExchange[] = [
  roleInA(
    'grantors',
    '* | rbac.authorization.k8s.io | roles rolebindings',
    'get list | core | pods',
    'get | core | secrets | one',
  ),
  boundInA('grantors', 'Role grantors', 'User grantor'),
  roleInA('binders', 'create update | rbac.authorization.k8s.io | rolebindings'),
  boundInA('binders', 'Role binders', 'User binder'),
  roleInA('bound', 'bind | rbac.authorization.k8s.io | clusterroles | rbac-readers'),
  boundInA('bound', 'Role bound', 'User binder'),
  roleInA(
    'writers',
    'create update patch get | rbac.authorization.k8s.io | roles rolebindings',
    'get list | core | pods',
    'get | core | secrets | one',
  ),
  boundInA('writers', 'Role writers', 'User writer'),
  roleInA('large', 'get | core | secrets'),
  clusterRole(
    'rbac-cluster-writers',
    'create update patch | rbac.authorization.k8s.io | clusterroles clusterrolebindings',
    'get | /logs/*',
  ),
  bound('rbac-cluster-writers', 'ClusterRole rbac-cluster-writers', 'User chief'),

  // An update that creates needs the right to create.
  roleInA('updaters', 'update | rbac.authorization.k8s.io | roles'),
  boundInA('updaters', 'Role updaters', 'User updater'),
  roleInA('patchers', 'patch | core | configmaps'),
  boundInA('patchers', 'Role patchers', 'User patcher'),
  {
    as: 'patcher',
    method: 'PATCH',
    path: '/api/v1/namespaces/rbac-a/configmaps/applied?fieldManager=a',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } },
    type: 'application/apply-patch+yaml',
    code: 403,
    message: 'configmaps "applied" is forbidden: ',
  },
  written('patcher', 'PUT', `${inA}/roles/absent`, role('Role', 'absent'), 403),
  written(
    'updater',
    'PUT',
    `${inA}/roles/absent`,
    role('Role', 'absent'),
    403,
    'roles.rbac.authorization.k8s.io "absent" is forbidden: ',
  ),

  // Whoever has all verbs has escalate and bind.
  written('grantor', 'POST', `${inA}/roles`, role('Role', 'by-grantor', '* | * | *'), 201),
  written(
    'grantor',
    'POST',
    `${inA}/rolebindings`,
    binding('RoleBinding', 'by-grantor', 'Role by-grantor', 'User somebody'),
    201,
  ),
  written(
    'writer',
    'POST',
    `${inA}/roles`,
    role('Role', 'held', 'get | core | pods', 'get | core | secrets | one'),
    201,
  ),
  written(
    'writer',
    'POST',
    `${inA}/roles`,
    role('Role', 'more', 'get list watch | core | pods secrets'),
    403,
    grants(
      'writer',
      '{APIGroups:[""], Resources:["pods"], Verbs:["watch"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list" "watch"]}',
    ),
  ),
  written(
    'writer',
    'POST',
    `${inA}/roles`,
    role('Role', 'more', 'get delete | core | secrets | one two', '* | apps extensions | deployments'),
    403,
    grants(
      'writer',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["one"], Verbs:["delete"]}\n{APIGroups:[""], Resources:["secrets"], ResourceNames:["two"], Verbs:["get" "delete"]}\n{APIGroups:["apps"], Resources:["deployments"], Verbs:["*"]}\n{APIGroups:["extensions"], Resources:["deployments"], Verbs:["*"]}',
    ),
  ),
  written(
    'writer',
    'PUT',
    `${inA}/roles/held`,
    role('Role', 'held', 'get | core | secrets'),
    403,
    grants('writer', '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}', 'roles', 'held'),
  ),
  written(
    'writer',
    'PATCH',
    `${inA}/roles/large`,
    labels,
    403,
    grants('writer', '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}', 'roles', 'large'),
    merge,
  ),
  written(
    'writer',
    'PATCH',
    `${inA}/roles/large`,
    { metadata: { finalizers: ['example.com/a'] } },
    200,
    undefined,
    merge,
  ),
  written('', 'PATCH', `${inA}/roles/large`, { metadata: { finalizers: [] } }, 200, undefined, merge),
  written('writer', 'PATCH', `${inA}/roles/held`, labels, 200, undefined, merge),
  written('writer', 'POST', `${inA}/rolebindings`, binding('RoleBinding', 'own', 'Role held', 'User x'), 201),
  written(
    'writer',
    'POST',
    `${inA}/rolebindings`,
    binding('RoleBinding', 'more', 'ClusterRole rbac-readers', 'User x'),
    403,
    grants(
      'writer',
      '{APIGroups:[""], Resources:["pods"], Verbs:["watch"]}\n{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list" "watch"]}',
      'rolebindings',
    ),
  ),
  written(
    'writer',
    'POST',
    `${inA}/rolebindings`,
    binding('RoleBinding', 'more', 'Role absent', 'User x'),
    404,
    'roles.rbac.authorization.k8s.io "absent" not found',
  ),
  written(
    'binder',
    'POST',
    `${inA}/rolebindings`,
    binding('RoleBinding', 'by-binder', 'ClusterRole rbac-readers', 'User x'),
    201,
  ),
  written(
    'binder',
    'PUT',
    `${inA}/rolebindings/by-binder`,
    binding('RoleBinding', 'by-binder', 'ClusterRole rbac-readers', 'User y'),
    200,
  ),
  written(
    'binder',
    'POST',
    `${inA}/rolebindings`,
    binding('RoleBinding', 'more', 'ClusterRole rbac-paths', 'User x'),
    403,
    grants(
      'binder',
      '{NonResourceURLs:["/logs/*"], Verbs:["get"]}\n{NonResourceURLs:["/metrics"], Verbs:["get"]}',
      'rolebindings',
    ),
  ),
  written('chief', 'POST', `${group}/clusterroles`, role('ClusterRole', 'rbac-by-chief', 'get | /logs/a/*'), 201),
  written(
    'chief',
    'POST',
    `${group}/clusterroles`,
    role('ClusterRole', 'more', 'get post | /logs/* /x'),
    403,
    grants(
      'chief',
      '{NonResourceURLs:["/logs/*"], Verbs:["post"]}\n{NonResourceURLs:["/x"], Verbs:["get"]}\n{NonResourceURLs:["/x"], Verbs:["post"]}',
      'clusterroles',
    ),
  ),
  written(
    'chief',
    'POST',
    `${group}/clusterroles`,
    {
      ...role('ClusterRole', 'more'),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    },
    403,
    'clusterroles.rbac.authorization.k8s.io "more" is forbidden: must have cluster-admin privileges to use the aggregationRule',
  ),
  written(
    'chief',
    'POST',
    `${group}/clusterrolebindings`,
    binding('ClusterRoleBinding', 'more', 'ClusterRole cluster-admin', 'User chief'),
    403,
    grants(
      'chief',
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
      'clusterrolebindings',
    ),
  ),
  written(
    'chief',
    'POST',
    `${group}/clusterrolebindings`,
    binding('ClusterRoleBinding', 'more', 'Role held', 'User chief'),
    400,
    'Namespace parameter required.',
  ),
];

/** In this order: the later ones need the roles of the first. */
export const rbacExchanges: Readonly<Record<string, readonly RbacExchange[]>> = {
  'requests with the rights of roles': requests,
  'reviews of access': answers,
  'grants of rights': escalations,
};

interface Sent {
  readonly code: number;
  readonly body: { readonly message?: string; readonly details?: object; readonly status?: unknown };
}

/** Returns the object of a response; an empty one for a stream or a text. */
export function rbacBody(text: string): Sent['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Sends a request with headers. */
export type SendRbac = (exchange: RbacExchange, headers: Readonly<Record<string, string | string[]>>) => Promise<Sent>;

/**
 * Sends the requests, and returns what is not as the table says. A server may learn of a role some time after it was
 * written: until `patience` milliseconds are over, a request that was refused, and a review, is sent again.
 */
export async function rbacDifferences(
  list: readonly RbacExchange[],
  send: SendRbac,
  patience = 0,
): Promise<readonly object[]> {
  const differences = [];
  for (const exchange of list) {
    const [user, ...groups] = exchange.as.split(' ').filter((word) => word !== '');
    const headers = {
      'content-type': exchange.type ?? 'application/json',
      ...(user !== undefined && { 'impersonate-user': user }),
      ...(groups.length > 0 && { 'impersonate-group': groups }),
    };
    const end = Date.now() + patience;
    let sent = await send(exchange, headers);
    const isReview = exchange.status !== undefined;
    while (difference(exchange, sent) !== undefined && (sent.code === 403 || isReview) && Date.now() < end) {
      await sleep(50);
      sent = await send(exchange, headers);
    }
    const found = difference(exchange, sent);
    if (found !== undefined) differences.push(found);
  }
  return differences;
}

function difference(exchange: RbacExchange, { code, body }: Sent): object | undefined {
  const { as, method, path, message, details, status } = exchange;
  const expected = {
    code: exchange.code ?? 'success',
    ...(message && { message }),
    ...(details && { details }),
    ...(status && { status }),
  };
  const found = {
    code: exchange.code === undefined && code < 300 ? 'success' : code,
    ...(message && { message: body.message }),
    ...(details && { details: body.details }),
    ...(status && { status: body.status }),
  };
  if (JSON.stringify(found) === JSON.stringify(expected)) return undefined;
  return { request: `${as}: ${method} ${path}`, found: { message: body.message, ...found }, expected };
}

/** Makes an aggregated role and one for it, and returns its rules, which a controller keeps. */
export function aggregation(send: SendRbac) {
  const label = { 'example.com/aggregate-to-rbac': 'true' };
  const headers = { 'content-type': 'application/json' };
  const call = (method: string, path: string, body?: object) =>
    send({ as: '', method, path: `${group}/clusterroles${path}`, ...(body && { body }) }, headers);
  const part = (name: string, ...rules: readonly string[]) => {
    const made = role('ClusterRole', name, ...rules);
    return { ...made, metadata: { name, labels: label } };
  };
  return {
    async make() {
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: label }] };
      await call('POST', '', part('rbac-part-b', 'get | core | nodes', 'get | /logs'));
      await call('POST', '', { ...role('ClusterRole', 'rbac-aggregated', 'get | core | secrets'), aggregationRule });
      await call('POST', '', part('rbac-part-a', 'list | core | nodes', 'get | core | nodes'));
    },
    remove: () => call('DELETE', '/rbac-part-a'),
    rules: async () => ((await call('GET', '/rbac-aggregated')).body as { readonly rules?: unknown }).rules,
    whole: [rule('list | core | nodes'), rule('get | core | nodes'), rule('get | /logs')],
    less: [rule('get | core | nodes'), rule('get | /logs')],
  };
}
