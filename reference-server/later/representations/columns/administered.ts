// The columns of the kinds by which clusters are administered.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { durationText } from './age.js';
import { ageColumn, type Column, nameColumn, none, type TableColumns, tableOf, unset } from './column.js';

/** The name of a class, and whether claims without a class have it. */
const className: Column<unknown> = {
  ...nameColumn,
  cell: ({ metadata: { name = '', annotations = {} } }) =>
    annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ? `${name} (default)` : name,
};

const storageClasses = tableOf<ObjectOf<'storage.v1.StorageClass'>>([
  className,
  { name: 'Provisioner', description: 'Who provisions the volumes.', cell: ({ provisioner }) => provisioner ?? '' },
  {
    name: 'ReclaimPolicy',
    description: 'What becomes of a volume without its claim.',
    cell: ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
  },
  {
    name: 'VolumeBindingMode',
    description: 'When volumes are provisioned and bound.',
    cell: ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
  },
  {
    name: 'AllowVolumeExpansion',
    description: 'Whether claims may grow.',
    cell: ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
  },
  ageColumn,
]);

const attributesClasses = tableOf<ObjectOf<'storage.v1.VolumeAttributesClass'>>([
  nameColumn,
  { name: 'DriverName', description: 'The driver of the volumes.', cell: ({ driverName }) => driverName ?? '' },
  ageColumn,
]);

const csiDrivers = tableOf<ObjectOf<'storage.v1.CSIDriver'>>([
  nameColumn,
  {
    name: 'AttachRequired',
    type: 'boolean',
    description: 'Whether volumes are attached to nodes.',
    cell: ({ spec }) => spec?.attachRequired ?? true,
  },
  {
    name: 'PodInfoOnMount',
    type: 'boolean',
    description: 'Whether the driver is told of the pod that mounts.',
    cell: ({ spec }) => spec?.podInfoOnMount ?? false,
  },
  {
    name: 'StorageCapacity',
    type: 'boolean',
    description: 'Whether the driver reports its capacity.',
    cell: ({ spec }) => spec?.storageCapacity ?? false,
  },
  {
    name: 'TokenRequests',
    description: 'The audiences of the tokens that the driver gets.',
    cell: ({ spec }) => (spec?.tokenRequests ?? []).map(({ audience = '' }) => audience).join(',') || unset,
  },
  {
    name: 'RequiresRepublish',
    type: 'boolean',
    description: 'Whether volumes are mounted again and again.',
    cell: ({ spec }) => spec?.requiresRepublish ?? false,
  },
  {
    name: 'Modes',
    description: 'The lifecycles of volumes that the driver knows.',
    cell: ({ spec }) => (spec?.volumeLifecycleModes ?? []).join(',') || none,
  },
  ageColumn,
]);

const csiNodes = tableOf<ObjectOf<'storage.v1.CSINode'>>([
  nameColumn,
  {
    name: 'Drivers',
    type: 'integer',
    description: 'How many drivers the node has.',
    cell: ({ spec }) => spec?.drivers?.length ?? 0,
  },
  ageColumn,
]);

const volumeAttachments = tableOf<ObjectOf<'storage.v1.VolumeAttachment'>>([
  nameColumn,
  { name: 'Attacher', format: 'name', description: 'Who attaches.', cell: ({ spec }) => spec?.attacher ?? '' },
  {
    name: 'PV',
    description: 'The volume that is attached.',
    cell: ({ spec }) => spec?.source?.persistentVolumeName ?? '',
  },
  { name: 'Node', description: 'The node that it is attached to.', cell: ({ spec }) => spec?.nodeName ?? '' },
  {
    name: 'Attached',
    type: 'boolean',
    description: 'Whether it is attached.',
    cell: ({ status }) => status?.attached ?? false,
  },
  ageColumn,
]);

const priorityClasses = tableOf<ObjectOf<'scheduling.v1.PriorityClass'>>([
  nameColumn,
  { name: 'Value', type: 'integer', description: 'The priority of the pods.', cell: ({ value }) => value ?? 0 },
  {
    name: 'Global-Default',
    type: 'boolean',
    description: 'Whether pods without a class have it.',
    cell: ({ globalDefault }) => globalDefault ?? false,
  },
  ageColumn,
  {
    name: 'PreemptionPolicy',
    description: 'Whether pods take the place of others.',
    cell: ({ preemptionPolicy }) => preemptionPolicy ?? '',
  },
]);

const runtimeClasses = tableOf<ObjectOf<'node.v1.RuntimeClass'>>([
  nameColumn,
  { name: 'Handler', description: 'The runtime on the node.', cell: ({ handler }) => handler ?? '' },
  ageColumn,
]);

const flowSchemas = tableOf<ObjectOf<'flowcontrol.v1.FlowSchema'>>([
  nameColumn,
  {
    name: 'PriorityLevel',
    description: 'The priority level of the requests.',
    cell: ({ spec }) => spec?.priorityLevelConfiguration?.name ?? '',
  },
  {
    name: 'MatchingPrecedence',
    description: 'The place among the schemas that match: the lowest one is taken.',
    cell: ({ spec }) => spec?.matchingPrecedence ?? 0,
  },
  {
    name: 'DistinguisherMethod',
    description: 'How the requests are divided into flows.',
    cell: ({ spec }) => spec?.distinguisherMethod?.type ?? none,
  },
  ageColumn,
  {
    name: 'MissingPL',
    description: 'Whether there is no such priority level.',
    cell: ({ status }) => status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  },
]);

const limited = ({ spec }: ObjectOf<'flowcontrol.v1.PriorityLevelConfiguration'>) => spec?.limited;

const priorityLevels = tableOf<ObjectOf<'flowcontrol.v1.PriorityLevelConfiguration'>>([
  nameColumn,
  { name: 'Type', description: 'Whether the requests are limited.', cell: ({ spec }) => spec?.type ?? '' },
  {
    name: 'NominalConcurrencyShares',
    description: 'The share of the requests at a time.',
    cell: (level) => limited(level)?.nominalConcurrencyShares ?? none,
  },
  {
    name: 'Queues',
    description: 'The number of queues.',
    cell: (level) => limited(level)?.limitResponse?.queuing?.queues ?? none,
  },
  {
    name: 'HandSize',
    description: 'The number of queues that a flow may be in.',
    cell: (level) => limited(level)?.limitResponse?.queuing?.handSize ?? none,
  },
  {
    name: 'QueueLengthLimit',
    description: 'The most requests in a queue.',
    cell: (level) => limited(level)?.limitResponse?.queuing?.queueLengthLimit ?? none,
  },
  ageColumn,
]);

const apiServices = tableOf<ObjectOf<'apiregistration.v1.APIService'>>([
  nameColumn,
  {
    name: 'Service',
    description: 'The service of the server that has the API.',
    cell: ({ spec }) => (spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local'),
  },
  {
    name: 'Available',
    description: 'Whether the API can be called.',
    cell: ({ status }) => {
      const found = status?.conditions?.find(({ type }) => type === 'Available');
      if (found === undefined) return 'Unknown';
      return found.status === 'True' ? 'True' : `${found.status} (${found.reason ?? ''})`;
    },
  },
  ageColumn,
]);

/** What has become of a request. */
function signingState({ status }: ObjectOf<'certificates.v1.CertificateSigningRequest'>): string {
  const has = (wanted: string) => (status?.conditions ?? []).some(({ type }) => type === wanted);
  const state = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return [state, ...(has('Failed') ? ['Failed'] : []), ...(status?.certificate ? ['Issued'] : [])].join(',');
}

const signingRequests = tableOf<ObjectOf<'certificates.v1.CertificateSigningRequest'>>([
  nameColumn,
  ageColumn,
  { name: 'SignerName', description: 'Who is asked to sign.', cell: ({ spec }) => spec?.signerName ?? none },
  { name: 'Requestor', description: 'The user who asked.', cell: ({ spec }) => spec?.username ?? '' },
  {
    name: 'RequestedDuration',
    description: 'How long the certificate should be valid.',
    cell: ({ spec }) => (spec?.expirationSeconds === undefined ? none : durationText(spec.expirationSeconds * 1000)),
  },
  { name: 'Condition', description: 'What has become of the request.', cell: signingState },
]);

const ipAddresses = tableOf<ObjectOf<'networking.v1.IPAddress'>>([
  nameColumn,
  {
    name: 'ParentRef',
    description: 'The object that has the address.',
    cell: ({ spec }) => {
      const { group = '', resource = '', namespace = '', name = '' } = spec?.parentRef ?? {};
      if (spec?.parentRef === undefined) return none;
      return [group === '' ? resource : `${resource}.${group}`, namespace, name].filter(Boolean).join('/');
    },
  },
]);

const serviceCidrs = tableOf<ObjectOf<'networking.v1.ServiceCIDR'>>([
  nameColumn,
  { name: 'CIDRs', description: 'The blocks of addresses.', cell: ({ spec }) => (spec?.cidrs ?? []).join(',') },
  ageColumn,
]);

const resourceClaims = tableOf<ObjectOf<'resource.v1.ResourceClaim'>>([
  nameColumn,
  {
    name: 'State',
    description: 'Whether the claim has devices.',
    cell: ({ metadata: { deletionTimestamp }, status }) => {
      const deleted = deletionTimestamp === undefined ? [] : ['deleted'];
      if (status?.allocation === undefined) return deletionTimestamp === undefined ? 'pending' : 'deleted';
      return [...deleted, 'allocated', ...((status.reservedFor?.length ?? 0) > 0 ? ['reserved'] : [])].join(',');
    },
  },
  ageColumn,
]);

const resourceSlices = tableOf<ObjectOf<'resource.v1.ResourceSlice'>>([
  nameColumn,
  { name: 'Node', description: 'The node of the devices.', cell: ({ spec }) => spec?.nodeName ?? '' },
  { name: 'Driver', description: 'The driver of the devices.', cell: ({ spec }) => spec?.driver ?? '' },
  { name: 'Pool', description: 'The pool of the devices.', cell: ({ spec }) => spec?.pool?.name ?? '' },
  ageColumn,
]);

type Policy = ObjectOf<'admissionregistration.v1.ValidatingAdmissionPolicy'> &
  ObjectOf<'admissionregistration.v1.MutatingAdmissionPolicy'>;

/** The policies of a kind, with the number of their rules. */
const policies = (name: string, description: string, rules: (policy: Policy) => readonly unknown[] | undefined) =>
  tableOf<Policy>([
    nameColumn,
    { name, type: 'integer', description, cell: (policy) => rules(policy)?.length ?? 0 },
    {
      name: 'ParamKind',
      description: 'The kind of the parameters.',
      cell: ({ spec }) => {
        const { apiVersion = '', kind = '' } = spec?.paramKind ?? {};
        return spec?.paramKind === undefined ? unset : `${apiVersion}/${kind}`;
      },
    },
    ageColumn,
  ]);

/** A selector in the words of real servers, which print the struct. */
function printedSelector({ matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'>): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((name) => `${name}: ${matchLabels[name]},`)
    .join('');
  const requirements = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}

const policyBindings = tableOf<ObjectOf<'admissionregistration.v1.ValidatingAdmissionPolicyBinding'>>([
  nameColumn,
  { name: 'PolicyName', description: 'The policy that is bound.', cell: ({ spec }) => spec?.policyName ?? '' },
  {
    name: 'ParamRef',
    description: 'The parameters of the policy.',
    cell: ({ spec }) => {
      const { name, namespace, selector } = spec?.paramRef ?? {};
      if (name) return namespace ? `${namespace}/${name}` : `*/${name}`;
      return selector === undefined ? unset : printedSelector(selector);
    },
  },
  ageColumn,
]);

const named = tableOf<unknown>([nameColumn, ageColumn]);

/** The tables by `group/plural`. */
export const administeredColumns: Readonly<Record<string, TableColumns>> = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': policies(
    'Mutations',
    'How many mutations there are.',
    ({ spec }) => spec?.mutations,
  ),
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': policyBindings,
  'admissionregistration.k8s.io/validatingadmissionpolicies': policies(
    'Validations',
    'How many validations there are.',
    ({ spec }) => spec?.validations,
  ),
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': policyBindings,
  'apiregistration.k8s.io/apiservices': apiServices,
  'certificates.k8s.io/certificatesigningrequests': signingRequests,
  'flowcontrol.apiserver.k8s.io/flowschemas': flowSchemas,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevels,
  'networking.k8s.io/ipaddresses': ipAddresses,
  'networking.k8s.io/servicecidrs': serviceCidrs,
  'node.k8s.io/runtimeclasses': runtimeClasses,
  'resource.k8s.io/deviceclasses': named,
  'resource.k8s.io/resourceclaims': resourceClaims,
  'resource.k8s.io/resourceclaimtemplates': named,
  'resource.k8s.io/resourceslices': resourceSlices,
  'scheduling.k8s.io/priorityclasses': priorityClasses,
  'storage.k8s.io/csidrivers': csiDrivers,
  'storage.k8s.io/csinodes': csiNodes,
  'storage.k8s.io/storageclasses': storageClasses,
  'storage.k8s.io/volumeattachments': volumeAttachments,
  'storage.k8s.io/volumeattributesclasses': attributesClasses,
};
