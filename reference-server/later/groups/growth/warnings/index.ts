// What servers of today say about objects of each kind that they take: a row for each kind, by `group/plural`.
import type { ObjectOf } from '../../../../../matrix/api/modern/objects.js';
import { isOfStatus, type Part, type Strategy } from '../../../../registry/strategy.js';
import { dns1123Label } from '../../../../schema/formats.js';
import { type KubeObject, part } from '../../../../schema/object.js';
import { compareQuantities } from '../../../../schema/quantity.js';
import { addressWarnings, blockWarnings } from './addresses.js';
import { whyNoPair } from './keyPairs.js';
import { keyWarnings, selectorWarnings, termWarnings } from './nodeLabels.js';
import { podWarnings } from './pods.js';
import { claimWarnings, persistentWarnings } from './volumes.js';

/** The minor version whose words these are. What earlier servers say of less is left out. */
const since = 36;

type Warnings = (object: KubeObject, current?: KubeObject) => readonly string[];

interface Told {
  readonly main?: Warnings;
  readonly status?: Warnings;
}

type Template = ObjectOf<'PodTemplateSpec'>;
type Ingresses = readonly { readonly ip?: string }[];

const specOf = <Spec extends object>(object: KubeObject): Spec => part<Spec>(object, 'spec');
const isNew = (current?: KubeObject): boolean => current === undefined;
const isChanged = (object: KubeObject, current?: KubeObject): boolean =>
  object.metadata.generation !== current?.metadata.generation;
const annotated = ({ metadata }: KubeObject, key: string): boolean => metadata.annotations?.[key] !== undefined;

const shapes = 'which can result in surprising behavior; a DNS label is recommended';
/** A name that pods take over should be that of a host. */
function nameWarnings({ metadata: { name = '' } }: KubeObject, usedIn: string): readonly string[] {
  const why = dns1123Label(name);
  return why.length === 0 ? [] : [`metadata.name: this is used in ${usedIn}, ${shapes}: [${why.join(' ')}]`];
}
const inPodNames = 'Pod names and hostnames';

/** Of a kind with a template: its name when it is new, its template when it changes, and more each time. */
const ofTemplates =
  (at: string, templateOf: (object: KubeObject) => Template | undefined, isNamed: boolean, more?: Warnings): Warnings =>
  (object, current) => [
    ...(isNamed && isNew(current) ? nameWarnings(object, inPodNames) : []),
    ...(isChanged(object, current) ? podWarnings(templateOf(object) ?? {}, at) : []),
    ...(more?.(object, current) ?? []),
  ];

const templateOf = (object: KubeObject) => specOf<{ readonly template?: Template }>(object).template;
const workload = (isNamed: boolean, more?: Warnings): Told => ({
  main: ofTemplates('spec.template', templateOf, isNamed, more),
});

const [manyCompletions, manyPods] = [100_000, 10_000];
const tooMany =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

const jobWarnings = (at: string, { completionMode, completions = 0, parallelism = 0 }: ObjectOf<'batch.v1.JobSpec'>) =>
  completionMode === 'Indexed' && completions > manyCompletions && parallelism > manyPods ? [`${at}: ${tooMany}`] : [];

const jobIn = (cronJob: KubeObject) => specOf<ObjectOf<'batch.v1.CronJobSpec'>>(cronJob).jobTemplate?.spec ?? {};

const cronJobs: Told = {
  main: ofTemplates(
    'spec.jobTemplate.spec.template',
    (cronJob) => jobIn(cronJob).template,
    true,
    (cronJob, current) => [
      ...(isChanged(cronJob, current) ? jobWarnings('spec.jobTemplate.spec', jobIn(cronJob)) : []),
      ...(!isNew(current) && specOf<ObjectOf<'batch.v1.CronJobSpec'>>(cronJob).schedule?.includes('TZ')
        ? [
            'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
          ]
        : []),
    ],
  ),
};

const statefulSets = workload(false, (set, current) => {
  const { volumeClaimTemplates = [], revisionHistoryLimit = 0 } = specOf<ObjectOf<'apps.v1.StatefulSetSpec'>>(set);
  const below = isNew(current) ? '' : '.Spec';
  return [
    ...volumeClaimTemplates.flatMap(({ spec = {} }, index) =>
      claimWarnings(`spec.volumeClaimTemplates[${index}]${below}`, spec),
    ),
    ...(revisionHistoryLimit < 0
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ];
});

const balancerWarnings: Warnings = (object) =>
  (
    part<{ readonly loadBalancer?: { readonly ingress?: Ingresses } }>(object, 'status').loadBalancer?.ingress ?? []
  ).flatMap(({ ip }, index) => (ip ? addressWarnings(`status.loadBalancer.ingress[${index}]`, ip) : []));

const services: Warnings = (service) => {
  const spec = specOf<ObjectOf<'ServiceSpec'>>(service);
  const { type = 'ClusterIP', clusterIP, clusterIPs = [], externalIPs = [], loadBalancerIP } = spec;
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  const isExternal = type === 'ExternalName';
  const told = (holds: unknown, text: string): readonly string[] => (holds ? [text] : []);
  const hasExternal = externalIPs.length > 0;
  return [
    ...told(
      annotated(service, 'service.kubernetes.io/topology-aware-hints'),
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    ),
    ...(clusterIP === 'None' ? [] : clusterIPs).flatMap((ip, index) =>
      addressWarnings(`spec.clusterIPs[${index}]`, ip),
    ),
    ...told(isHeadless && loadBalancerIP, 'spec.loadBalancerIP is ignored for headless services'),
    ...told(isHeadless && hasExternal, 'spec.externalIPs is ignored for headless services'),
    ...told(isHeadless && spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'),
    ...externalIPs.flatMap((ip, index) => addressWarnings(`spec.externalIPs[${index}]`, ip)),
    ...told(
      hasExternal && !isHeadless && !isExternal,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ),
    ...(loadBalancerIP ? addressWarnings('spec.loadBalancerIP', loadBalancerIP) : []),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((block, index) =>
      blockWarnings(`spec.loadBalancerSourceRanges[${index}]`, block),
    ),
    ...told(isExternal && hasExternal, 'spec.externalIPs is ignored when spec.type is "ExternalName"'),
    ...told(!isExternal && spec.externalName, 'spec.externalName is ignored when spec.type is not "ExternalName"'),
    ...told(
      spec.trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ];
};

const volumes: Warnings = (volume) => {
  const spec = specOf<ObjectOf<'PersistentVolumeSpec'>>(volume);
  const old = {
    'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
    'volume.beta.kubernetes.io/mount-options': 'deprecated since v1.31; use "mountOptions" attribute instead',
  };
  const recycled =
    'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  return [
    ...Object.entries(old).flatMap(([key, why]) =>
      annotated(volume, key) ? [`metadata.annotations[${key}]: ${why}`] : [],
    ),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [`spec.persistentVolumeReclaimPolicy: ${recycled}`] : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      termWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term),
    ),
    ...persistentWarnings(spec),
  ];
};

const classKey = 'volume.beta.kubernetes.io/storage-class';
const claims: Warnings = (claim) => [
  ...(annotated(claim, classKey)
    ? [`metadata.annotations[${classKey}]: deprecated since v1.8; use "storageClassName" attribute instead`]
    : []),
  ...claimWarnings('spec', specOf(claim)),
];

const secrets: Warnings = (secret) => {
  const { type, data = {} } = secret as KubeObject & ObjectOf<'Secret'>;
  if (type !== 'kubernetes.io/tls') return [];
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('latin1');
  const why = whyNoPair(text('tls.crt'), text('tls.key'));
  return why === undefined ? [] : [why];
};

const mountable = 'kubernetes.io/enforce-mountable-secrets';
const accounts: Warnings = (account, current) =>
  annotated(account, mountable) && !(current && annotated(current, mountable))
    ? [
        `metadata.annotations[${mountable}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
      ]
    : [];

const endpoints: Warnings = (object) => {
  if (object.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  const { subsets = [] } = object as KubeObject & ObjectOf<'Endpoints'>;
  return subsets.flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip = '' }, position) =>
        addressWarnings(`subsets[${index}].${list}[${position}].ip`, ip),
      ),
    ),
  );
};

const slices: Warnings = (slice, current) => {
  const { addressType, endpoints: all = [] } = slice as KubeObject & ObjectOf<'discovery.v1.EndpointSlice'>;
  const manager = slice.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '';
  const isOwn = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'].includes(manager);
  return [
    ...(isNew(current) && addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(isOwn ? [] : all).flatMap(({ addresses = [] }, index) =>
      addresses.flatMap((address, position) => addressWarnings(`endpoints[${index}].addresses[${position}]`, address)),
    ),
  ];
};

const nodes: Warnings = (node) => {
  const { configSource, externalID, podCIDRs = [] } = specOf<ObjectOf<'NodeSpec'>>(node);
  return [
    ...(configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...podCIDRs.flatMap((block, index) => blockWarnings(`spec.podCIDRs[${index}]`, block)),
  ];
};

const quotas: Warnings = (quota, current) => {
  const { hard = {} } = specOf<ObjectOf<'ResourceQuotaSpec'>>(quota);
  return (isNew(current) ? ['cpu', 'memory', 'storage', 'ephemeral-storage'] : []).flatMap((name) => {
    const asked = [`requests.${name}`, ...(['cpu', 'memory'].includes(name) ? [name] : [])].find(
      (each) => each in hard,
    );
    const [request, limit] = [hard[asked ?? ''], hard[`limits.${name}`]];
    if (request === undefined || limit === undefined || compareQuantities(request, limit) <= 0) return [];
    return [`ResourceQuota ${asked} (${request}) should be less than limits.${name} (${limit})`];
  });
};

const ingressClass = 'kubernetes.io/ingress.class';
const ingresses: Warnings = (ingress, current) =>
  isNew(current) &&
  annotated(ingress, ingressClass) &&
  specOf<ObjectOf<'networking.v1.IngressSpec'>>(ingress).ingressClassName === undefined
    ? [`annotation "${ingressClass}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];

const networkPolicies: Warnings = (policy) => {
  const { ingress = [], egress = [] } = specOf<ObjectOf<'networking.v1.NetworkPolicySpec'>>(policy);
  const peers = [
    ...ingress.flatMap(({ from = [] }, at) =>
      from.map((peer, index) => [`spec.ingress[${at}].from[${index}]`, peer] as const),
    ),
    ...egress.flatMap(({ to = [] }, at) => to.map((peer, index) => [`spec.egress[${at}].to[${index}]`, peer] as const)),
  ];
  return peers.flatMap(([at, { ipBlock }]) =>
    ipBlock === undefined
      ? []
      : [
          ...blockWarnings(`${at}.ipBlock.cidr`, ipBlock.cidr ?? ''),
          ...(ipBlock.except ?? []).flatMap((block, index) => blockWarnings(`${at}.ipBlock.except[${index}]`, block)),
        ],
  );
};

const runtimeClasses: Warnings = (object) => {
  const { scheduling } = object as KubeObject & ObjectOf<'node.v1.RuntimeClass'>;
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => keyWarnings('scheduling.nodeSelector', label));
};

const storageClasses: Warnings = (object) => {
  const { allowedTopologies = [] } = object as KubeObject & ObjectOf<'storage.v1.StorageClass'>;
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
    matchLabelExpressions.flatMap(({ key = '' }, position) =>
      keyWarnings(`allowedTopologies[${index}].matchLabelExpressions[${position}].key`, key),
    ),
  );
};

const capacities: Warnings = (object) =>
  selectorWarnings('nodeTopology', (object as KubeObject & ObjectOf<'storage.v1.CSIStorageCapacity'>).nodeTopology);

const jobs = workload(true, (job, current) => (isChanged(job, current) ? jobWarnings('spec', specOf(job)) : []));

const told: Readonly<Record<string, Told>> = {
  'apps/statefulsets': statefulSets,
  'batch/cronjobs': cronJobs,
  'batch/jobs': jobs,
  'core/endpoints': { main: endpoints },
  'core/nodes': { main: nodes },
  'core/persistentvolumeclaims': { main: claims },
  'core/persistentvolumes': { main: volumes },
  // Updates of pods are frequent, and no human sends them.
  'core/pods': {
    main: (pod, current) =>
      isNew(current) ? [...nameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod as Template)] : [],
    status: (pod) => {
      const { podIPs = [], hostIPs = [] } = part<ObjectOf<'PodStatus'>>(pod, 'status');
      return Object.entries({ podIPs, hostIPs }).flatMap(([list, addresses]) =>
        addresses.flatMap(({ ip = '' }, index) => addressWarnings(`status.${list}[${index}].ip`, ip)),
      );
    },
  },
  'core/podtemplates': {
    main: ofTemplates('template', (object) => (object as KubeObject & ObjectOf<'PodTemplate'>).template, false),
  },
  'core/replicationcontrollers': workload(true),
  'core/resourcequotas': { main: quotas },
  'core/secrets': { main: secrets },
  'core/serviceaccounts': { main: accounts },
  'core/services': { main: services, status: balancerWarnings },
  'discovery.k8s.io/endpointslices': { main: slices },
  'extensions/daemonsets': workload(false),
  'extensions/deployments': workload(true),
  'extensions/ingresses': { main: ingresses, status: balancerWarnings },
  'extensions/networkpolicies': { main: networkPolicies },
  'extensions/replicasets': workload(true),
  'node.k8s.io/runtimeclasses': { main: runtimeClasses },
  'storage.k8s.io/csistoragecapacities': { main: capacities },
  'storage.k8s.io/storageclasses': { main: storageClasses },
};

/** Returns what a server of a minor version says of a kind; undefined if nothing. */
export function warningsOf(id: string, minor: number): Strategy['warnings'] {
  const own = minor < since ? undefined : told[id];
  return (
    own &&
    ((object, current, of: Part) =>
      (isOfStatus(of) ? own.status : of === 'main' ? own.main : undefined)?.(object, current) ?? [])
  );
}
