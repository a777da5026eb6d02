// The objects that a cluster with roles begins with.
import type { DecodedObject } from '../../../schema/object.js';
import type { Rule } from '../rules.js';
import { clusterRoles } from './clusterRoles.js';
import { controllerRoles } from './controllerRoles.js';
import { namespacedRoles } from './namespacedRoles.js';

const group = 'rbac.authorization.k8s.io';
const controllerPrefix = 'system:controller:';

/** What words in place of verbs stand for. */
const verbsOf: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};
const eventRule = 'create patch update | core events.k8s.io | events';

/**
 * Reads roles: a name on a line, and below it a rule on each line, as `verbs | groups | resources | names` or as
 * `verbs | paths`. The group `core` is the one without a name.
 */
function rolesIn(text: string): readonly (readonly [name: string, rules: readonly Rule[]])[] {
  const roles: [string, Rule[]][] = [];
  for (const line of text.trim().split('\n')) {
    if (!line.startsWith(' ')) roles.push([line, []]);
    else roles.at(-1)?.[1].push(ruleOf(line.trim()));
  }
  return roles;
}

function ruleOf(line: string): Rule {
  const [verbs = [], ...rest] = (line === 'events' ? eventRule : line).split(' | ').map((words) => words.split(' '));
  const allVerbs = verbs.flatMap((word) => verbsOf[word] ?? word).sort();
  const [groups = [], resources, names] = rest;
  if (resources === undefined) return { verbs: allVerbs, nonResourceURLs: groups };
  return {
    verbs: allVerbs,
    apiGroups: groups.map((name) => (name === 'core' ? '' : name)),
    resources,
    ...(names && { resourceNames: names }),
  };
}

/** An object of the start: its resource as `group/plural`, and the object. */
export interface FirstObject {
  readonly resource: string;
  readonly object: DecodedObject;
}

const made = (
  plural: string,
  kind: string,
  content: object,
  name: string,
  namespace?: string,
  labels = {},
): FirstObject => ({
  resource: `${group}/${plural}`,
  object: {
    apiVersion: `${group}/v1`,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    ...content,
  },
});

const aggregateTo = (role: string) => ({ [`${group}/aggregate-to-${role}`]: 'true' });

/** A role for people, with the rules of all roles that are labelled for it; `of` is the larger one that has it too. */
const aggregated = (name: string, of?: string): FirstObject => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] };
  const labels = of === undefined ? {} : aggregateTo(of);
  return made('clusterroles', 'ClusterRole', { aggregationRule, rules: [] }, name, undefined, labels);
};

const clusterRole = (name: string, rules: readonly Rule[]): FirstObject => {
  const [, part] = /^system:aggregate-to-(.+)$/.exec(name) ?? [];
  return made('clusterroles', 'ClusterRole', { rules }, name, undefined, part === undefined ? {} : aggregateTo(part));
};

/** Reads a subject: `group:<name>`, `user:<name>`, or the name of a service account of `kube-system`. */
function subjectOf(text: string): object {
  const [, kind, name] = /^(group|user):(.+)$/.exec(text) ?? [];
  if (kind === undefined) return { kind: 'ServiceAccount', name: text, namespace: 'kube-system' };
  return { apiGroup: group, kind: kind === 'group' ? 'Group' : 'User', name };
}

const binding = (
  name: string,
  kind: string,
  role: string,
  subjects: readonly string[],
  namespace?: string,
): FirstObject => {
  const roleRef = { apiGroup: group, kind, name: role };
  const content = { ...(subjects.length > 0 && { subjects: subjects.map(subjectOf) }), roleRef };
  return namespace === undefined
    ? made('clusterrolebindings', 'ClusterRoleBinding', content, name)
    : made('rolebindings', 'RoleBinding', content, name, namespace);
};

/** The subjects of the ClusterRoles that are granted from the start. */
const bound: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['group:system:masters'],
  'system:basic-user': ['group:system:authenticated'],
  'system:discovery': ['group:system:authenticated'],
  'system:kube-controller-manager': ['user:system:kube-controller-manager'],
  'system:kube-dns': ['kube-dns'],
  'system:kube-scheduler': ['user:system:kube-scheduler'],
  'system:monitoring': ['group:system:monitoring'],
  'system:node': [],
  'system:node-proxier': ['user:system:kube-proxy'],
  'system:public-info-viewer': ['group:system:authenticated', 'group:system:unauthenticated'],
  'system:service-account-issuer-discovery': ['group:system:serviceaccounts'],
  'system:volume-scheduler': ['user:system:kube-scheduler'],
};

const leading = (component: string) => `system::leader-locking-${component}`;
/** The controller-manager also chooses the leaders of other components, by an account of its own. */
const ofComponent = (component: string): readonly string[] => [
  `user:system:${component}`,
  component,
  ...(component === 'kube-controller-manager' ? ['leader-election-controller'] : []),
];

/** The Roles that are granted from the start: namespace, binding, role, subjects. */
const boundInNamespaces: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'kube-system',
    'system::extension-apiserver-authentication-reader',
    'extension-apiserver-authentication-reader',
    ['user:system:kube-controller-manager', 'user:system:kube-scheduler'],
  ],
  ...['kube-controller-manager', 'kube-scheduler'].map(
    (name) => ['kube-system', leading(name), leading(name), ofComponent(name)] as const,
  ),
  ...[
    'kube-public/bootstrap-signer',
    'kube-system/bootstrap-signer',
    'kube-system/cloud-provider',
    'kube-system/token-cleaner',
  ].map((place) => {
    const [namespace = '', account = ''] = place.split('/');
    return [namespace, controllerPrefix + account, controllerPrefix + account, [account]] as const;
  }),
];

/** What the authorization mode Node grants to nodes, but for the limits to the objects of their own pods. */
export const nodeRules = (): readonly Rule[] => new Map(rolesIn(clusterRoles)).get('system:node') ?? [];

/** Returns the objects in the order in which they are made: an aggregated role comes after those that it aggregates. */
export function firstObjects(): readonly FirstObject[] {
  const ofControllers = rolesIn(controllerRoles);
  return [
    ...rolesIn(clusterRoles).map(([name, rules]) => clusterRole(name, rules)),
    ...ofControllers.map(([name, rules]) => clusterRole(controllerPrefix + name, rules)),
    aggregated('view', 'edit'),
    aggregated('edit', 'admin'),
    aggregated('admin'),
    ...rolesIn(namespacedRoles).map(([place, rules]) => {
      const slash = place.indexOf('/');
      return made('roles', 'Role', { rules }, place.slice(slash + 1), place.slice(0, slash));
    }),
    ...Object.entries(bound).map(([role, subjects]) => binding(role, 'ClusterRole', role, subjects)),
    ...ofControllers.map(([name]) => binding(controllerPrefix + name, 'ClusterRole', controllerPrefix + name, [name])),
    ...boundInNamespaces.map(([namespace, name, role, subjects]) => binding(name, 'Role', role, subjects, namespace)),
  ];
}
