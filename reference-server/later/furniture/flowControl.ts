// The priority levels and flow schemas that every cluster has: those that must be there, and those that are suggested.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';

type Level = ObjectOf<'flowcontrol.v1.PriorityLevelConfigurationSpec'>;
type Schema = ObjectOf<'flowcontrol.v1.FlowSchemaSpec'>;
type Rule = NonNullable<Schema['rules']>[number];
type Subjects = NonNullable<Rule['subjects']>;

/** Their owner may change the spec of an object unless it says so. */
const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };

const queued = (shares: number, lendablePercent: number, queues: number, handSize: number): Level => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares: shares,
    lendablePercent,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
  },
});

const levels: Readonly<Record<string, Level>> = {
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  },
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'global-default': queued(20, 50, 128, 6),
  'leader-election': queued(10, 0, 16, 4),
  'node-high': queued(40, 25, 64, 6),
  system: queued(30, 33, 64, 6),
  'workload-high': queued(40, 50, 128, 6),
  'workload-low': queued(100, 90, 128, 6),
};

const groups = (...names: readonly string[]): Subjects => names.map((name) => ({ kind: 'Group', group: { name } }));
const users = (...names: readonly string[]): Subjects => names.map((name) => ({ kind: 'User', user: { name } }));
const everyone = groups('system:unauthenticated', 'system:authenticated');
const systemAccounts: Subjects = [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } }];

const every = ['*'];
const resources = (verbs: readonly string[], apiGroup: string, names: readonly string[], clusterScope?: true) => ({
  verbs,
  apiGroups: [apiGroup],
  resources: names,
  ...(clusterScope && { clusterScope }),
  namespaces: every,
});
const leases = (verbs: readonly string[]) => resources(verbs, 'coordination.k8s.io', ['leases']);

const anything = {
  resourceRules: [resources(every, '*', every, true)],
  nonResourceRules: [{ verbs: every, nonResourceURLs: every }],
};

const schema = (level: string, precedence: number, by: string | undefined, rule: Rule): Schema => ({
  priorityLevelConfiguration: { name: level },
  matchingPrecedence: precedence,
  ...(by !== undefined && { distinguisherMethod: { type: by } }),
  rules: [rule],
});
const all = (level: string, precedence: number, by: string | undefined, subjects: Subjects): Schema =>
  schema(level, precedence, by, { subjects, ...anything });

const schemas: Readonly<Record<string, Schema>> = {
  'catch-all': all('catch-all', 10_000, 'ByUser', everyone),
  exempt: all('exempt', 1, undefined, groups('system:masters')),
  'global-default': all('global-default', 9900, 'ByUser', everyone),
  'kube-controller-manager': all('workload-high', 800, 'ByNamespace', users('system:kube-controller-manager')),
  'kube-scheduler': all('workload-high', 800, 'ByNamespace', users('system:kube-scheduler')),
  'kube-system-service-accounts': all('workload-high', 900, 'ByNamespace', systemAccounts),
  probes: schema('exempt', 2, undefined, {
    subjects: everyone,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  'service-accounts': all('workload-low', 9000, 'ByUser', groups('system:serviceaccounts')),
  'system-leader-election': schema('leader-election', 100, 'ByUser', {
    subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), ...systemAccounts],
    resourceRules: [leases(['get', 'create', 'update'])],
  }),
  'system-node-high': schema('node-high', 400, 'ByUser', {
    subjects: groups('system:nodes'),
    resourceRules: [resources(every, '', ['nodes', 'nodes/status'], true), leases(every)],
  }),
  'system-nodes': all('system', 500, 'ByUser', groups('system:nodes')),
};

export const levelsId = 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations';
export const schemasId = 'flowcontrol.apiserver.k8s.io/flowschemas';

const objectsOf = (resource: string, specs: Readonly<Record<string, object>>) =>
  Object.entries(specs).map(([name, spec]) => ({ resource, object: { metadata: { name, annotations }, spec } }));

/** The objects, with their resources as `group/plural`: first the levels, to which the schemas refer. */
export const flowObjects = [...objectsOf(levelsId, levels), ...objectsOf(schemasId, schemas)];
