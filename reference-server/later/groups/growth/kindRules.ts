// The rules of all kinds but pods that came after the interface: a row for each field.
import { isIP, isIPv6 } from 'node:net';
import { whyUnreachable } from '../../../registry/strategies/endpoints.js';
import { isReadable, validateSelector } from '../../../registry/strategies/labelSelector.js';
import { validatePort } from '../../../registry/strategies/probes.js';
import { validateAmounts, validateScopes } from '../../../registry/strategies/resourceQuotas.js';
import { badAddress } from '../../../registry/strategies/services.js';
import { isNone } from '../../../registry/strategies/workloads.js';
import {
  configKey,
  dns1123Label,
  dns1123Subdomain,
  hostPattern,
  labelValue,
  pathSegment,
  qualifiedName,
} from '../../../schema/formats.js';
import { compareQuantities, isWhole, quantityRatio } from '../../../schema/quantity.js';
import { networkOf, whyNoBlock } from './addresses.js';
import { ofContainers, standardAmounts } from './administeredRules.js';
import {
  all,
  atMostAll,
  each,
  exactlyOneOf,
  formatted,
  must,
  notNegative,
  oneOf,
  positive,
  type Rule,
  type Rules,
  required,
  share,
  unique,
} from './rules.js';

const rbac = 'rbac.authorization.k8s.io';
const wholeName = formatted(pathSegment);

const loadBalancerIngress: Rule = ({ ip = '', hostname = '', ipMode }, at, causes) => {
  if (ipMode !== undefined && ip === '')
    causes.forbidden(`${at()}.ipMode`, 'may not be specified when `ip` is not set');
  else causes.oneOf(`${at()}.ipMode`, ipMode, ['Proxy', 'VIP']);
  if (ip !== '' && isIP(ip) === 0) causes.invalid(`${at()}.ip`, ip, badAddress);
  if (hostname === '') return;
  causes.format(`${at()}.hostname`, hostname, dns1123Subdomain);
  if (isIP(hostname) !== 0) causes.invalid(`${at()}.hostname`, hostname, 'must be a DNS name, not an IP address');
};

const subject =
  (isNamespaced: boolean): Rule =>
  ({ kind = '', apiGroup = '', name = '', namespace = '' }, at, causes) => {
    if (!name) causes.required(`${at()}.name`);
    const group = (wanted: string) => causes.oneOf(`${at()}.apiGroup`, apiGroup, [wanted]);
    if (kind === 'ServiceAccount') {
      if (name) causes.format(`${at()}.name`, name, dns1123Subdomain);
      group('');
      if (!namespace && !isNamespaced) causes.required(`${at()}.namespace`);
    } else if (kind === 'User' || kind === 'Group') group(rbac);
    else causes.notSupported(`${at()}.kind`, kind, ['ServiceAccount', 'User', 'Group']);
  };

const policyRule =
  (isNamespaced: boolean): Rule =>
  (rule, at, causes) => {
    const { verbs = [], nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
    if (verbs.length === 0) causes.required(`${at()}.verbs`, 'verbs must contain at least one value');
    if (nonResourceURLs.length > 0) {
      const refuse = (why: string) => causes.invalid(`${at()}.nonResourceURLs`, nonResourceURLs, why);
      if (isNamespaced) refuse('namespaced rules cannot apply to non-resource URLs');
      if (apiGroups.length + resources.length + resourceNames.length > 0) {
        refuse('rules cannot apply to both regular resources and non-resource URLs');
      }
      return;
    }
    if (apiGroups.length === 0)
      causes.required(`${at()}.apiGroups`, 'resource rules must supply at least one api group');
    if (resources.length === 0)
      causes.required(`${at()}.resources`, 'resource rules must supply at least one resource');
  };

const selectorRule: Rule = (selector, at, causes) => {
  if (selector !== undefined) validateSelector(at(), selector, causes);
};

const ipBlock: Rule = (block, at, causes) => {
  if (block === undefined) return;
  const { cidr = '', except = [] } = block;
  // The core reports an absent block.
  if (!cidr) return;
  const network = networkOf(cidr);
  if (network === undefined) {
    causes.invalid(`${at()}.cidr`, cidr, whyNoBlock(cidr));
    return;
  }
  for (const [index, inner] of except.entries()) {
    const field = `${at()}.except[${index}]`;
    const part = networkOf(inner);
    if (part === undefined) causes.invalid(field, inner, whyNoBlock(inner));
    else {
      const isWithin = network.list.check(part.address, isIPv6(part.address) ? 'ipv6' : 'ipv4');
      if (!isWithin || part.bits <= network.bits) causes.invalid(field, inner, 'must be a strict subset of `cidr`');
    }
  }
};

/** A peer of egress; the core checks those of ingress. */
const egressPeer: Rule = (peer, at, causes) => {
  const { podSelector, namespaceSelector, ipBlock: block } = peer;
  selectorRule(podSelector, () => `${at()}.podSelector`, causes, peer);
  selectorRule(namespaceSelector, () => `${at()}.namespaceSelector`, causes, peer);
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && block === undefined) causes.required(at(), 'must specify a peer');
  if (selects && block !== undefined) causes.forbidden(at(), 'may not specify both ipBlock and another peer');
  if (block !== undefined && !block.cidr) causes.required(`${at()}.ipBlock.cidr`);
};

const egressPort: Rule = ({ protocol, port }, at, causes) => {
  causes.oneOf(`${at()}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']);
  if (port !== undefined) validatePort(`${at()}.port`, port, causes);
};

const egress: Rule = (rule, at, causes) => {
  each(egressPeer)(rule.to, () => `${at()}.to`, causes, rule);
  each(egressPort)(rule.ports, () => `${at()}.ports`, causes, rule);
};

const peer = { ipBlock };
const policySpec = {
  egress: each(egress),
  policyTypes: all(
    must((types) => types.length <= 2, 'may not specify more than two policyTypes'),
    (types, at, causes, owner) => {
      if ((types ?? []).length <= 2) each(exactlyOneOf('Ingress', 'Egress'))(types, at, causes, owner);
    },
  ),
};

const longestController = 250;

const parametersNamespace: Rule = (namespace, at, causes, { scope }) => {
  if (scope === 'Namespace') {
    if (namespace === undefined) causes.required(at(), "`parameters.scope` is set to 'Namespace'");
    causes.format(at(), namespace, dns1123Label);
  } else if (scope === 'Cluster' && namespace !== undefined) {
    causes.forbidden(at(), "`parameters.scope` is set to 'Cluster'");
  }
};

const badPathParts = ['//', '/./', '/../', '%2f', '%2F'];
const badPathEnds = ['/..', '/.'];

/** Paths that are compared with those of requests are in the form that requests have. */
const ingressPath: Rule = ({ path = '', pathType }, at, causes) => {
  if (pathType !== 'Exact' && pathType !== 'Prefix') return;
  const field = `${at()}.path`;
  // The core reports a path that is there and not absolute.
  if (path === '') causes.invalid(field, path, 'must be an absolute path');
  for (const part of badPathParts) if (path.includes(part)) causes.invalid(field, path, `must not contain '${part}'`);
  for (const end of badPathEnds) if (path.endsWith(end)) causes.invalid(field, path, `cannot end with '${end}'`);
};

const tlsHost: Rule = (host, at, causes) => causes.format(at(), host ?? '', hostPattern);

const endPort: Rule = (last, at, causes, { port }) => {
  if (last === undefined) return;
  if (port === undefined) causes.invalid(at(), last, 'may not be specified when `port` is not specified');
  else if (typeof port === 'string') causes.invalid(at(), last, 'may not be specified when `port` is non-numeric');
  else {
    if (last < port) causes.invalid(at(), port, 'must be greater than or equal to `port`');
    causes.port(at(), last);
  }
};

/** Types without a port on the nodes. */
const serviceTypes = ['ClusterIP', 'ExternalName'];

const serviceSpec: Rule = (spec, at, causes) => {
  const { type, externalTrafficPolicy: policy, healthCheckNodePort: health } = spec;
  const isExposed =
    type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
  for (const [index, address] of (spec.externalIPs ?? []).entries()) {
    const why = isIP(address) === 0 ? undefined : whyUnreachable(address);
    if (why !== undefined) causes.invalid(`${at()}.externalIPs[${index}]`, address, why);
  }
  const field = `${at()}.externalTrafficPolicy`;
  if (isExposed) causes.oneOf(field, policy, ['Cluster', 'Local']);
  else if (policy !== undefined && serviceTypes.includes(type))
    causes.invalid(field, policy, 'may only be set for externally-accessible services');
  if (health !== undefined && health < 0) {
    causes.invalid(`${at()}.healthCheckNodePort`, health, 'HealthCheckNodePort must be not less than 0');
  } else if (health && !(type === 'LoadBalancer' && policy === 'Local')) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    causes.invalid(`${at()}.healthCheckNodePort`, health, why);
  }
  if ((spec.loadBalancerSourceRanges ?? []).length > 0 && type !== 'LoadBalancer')
    causes.forbidden(`${at()}.LoadBalancerSourceRanges`, "may only be used when `type` is 'LoadBalancer'");
};

const longestAffinity = 86_400;
const affinitySeconds = must(
  (seconds) => seconds > 0 && seconds <= longestAffinity,
  `must be greater than 0 and less than ${longestAffinity}`,
);

const noDeadline =
  (kind: string): Rule =>
  (template, at, causes) => {
    if (template?.spec?.activeDeadlineSeconds === undefined) return;
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    causes.forbidden(`${at()}.spec.activeDeadlineSeconds`, why);
  };

const daemonStrategies = ['RollingUpdate', 'OnDelete'];
const daemonStrategy: Rule = (strategy, at, causes, owner) => {
  const { type, rollingUpdate } = strategy ?? {};
  if (type !== undefined && !daemonStrategies.includes(type)) causes.notSupported(at(), strategy, daemonStrategies);
  if (type === 'RollingUpdate' && rollingUpdate)
    rollingDaemons(rollingUpdate, () => `${at()}.rollingUpdate`, causes, owner);
};
const rollingDaemons: Rule = (rolling, at, causes) => {
  const { maxUnavailable = 1, maxSurge = 0 } = rolling;
  for (const [field, value] of Object.entries({ maxUnavailable, maxSurge })) {
    all(share, atMostAll)(value, () => `${at()}.${field}`, causes, rolling);
  }
  if (isNone(maxUnavailable)) {
    if (isNone(maxSurge)) causes.required(`${at()}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  } else if (!isNone(maxSurge)) {
    causes.invalid(`${at()}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
};

const binaryData: Rule = (data, at, causes, { data: text = {} }) => {
  for (const key of Object.keys(data ?? {})) {
    for (const problem of configKey(key)) causes.invalid(`${at()}[${key}]`, key, problem);
    if (Object.hasOwn(text, key)) causes.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
  }
};

const storage = {
  storageClassName: ((name, at, causes) => {
    // The empty name is that of no class.
    if (name) causes.format(at(), name, dns1123Subdomain);
  }) as Rule,
  volumeMode: oneOf('Block', 'Filesystem'),
};

const dataSource: Rule = (source, at, causes) => {
  if (source === undefined) return;
  if (!source.name) causes.required(`${at()}.name`);
  if (!source.kind) causes.required(`${at()}.kind`);
  if (source.apiGroup) causes.format(`${at()}.apiGroup`, source.apiGroup, dns1123Subdomain);
  else if (source.kind !== 'PersistentVolumeClaim') {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    causes.invalid(at(), source.kind ?? '', why);
  }
};

/** Both sources of a claim name the same object. */
const sameSource: Rule = ({ dataSource: one, dataSourceRef: other }, at, causes) => {
  if (one === undefined || other === undefined) return;
  if (other.namespace) {
    causes.invalid(at(), {}, 'may not be specified when dataSourceRef.namespace is specified');
  } else if ((['apiGroup', 'kind', 'name'] as const).some((field) => (one[field] ?? '') !== (other[field] ?? ''))) {
    causes.invalid(at(), {}, 'must match dataSourceRef');
  }
};

const limitTypes = ['Container', 'PersistentVolumeClaim', 'Pod'];
const isOfContainers = (name: string): boolean => ofContainers.includes(name) || /\/|^hugepages-/.test(name);
const isStandard = (name: string): boolean =>
  name.includes('/') || standardAmounts.includes(name) || name.startsWith('hugepages-');

const limitAmounts: Rule = (amounts, at, causes, { type }) => {
  for (const name of Object.keys(amounts ?? {})) {
    causes.format(`${at()}[${name}]`, name, qualifiedName);
    if (!isStandard(name))
      causes.invalid(`${at()}[${name}]`, name, 'must be a standard resource type or fully qualified');
    if (type === 'Container' && !isOfContainers(name))
      causes.invalid(`${at()}[${name}]`, name, 'must be a standard resource for containers');
  }
};

const limitItem: Rule = ({ type = '', max = {}, min = {}, maxLimitRequestRatio = {} }, at, causes) => {
  causes.format(`${at()}.type`, type, qualifiedName);
  if (type && !type.includes('/') && !limitTypes.includes(type) && qualifiedName(type).length === 0) {
    causes.invalid(`${at()}.type`, type, 'must be a standard limit type or fully qualified');
  }
  if (type === 'PersistentVolumeClaim' && max.storage === undefined && min.storage === undefined) {
    const why = 'either minimum or maximum storage value is required, but neither was provided';
    causes.required(`${at()}.limits`, why);
  }
  for (const [name, ratio] of Object.entries<string>(maxLimitRequestRatio)) {
    if (max[name] === undefined || min[name] === undefined || compareQuantities(min[name], '0') <= 0) continue;
    const most = quantityRatio(max[name], min[name]);
    if (quantityRatio(ratio, '1') <= most) continue;
    const why = `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`;
    causes.invalid(`${at()}.maxLimitRequestRatio[${name}]`, ratio, why);
  }
};

const simpleScopes = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'];
const scopes = [...simpleScopes, 'PriorityClass', 'CrossNamespacePodAffinity'];

const quotaSelector: Rule = (selector, at, causes, spec) => {
  const requirements: readonly { readonly scopeName?: string }[] = selector?.matchExpressions ?? [];
  const given = requirements.flatMap(({ scopeName = '' }) => (scopes.includes(scopeName) ? [scopeName] : []));
  validateScopes(`${at()}.matchExpressions`, given, selector, spec, causes);
};

const quotaHard: Rule = (hard, at, causes) => {
  for (const [name, amount] of Object.entries<string>(hard ?? {})) {
    const field = `${at()}[${name}]`;
    if (name.includes('/')) causes.format(field, name, qualifiedName);
    if (name.startsWith('count/') && !isWhole(amount)) causes.invalid(field, amount, 'must be an integer');
  }
};

/** The path of a requirement leaves out which one of the list it is. */
const scopeRequirement: Rule = ({ scopeName = '', operator, values = [] }, place, causes) => {
  const at = () => place().replace(/\[\d+\]$/, '');
  if (!scopes.includes(scopeName)) causes.invalid(`${at()}.scopeName`, scopeName, 'unsupported scope');
  if (simpleScopes.includes(scopeName) && operator !== 'Exists') {
    const why = `must be 'Exist' only operator when scope is any of ${simpleScopes
      .map((name) => `ResourceQuotaScope${name}`)
      .join(', ')
      .replace(/, ([^,]*)$/, ' and $1')}`;
    causes.invalid(`${at()}.operator`, operator, why);
    return;
  }
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) causes.required(`${at()}.values`, why);
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) causes.invalid(`${at()}.values`, values, why);
  } else causes.invalid(`${at()}.operator`, operator, 'not a valid selector operator');
};

const nodeAmounts: Rule = (amounts, at, causes) => {
  for (const [name, amount] of Object.entries<string>(amounts ?? {})) {
    if (compareQuantities(amount, '0') < 0)
      causes.invalid(`${at()}.${name}`, amount, 'must be greater than or equal to 0');
    else if (name === 'pods' && !isWhole(amount)) causes.invalid(`${at()}.${name}`, amount, 'must be an integer');
  }
};

const cidr = must((text) => networkOf(text) !== undefined, 'must be valid CIDR');

const resizes = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizePending',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
];

const quotaAmounts: Rule = (amounts = {}, at, causes) => validateAmounts(at(), amounts, causes);

const onePerFamily: Rule = (ranges = [], at, causes) => {
  const families = ranges.map((range: string) => range.includes(':'));
  if (new Set(families).size < families.length)
    causes.invalid(at(), ranges, 'may specify no more than one CIDR for each IP family');
};

const taint: Rule = ({ key, value, effect }, at, causes) => {
  causes.format(`${at()}.key`, key ?? '', qualifiedName);
  causes.format(`${at()}.value`, value, labelValue);
  if (!effect) causes.required(`${at()}.effect`);
  else causes.oneOf(`${at()}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']);
};

const taints = all(
  each(taint),
  unique(({ key, effect }) => `${key}:${effect}`),
);

export const kindRules: Rules = {
  'rbac.v1.ClusterRoleBinding': { subjects: each(subject(false)) },
  'rbac.v1.RoleBinding': { subjects: each(subject(true)) },
  'rbac.v1.RoleRef': { apiGroup: oneOf(rbac), name: wholeName },
  'rbac.v1.Role': { rules: each(policyRule(true)) },
  'rbac.v1.ClusterRole': { rules: each(policyRule(false)) },
  'rbac.v1.AggregationRule': {
    clusterRoleSelectors: all(
      required('at least one clusterRoleSelector required if aggregationRule is non-nil'),
      each((selector, at, causes, owner) => {
        selectorRule(selector, at, causes, owner);
        if (!isReadable(selector)) causes.invalid(at(), null, 'invalid label selector.');
      }),
    ),
  },
  'coordination.v1.LeaseSpec': {
    leaseDurationSeconds: positive,
    leaseTransitions: must((count) => count >= 0, 'must be greater than or equal to 0'),
  },
  NetworkPolicySpec: policySpec,
  NetworkPolicyPeer: peer,
  NetworkPolicyPort: { endPort },
  IngressSpec: { ingressClassName: formatted(dns1123Subdomain) },
  IngressTLS: { hosts: each(tlsHost), secretName: formatted(dns1123Subdomain) },
  HTTPIngressPath: { '': ingressPath },
  // The core reports an empty list.
  HTTPIngressRuleValue: { paths: (paths, at, causes) => paths ?? causes.required(at()) },
  'networking.v1.IngressClassSpec': {
    controller: all(
      required(),
      (name, at, causes) => {
        if ((name ?? '').length > longestController) causes.longerThan(at(), longestController);
      },
      must((name) => name.includes('/'), 'must be a domain-prefixed path (such as "acme.io/foo")'),
      (name, at, causes) => {
        if (name?.includes('/')) causes.format(at(), name.slice(0, name.indexOf('/')), dns1123Subdomain);
      },
    ),
  },
  'networking.v1.IngressClassParametersReference': {
    kind: all(required(), wholeName),
    name: all(required(), wholeName),
    apiGroup: formatted(dns1123Subdomain),
    scope: oneOf('Cluster', 'Namespace'),
    namespace: parametersNamespace,
  },
  'policy.v1.PodDisruptionBudgetSpec': {
    minAvailable: all(share, atMostAll),
    maxUnavailable: all(share, atMostAll),
    unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
  },
  DaemonSetSpec: {
    template: noDeadline('DaemonSet'),
    revisionHistoryLimit: notNegative,
    updateStrategy: daemonStrategy,
  },
  DeploymentSpec: { template: noDeadline('ReplicaSet') },
  ReplicaSetSpec: { template: noDeadline('ReplicaSet') },
  ReplicationControllerSpec: { template: noDeadline('ReplicationController') },
  'apps.v1.StatefulSetSpec': {
    template: noDeadline('StatefulSet'),
    podManagementPolicy: must(
      (policy) => ['OrderedReady', 'Parallel'].includes(policy),
      "must be 'OrderedReady' or 'Parallel'",
    ),
    updateStrategy: (strategy, at, causes) => {
      const { type, rollingUpdate } = strategy ?? {};
      if (type !== 'RollingUpdate' && type !== 'OnDelete') {
        causes.invalid(at(), strategy, "must be 'RollingUpdate' or 'OnDelete'");
      } else if (type === 'OnDelete' && rollingUpdate !== undefined) {
        causes.invalid(`${at()}.rollingUpdate`, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'");
      }
    },
  },
  'apps.v1.RollingUpdateStatefulSetStrategy': { partition: notNegative },
  'apps.v1.StatefulSetOrdinals': { start: notNegative },
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': {
    whenDeleted: oneOf('Retain', 'Delete'),
    whenScaled: oneOf('Retain', 'Delete'),
  },
  ServiceSpec: { '': serviceSpec, internalTrafficPolicy: oneOf('Cluster', 'Local') },
  ServicePort: { appProtocol: formatted(qualifiedName) },
  ClientIPConfig: { timeoutSeconds: affinitySeconds },
  EndpointAddress: { nodeName: formatted(dns1123Subdomain) },
  EndpointPort: { appProtocol: formatted(qualifiedName) },
  ConfigMap: { binaryData },
  PersistentVolumeClaimSpec: {
    ...storage,
    dataSource,
    dataSourceRef: dataSource,
    volumeAttributesClassName: formatted(dns1123Subdomain),
    '': sameSource,
  },
  PersistentVolumeSpec: {
    ...storage,
    '': ({ csi, hostPath, local, nodeAffinity, persistentVolumeReclaimPolicy: policy, ...spec }, at, causes) => {
      if (spec.volumeAttributesClassName !== undefined && csi === undefined)
        causes.required(`${at()}.csi`, 'has to be specified when using volumeAttributesClassName');
      if (policy === 'Recycle' && hostPath?.path === '/') {
        causes.forbidden(`${at()}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'");
      }
      if (local !== undefined && nodeAffinity === undefined) {
        causes.required(`${at()}.nodeAffinity`, 'Local volume requires node affinity');
      }
    },
  },
  VolumeNodeAffinity: { required: required('must specify required node constraints') },
  CSIPersistentVolumeSource: { driver: formatted(dns1123Subdomain) },
  GlusterfsPersistentVolumeSource: {
    endpointsNamespace: (name, at, causes) => {
      const why = 'if the endpointnamespace is set, it must be a valid namespace name';
      if (name !== undefined && dns1123Label(name).length > 0) causes.invalid(at(), name, why);
    },
  },
  AzureFilePersistentVolumeSource: {
    secretNamespace: (name, at, causes) => {
      if (name === '') causes.required(at());
    },
  },
  LimitRangeSpec: { limits: each(limitItem) },
  LimitRangeItem: { max: limitAmounts, min: limitAmounts, default: limitAmounts, defaultRequest: limitAmounts },
  ResourceQuotaStatus: { hard: quotaAmounts, used: quotaAmounts },
  PersistentVolumeClaimStatus: {
    capacity: (capacity = {}, at, causes) => {
      for (const [name, amount] of Object.entries<string>(capacity))
        if (compareQuantities(amount, '0') < 0)
          causes.invalid(`${at()}[${name}]`, amount, 'must be a valid resource quantity');
    },
    allocatedResourceStatuses: (statuses = {}, at, causes) => {
      for (const status of Object.values<string>(statuses)) causes.oneOf(at(), status, resizes);
    },
  },
  ResourceQuotaSpec: { scopeSelector: quotaSelector, hard: quotaHard },
  ScopedResourceSelectorRequirement: { '': scopeRequirement },
  NodeSpec: {
    podCIDRs: all(each(cidr), onePerFamily),
    taints: (list, _at, causes) => taints(list, () => 'metadata.taints', causes, list),
  },
  NodeStatus: {
    addresses: unique(({ type, address }) => `${type} ${address}`),
    capacity: nodeAmounts,
    allocatable: nodeAmounts,
  },
  LoadBalancerIngress: { '': loadBalancerIngress },
  'networking.v1.IngressLoadBalancerIngress': { '': loadBalancerIngress },
  'extensions.v1beta1.IngressLoadBalancerIngress': { '': loadBalancerIngress },
};
