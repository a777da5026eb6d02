// Objects that a real kube-apiserver of 1.36 refuses: a smallest one, what is changed in it, and what the answer says of
// each field. Answers of that server.
import type { AnyShape } from '../../testing/anyShape.js';

/** A change of fields by their paths, and the causes in the answer, each by its field and the beginning of its text. */
type Refusal = readonly [change: AnyShape, ...causes: readonly string[]];

interface Refused {
  readonly smallest: AnyShape;
  readonly refused: readonly Refusal[];
}

const labels = { app: 'a' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [{ name: 'm', image: 'x' }] } };
const workload = { spec: { selector, template } };

const notLabel = 'Invalid value: "a b": a valid label must be an empty string';
const always = 'supported values: "Always"';

/** What all kinds with a template of pods refuse. */
const ofWorkloads: readonly Refusal[] = [
  [
    { 'spec.template.spec.restartPolicy': 'Never' },
    `spec.template.spec.restartPolicy: Unsupported value: "Never": ${always}`,
  ],
  [
    { 'spec.template.spec.restartPolicy': 'x' },
    'spec.template.spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
    `spec.template.spec.restartPolicy: Unsupported value: "x": ${always}`,
  ],
  [
    { 'spec.template.spec.ephemeralContainers': [{ name: 'e', image: 'x', terminationMessagePolicy: 'File' }] },
    'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
  ],
];

const unreadable = { matchLabels: labels, matchExpressions: [{ key: 'k', operator: 'In', values: ['v', 'a b'] }] };

/** An autoscaler has one replica at least by default. */
const noMaximum = [
  'spec.maxReplicas: Required value: must be set and greater than 0',
  'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
];
const utilization = { type: 'Utilization', averageUtilization: 50 };
/** What any empty source of a metric lacks. */
const lacks = (source: string): readonly string[] => [
  `spec.metrics[0].${source}.metric.name: Required value: must specify a metric name`,
  `spec.metrics[0].${source}.target.type: Required value: must specify a metric target type`,
  `spec.metrics[0].${source}.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue`,
];

const indexed = (completions: number): AnyShape => ({
  'spec.completionMode': 'Indexed',
  'spec.completions': completions,
});

const ofResources = (...resources: readonly string[]): AnyShape => ({
  ...{ operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources },
});

export const presentRefusals: Readonly<Record<string, Refused>> = {
  '/apis/apps/v1/namespaces/default/daemonsets': {
    smallest: workload,
    refused: [
      ...ofWorkloads,
      [
        { 'spec.selector': undefined },
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
      [{ 'spec.selector': unreadable }, `spec.selector.matchExpressions[0].values[1]: ${notLabel}`],
      [{ 'spec.updateStrategy': { type: 'x' } }, 'spec.updateStrategy: Unsupported value: {'],
      [
        { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 'x' } } },
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "x": a valid percent string',
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
      ],
    ],
  },
  '/apis/apps/v1/namespaces/default/deployments': {
    smallest: workload,
    refused: [
      ...ofWorkloads,
      [
        { 'spec.selector': unreadable },
        `spec.selector.matchExpressions[0].values[1]: ${notLabel}`,
        'spec.selector: Invalid value: {',
      ],
      [{ 'spec.strategy': { type: 'x' } }, 'spec.strategy: Unsupported value: {'],
      [
        { 'metadata.labels': { [`a/${'x'.repeat(64)}`]: 'x'.repeat(64), 'a/b/c': '' } },
        'metadata.labels: Invalid value: "a/b/c": a valid label key must consist of',
        `metadata.labels: Invalid value: "a/${'x'.repeat(64)}": name part must be no more than 63 bytes`,
        `metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
      ],
    ],
  },
  '/apis/apps/v1/namespaces/default/statefulsets': {
    smallest: workload,
    refused: [
      ...ofWorkloads,
      [{ 'metadata.name': 'a.b' }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
      [
        { 'spec.selector': unreadable },
        `spec.selector.matchExpressions[0].values[1]: ${notLabel}`,
        'spec.selector: Invalid value: {',
      ],
      [
        { 'spec.ordinals': { start: -1 } },
        'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        { 'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'x' } },
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "x": supported values: "Retain", "Delete"',
      ],
    ],
  },
  '/apis/apps/v1/namespaces/default/controllerrevisions': {
    smallest: { revision: 1, data: {} },
    refused: [[{ data: 'x' }, 'data: Required value: data must be a valid JSON object']],
  },
  '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies': {
    smallest: { spec: { podSelector: {}, egress: [{ to: [{ podSelector: {} }] }] } },
    refused: [
      [
        { 'spec.egress[0].to[0].ipBlock': { cidr: '10.0.0.0/8' } },
        'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
      ],
      [
        { 'spec.egress[0].to[0]': { ipBlock: { cidr: 'x', except: ['y'] } } },
        'spec.egress[0].to[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
      [
        { 'spec.ingress': [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.1/16', '010.0.0.0/16'] } }] }] },
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.1/16": must not have bits set beyond the prefix length',
        'spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "010.0.0.0/16": must not have leading 0s in IP or prefix length',
      ],
      [
        { 'spec.ingress': [{ ports: [{ endPort: 1 }, { port: 'x', endPort: 1 }, { port: 2, endPort: 0 }] }] },
        'spec.ingress[0].ports[0].endPort: Invalid value: 1: may not be specified when `port` is not specified',
        'spec.ingress[0].ports[1].endPort: Invalid value: 1: may not be specified when `port` is non-numeric',
        'spec.ingress[0].ports[2].endPort: Invalid value: 2: must be greater than or equal to `port`',
        'spec.ingress[0].ports[2].endPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        { 'spec.ingress': [{ ports: [{ port: '0--' }] }] },
        'spec.ingress[0].ports[0].port: Invalid value: "0--": must contain at least one letter (a-z)',
        'spec.ingress[0].ports[0].port: Invalid value: "0--": must not begin or end with a hyphen',
        'spec.ingress[0].ports[0].port: Invalid value: "0--": must not contain consecutive hyphens',
      ],
    ],
  },
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses': {
    smallest: { spec: { defaultBackend: { service: { name: '1s', port: { number: 80 } } } } },
    refused: [
      [
        { 'metadata.annotations': { 'kubernetes.io/ingress.class': 'a' }, 'spec.ingressClassName': 'b' },
        'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
      ],
      [
        { 'spec.defaultBackend': { resource: { apiGroup: '', kind: 'a/b', name: '' } } },
        'spec.defaultBackend.resource.apiGroup: Invalid value: "": a lowercase RFC 1123 subdomain',
        'spec.defaultBackend.resource.kind: Invalid value: "a/b": may not contain \'/\'',
        'spec.defaultBackend.resource.name: Required value',
      ],
      [
        { 'spec.defaultBackend.service.name': 'A' },
        'spec.defaultBackend.service.name: Invalid value: "A": a lowercase RFC 1123 label',
      ],
      [
        { 'spec.tls': [{ hosts: ['a.*'] }], 'spec.rules': [{ host: '*' }, { host: 'a', http: { paths: [] } }] },
        'spec.rules[0].host: Invalid value: "*": a wildcard DNS-1123 subdomain must start with \'*.\'',
        'spec.rules[1].http.paths: Required value',
        'spec.tls[0].hosts[0]: Invalid value: "a.*": a wildcard DNS-1123 subdomain must start with \'*.\'',
      ],
    ],
  },
  '/apis/networking.k8s.io/v1/ingressclasses': {
    smallest: { spec: { controller: 'example.com/c', parameters: { kind: 'K', name: 'n' } } },
    refused: [
      [
        { 'spec.controller': `example.com/${'x'.repeat(250)}` },
        'spec.controller: Too long: may not be more than 250 bytes',
      ],
      [
        { 'spec.parameters': { namespace: 'x' } },
        "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
        'spec.parameters.kind: Required value',
        'spec.parameters.name: Required value',
      ],
      [
        { 'spec.parameters.scope': 'Namespace' },
        "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
      ],
      [
        { 'spec.parameters.scope': 'Namespace', 'spec.parameters.namespace': 'a.b' },
        'spec.parameters.namespace: Invalid value: "a.b": must not contain dots',
      ],
    ],
  },
  '/apis/networking.k8s.io/v1/ipaddresses': {
    smallest: { metadata: { name: '10.9.8.7' } },
    refused: [[{}, 'spec.parentRef: Required value']],
  },
  '/apis/networking.k8s.io/v1/servicecidrs': {
    smallest: {},
    refused: [
      [{}, 'spec.cidrs: Required value: at least one CIDR required'],
      [
        { spec: { cidrs: ['10.9.8.0/24', '10.9.7.0'] } },
        'spec.cidrs[1]: Invalid value: "10.9.7.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
  },
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices': {
    smallest: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }] },
    refused: [
      [{ endpoints: [{}] }, 'endpoints[0].addresses: Required value: must contain at least 1 address'],
      [
        { endpoints: [{ addresses: ['x', 'fd00::1'], hostname: 'a.b', nodeName: '-' }] },
        'endpoints[0].addresses[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address',
        'endpoints[0].hostname: Invalid value: "a.b": must not contain dots',
        'endpoints[0].nodeName: Invalid value: "-": a lowercase RFC 1123 subdomain',
      ],
      [
        { addressType: 'FQDN', endpoints: [{ addresses: ['', 'a', 'A.b', 'a.b.'] }] },
        'endpoints[0].addresses[0]: Required value',
        'endpoints[0].addresses[1]: Invalid value: "a": should be a domain with at least two segments',
        'endpoints[0].addresses[2]: Invalid value: "A.b": a lowercase RFC 1123 subdomain',
      ],
      [
        { endpoints: Array(1001).fill({ addresses: ['10.1.2.3'] }) },
        'endpoints: Too many: 1001: must have at most 1000 items',
      ],
      [
        { 'endpoints[0].hints': { forZones: [{ name: 'z' }, { name: 'z' }, { name: 'a b' }], forNodes: [{}] } },
        'endpoints[0].hints.forZones[1].name: Duplicate value: "z"',
        'endpoints[0].hints.forZones[2].name: Invalid value: "a b": a valid label',
        'endpoints[0].hints.forNodes[0].name: Invalid value: "": a lowercase RFC 1123 subdomain',
      ],
      [
        {
          ports: [
            { name: 'A', port: 1 },
            { port: 2, protocol: 'X' },
            { port: 3, appProtocol: 'a b' },
          ],
        },
        'ports[0].name: Invalid value: "A": a lowercase RFC 1123 label',
        'ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
        'ports[2].appProtocol: Invalid value: "a b": name part must consist of',
        'ports[2].name: Duplicate value: ""',
      ],
    ],
  },
  '/apis/node.k8s.io/v1/runtimeclasses': {
    smallest: { handler: 'h' },
    refused: [
      [{ handler: undefined }, 'handler: Required value'],
      [
        { overhead: { podFixed: { 'a.b/c': '10m', storage: '1', 'a/b/c': '1' } } },
        'overhead.limits[a.b/c]: Invalid value: "10m": must be an integer',
        'overhead.limits[storage]: Invalid value: "storage": must be a standard resource for containers',
        'overhead.limits[a/b/c]: Invalid value: "a/b/c": a valid label key',
        'overhead.limits[a/b/c]: Invalid value: "a/b/c": doesn\'t follow extended resource name standard',
      ],
      [
        { scheduling: { tolerations: [{ operator: 'Equal' }] } },
        'scheduling.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty',
      ],
    ],
  },
  '/apis/storage.k8s.io/v1/csidrivers': {
    smallest: { spec: {} },
    refused: [
      [
        { 'spec.nodeAllocatableUpdatePeriodSeconds': 9, 'spec.serviceAccountTokenInSecrets': true },
        'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
        'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests',
      ],
    ],
  },
  '/apis/storage.k8s.io/v1/csinodes': {
    smallest: { spec: { drivers: [{ name: 'A.example.com', nodeID: 'n' }] } },
    refused: [
      [{ 'spec.drivers[0].name': '' }, 'spec.drivers[0].name: Required value'],
      [{ 'spec.drivers[0].nodeID': 'x'.repeat(257) }, 'spec.drivers[0].nodeID: Invalid value: "xxx'],
    ],
  },
  '/apis/storage.k8s.io/v1/storageclasses': {
    smallest: { provisioner: 'example.com/p' },
    refused: [
      [{ reclaimPolicy: 'x' }, 'reclaimPolicy: Unsupported value: "x": supported values: "Delete", "Retain"'],
      [
        { parameters: Object.fromEntries(Array.from({ length: 513 }, (_, at) => [`k${at}`, ''])) },
        'parameters: Too long: may not be more than 512 bytes',
      ],
    ],
  },
  '/apis/storage.k8s.io/v1/volumeattachments': {
    smallest: { spec: { attacher: 'A.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    refused: [[{ 'spec.attacher': '' }, 'spec.attacher: Required value']],
  },
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': {
    smallest: {},
    refused: [
      [
        { aggregationRule: { clusterRoleSelectors: [unreadable] } },
        `aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values[1]: ${notLabel}`,
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      ],
    ],
  },
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations': {
    smallest: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
    refused: [
      [{ 'spec.exempt': { lendablePercent: 101 } }, 'spec.exempt: Forbidden: must be nil if the type is Limited'],
      [
        { 'spec.limited.limitResponse.queuing': { queues: -1 } },
        'spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited',
      ],
      [
        { 'spec.limited.limitResponse': { type: 'Queue', queuing: { queues: -1 } } },
        'spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive',
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 8: should not be greater than queues (-1)',
      ],
    ],
  },
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers': {
    smallest: { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 2 } },
    refused: [
      [{ 'spec.maxReplicas': undefined }, ...noMaximum],
      [
        { 'spec.targetCPUUtilizationPercentage': 0 },
        'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
      ],
      [
        { 'spec.scaleTargetRef.apiVersion': 'v1' },
        'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
      ],
      [
        { 'spec.scaleTargetRef.apiVersion': 'a/b/c' },
        'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      ],
    ],
  },
  '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers': {
    smallest: { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 2 } },
    refused: [
      [{ 'spec.maxReplicas': undefined }, ...noMaximum],
      [
        { 'spec.minReplicas': 0 },
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
      [
        { 'spec.metrics': [{ type: 'x' }] },
        'spec.metrics[0].type: Unsupported value: "x": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[0].type: Unsupported value: "x": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
      [
        { 'spec.metrics': [{ type: 'Resource' }] },
        'spec.metrics[0].resource: Required value: must populate information for the given metric source',
      ],
      [
        { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: utilization }, external: {} }] },
        ...lacks('external'),
        'spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric',
        'spec.metrics[0].external: Forbidden: must populate the given metric source only',
      ],
      [
        { 'spec.metrics': [{ type: 'Pods', pods: {} }] },
        ...lacks('pods'),
        'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue',
      ],
      [
        { 'spec.metrics': [{ type: 'Object', object: {} }] },
        ...lacks('object'),
        'spec.metrics[0].object.describedObject.kind: Required value',
        'spec.metrics[0].object.describedObject.name: Required value',
        'spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue',
      ],
      [
        {
          'spec.metrics': [
            { type: 'ContainerResource', containerResource: { name: 'x', container: 'A', target: utilization } },
          ],
        },
        'spec.metrics[0].containerResource.name: Invalid value: "x": must be a standard resource type or fully qualified',
        'spec.metrics[0].containerResource.name: Invalid value: "x": must be a standard resource for containers',
        'spec.metrics[0].containerResource.container: Invalid value: "A": a lowercase RFC 1123 label',
      ],
      [
        {
          'spec.metrics': [
            { type: 'Resource', resource: { name: 'cpu', target: { ...utilization, value: '0', averageValue: '1' } } },
          ],
        },
        'spec.metrics[0].resource.target.value: Invalid value: "0": must be positive',
        'spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value',
      ],
      [
        { 'spec.behavior': { scaleUp: { policies: [{ type: 'x', periodSeconds: 1801 }], selectPolicy: 'x' } } },
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "x": supported values: "Disabled", "Max", "Min"',
        'spec.behavior.scaleUp.policies[0].type: Unsupported value: "x": supported values: "Percent", "Pods"',
        'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
        'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      ],
      [
        { 'spec.behavior': { scaleDown: { stabilizationWindowSeconds: 3601, tolerance: '-1' } } },
        'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
        'spec.behavior.scaleDown.tolerance: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
  },
  '/apis/batch/v1/namespaces/default/jobs': {
    smallest: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    refused: [
      [
        { 'spec.template.spec.restartPolicy': 'Always' },
        'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
      [
        { 'spec.backoffLimitPerIndex': 1, 'spec.maxFailedIndexes': 1 },
        'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
        'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
      ],
      [
        { ...indexed(2), 'spec.maxFailedIndexes': 3 },
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
        'spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions',
      ],
      [
        { ...indexed(100_001), 'spec.backoffLimitPerIndex': 1, 'spec.parallelism': 10_001 },
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000',
      ],
      [{ 'spec.managedBy': '' }, 'spec.managedBy: Required value'],
      [{ 'spec.managedBy': 'a' }, 'spec.managedBy: Invalid value: "a": must be a domain-prefixed path'],
      [
        { 'spec.managedBy': `A/${'#'.repeat(64)}` },
        'spec.managedBy: Invalid value: "A": a lowercase RFC 1123 subdomain',
        'spec.managedBy: Invalid value: "###',
        'spec.managedBy: Too long: may not be more than 63 bytes',
      ],
      [
        { 'spec.podReplacementPolicy': 'x' },
        'spec.podReplacementPolicy: Unsupported value: "x": supported values: "Failed", "TerminatingOrFailed"',
      ],
      [
        {
          'spec.podReplacementPolicy': 'TerminatingOrFailed',
          'spec.template.spec.restartPolicy': 'OnFailure',
          'spec.podFailurePolicy': { rules: [{}, { action: 'FailIndex', onExitCodes: {}, onPodConditions: [{}] }] },
        },
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy',
        'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
        'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
        'spec.podFailurePolicy.rules[1].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
        'spec.podFailurePolicy.rules[1].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
        'spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: null: at least one value is required',
        'spec.podFailurePolicy.rules[1].onPodConditions[0].type: Invalid value: "": name part must be non-empty',
        'spec.podFailurePolicy.rules[1].onPodConditions[0].type: Invalid value: "": name part must consist of',
        'spec.podFailurePolicy.rules[1]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
      ],
      [
        {
          'spec.podFailurePolicy': {
            rules: [{ action: 'x', onExitCodes: { containerName: 'n', operator: 'In', values: [2, 0, 2] } }],
          },
        },
        'spec.podFailurePolicy.rules[0].action: Unsupported value: "x": supported values: "Count", "FailIndex"',
        'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "n": must be one of the container',
        'spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator',
        'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 2',
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,0,2]: must be ordered',
      ],
      [{ 'spec.successPolicy': {} }, 'spec.successPolicy: Invalid value: {'],
      [
        { ...indexed(3), 'spec.successPolicy': {} },
        'spec.successPolicy.rules: Required value: at least one rules must be specified',
      ],
      [
        {
          ...indexed(3),
          'spec.successPolicy': {
            rules: ['0-1-2', 'x', '3', '1-0', '1,1', '0-1'].map((succeededIndexes) => ({
              succeededIndexes,
              succeededCount: succeededIndexes === '0-1' ? 3 : 0,
            })),
          },
        },
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates',
        'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "x": error parsing succeededIndexes: cannot convert string to integer for index: "x"',
        'spec.successPolicy.rules[2].succeededIndexes: Invalid value: "3": error parsing succeededIndexes: too large index: "3"',
        'spec.successPolicy.rules[3].succeededIndexes: Invalid value: "1-0": error parsing succeededIndexes: non-increasing order, previous: 1, current: 0',
        'spec.successPolicy.rules[4].succeededIndexes: Invalid value: "1,1": error parsing succeededIndexes: non-increasing order, previous: 1, current: 1',
        'spec.successPolicy.rules[5].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes',
      ],
    ],
  },
  '/apis/batch/v1/namespaces/default/cronjobs': {
    smallest: {
      spec: {
        schedule: '@daily',
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
    refused: [
      [
        { 'spec.jobTemplate.spec.template.spec.restartPolicy': 'x' },
        'spec.jobTemplate.spec.template.spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
        'spec.jobTemplate.spec.template.spec.restartPolicy: Unsupported value: "x": supported values: "OnFailure", "Never"',
      ],
      [
        { 'spec.jobTemplate.spec.completionMode': 'x' },
        'spec.jobTemplate.spec.completionMode: Unsupported value: "x": supported values: "NonIndexed", "Indexed"',
      ],
      [
        { 'spec.jobTemplate.spec.completionMode': 'Indexed' },
        'spec.jobTemplate.spec.completions: Required value: when completion mode is Indexed',
      ],
      [
        { 'spec.jobTemplate.spec.backoffLimitPerIndex': 1 },
        'spec.jobTemplate.spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
      ],
      ...['Nowhere', '../x', 'a b'].map(
        (timeZone): Refusal => [
          { 'spec.timeZone': timeZone },
          `spec.timeZone: Invalid value: "${timeZone}": unknown time zone ${timeZone}`,
        ],
      ),
      [{ 'spec.timeZone': '' }, 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
      [{ 'spec.timeZone': 'Local' }, 'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone'],
    ],
  },
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': {
    smallest: { spec: { policyName: 'p', validationActions: ['Deny'] } },
    refused: [
      [
        { 'spec.matchResources': { matchPolicy: 'x' } },
        'spec.matchResources.matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"',
      ],
    ],
  },
  '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies': {
    smallest: {
      spec: {
        reinvocationPolicy: 'Never',
        matchConstraints: { resourceRules: [ofResources('deployments', '*')] },
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
      },
    },
    refused: [
      [
        { 'spec.matchConstraints.resourceRules[0].resources': ['*', 'deployments'] },
        'spec.matchConstraints.resourceRules[0].resources: Invalid value: ["*","deployments"]: if \'*\' is present, must not',
      ],
      [
        { 'spec.reinvocationPolicy': 'x' },
        'spec.reinvocationPolicy: Unsupported value: "x": supported values: "IfNeeded", "Never"',
      ],
      [
        { 'spec.variables': [{ name: 'a b', expression: '1' }] },
        'spec.variables[0].name: Invalid value: "a b": must be a valid CEL identifier',
      ],
    ],
  },
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations': {
    smallest: {
      webhooks: [
        {
          ...{ name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
          clientConfig: { url: 'https://hooks.example.com/x' },
        },
      ],
    },
    refused: [[{ 'webhooks[0].name': 'A' }, 'webhooks[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain']],
  },
  '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims': {
    smallest: { spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c' } }] } } },
    refused: [
      [{ 'spec.devices.constraints': [{}] }, 'spec.devices.constraints[0]: Required value: exactly one of'],
      [
        { 'spec.devices.constraints': [{ matchAttribute: '1' }, { distinctAttribute: '/' }] },
        'spec.devices.constraints[0].matchAttribute: Invalid value: "1": a valid C identifier must start with',
        'spec.devices.constraints[0].matchAttribute: Invalid value: "1": a fully qualified name must be a domain and a name',
        'spec.devices.constraints[1].distinctAttribute: Invalid value: "": the domain must not be empty',
        'spec.devices.constraints[1].distinctAttribute: Invalid value: "": the name must not be empty',
      ],
      [
        { 'spec.devices.config': [{ requests: ['A', 'a/b/c'], opaque: { driver: 'D.example.com', parameters: 1 } }] },
        'spec.devices.config[0].requests[0]: Invalid value: "A": a lowercase RFC 1123 label',
        'spec.devices.config[0].requests[0]: Invalid value: "A": must be the name of a request in the claim',
        'spec.devices.config[0].requests[1]: Invalid value: "a/b/c": must be the name of a request in the claim',
        'spec.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
      ],
    ],
  },
};
