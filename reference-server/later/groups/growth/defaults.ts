// The defaults that came after the interface, in types that the interface has too: since which minor version of
// Kubernetes servers set them. Older servers leave the fields as they are, so `--kube-version` decides.
import { pullPolicy } from '../../../schema/defaults.js';
import type { LaterDefaults } from './completion.js';

const nothing = (): object => ({});
const isOneOf =
  (field: string, ...values: readonly string[]) =>
  (value: unknown) =>
  (object: Readonly<Record<string, unknown>>): unknown =>
    values.includes(String(object[field])) ? value : undefined;

const hasType = isOneOf.bind(undefined, 'type');
// Without `omitempty`, a pointer or a list that is absent is null.
const scaleIo = { secretRef: [8, null], storageMode: [8, 'ThinProvisioned'], fsType: [8, 'xfs'] } as const;
const volumeMode = { volumeMode: [13, 'Filesystem'] } as const;

/** A list of ingress rules isolates by ingress, and egress rules by egress too. */
const policyTypes = ({ egress }: { readonly egress?: unknown }): readonly string[] =>
  egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'];

const networkPolicy = { podSelector: [8, nothing], policyTypes: [8, policyTypes] } as const;

const exactCount = 'ExactCount';

/** The metadata of a template are always there, and until 1.33 their time is null. */
const ofTemplate = { 'metadata.creationTimestamp': [5, null, 33], metadata: [34, nothing] } as const;

/** How many devices of a class a request is for. */
const devicesAsked: LaterDefaults[string] = {
  allocationMode: [34, exactCount],
  count: [34, ({ allocationMode }) => (allocationMode === exactCount ? 1 : undefined)],
};

/** How fast autoscalers scale. */
const byPods = { type: 'Pods', value: 4, periodSeconds: 15 };
const byPercent = { type: 'Percent', value: 100, periodSeconds: 15 };

/** Reports whether a service is reached from outside of the cluster. */
const isOutside = ({ type, externalIPs }: Readonly<Record<string, unknown>>): boolean =>
  type === 'NodePort' ||
  type === 'LoadBalancer' ||
  (type === 'ClusterIP' && Array.isArray(externalIPs) && externalIPs.length > 0);

const clientIpSeconds = 10_800;
const mostFailures = 2 ** 31 - 1;

export const laterDefaultsByVersion: LaterDefaults = {
  PodSpec: { schedulerName: [6, 'default-scheduler'] },
  Container: { terminationMessagePolicy: [6, 'File'] },
  EphemeralContainer: {
    resources: [16, nothing],
    terminationMessagePath: [16, '/dev/termination-log'],
    terminationMessagePolicy: [16, 'File'],
    imagePullPolicy: [16, pullPolicy],
  },
  HostPathVolumeSource: { type: [8, ''] },
  ProjectedVolumeSource: { sources: [6, null], defaultMode: [6, 420] },
  ServiceAccountTokenProjection: { expirationSeconds: [10, 3600] },
  AzureFilePersistentVolumeSource: { secretNamespace: [8, null] },
  AzureDiskVolumeSource: { kind: [7, 'Shared'] },
  ScaleIOVolumeSource: scaleIo,
  ScaleIOPersistentVolumeSource: scaleIo,
  PersistentVolumeClaimSpec: { ...volumeMode, resources: [5, nothing] },
  TypedLocalObjectReference: { apiGroup: [12, null] },
  TypedObjectReference: { apiGroup: [24, null] },
  Event: { involvedObject: [5, nothing], reportingComponent: [8, ''], reportingInstance: [8, ''] },
  ContainerStatus: { state: [5, nothing], lastState: [5, nothing] },
  ServiceSpec: {
    sessionAffinityConfig: [
      7,
      isOneOf('sessionAffinity', 'ClientIP')({ clientIP: { timeoutSeconds: clientIpSeconds } }),
    ],
    externalTrafficPolicy: [7, (spec) => (isOutside(spec) ? 'Cluster' : undefined)],
    internalTrafficPolicy: [22, hasType('ClusterIP', 'NodePort', 'LoadBalancer')('Cluster')],
    allocateLoadBalancerNodePorts: [22, hasType('LoadBalancer')(true)],
  },
  SessionAffinityConfig: { clientIP: [7, () => ({ timeoutSeconds: clientIpSeconds })] },
  // Of the templates in a StatefulSet; a claim of its own has all of these.
  PersistentVolumeClaim: {
    ...ofTemplate,
    apiVersion: [17, 'v1'],
    kind: [17, 'PersistentVolumeClaim'],
    spec: [9, nothing],
    status: [9, () => ({ phase: 'Pending' })],
  },
  NodeStatus: { allocatable: [6, ({ capacity }) => capacity] },
  NetworkPolicy: { spec: [8, nothing] },
  'networking.v1.NetworkPolicy': { spec: [8, nothing] },
  NetworkPolicySpec: networkPolicy,
  'networking.v1.NetworkPolicySpec': networkPolicy,
  'apps.v1.DaemonSetUpdateStrategy': {
    type: [9, 'RollingUpdate'],
    rollingUpdate: [9, hasType('RollingUpdate')({ maxUnavailable: 1 })],
  },
  'apps.v1.RollingUpdateDaemonSet': { maxUnavailable: [9, 1], maxSurge: [22, 0] },
  'apps.v1.RollingUpdateStatefulSetStrategy': { partition: [9, 0] },
  'apps.v1.StatefulSetUpdateStrategy': {
    rollingUpdate: [9, ({ type }) => (type === undefined ? { partition: 0 } : undefined)],
    type: [9, 'RollingUpdate'],
  },
  'apps.v1.StatefulSetSpec': {
    serviceName: [9, ''],
    persistentVolumeClaimRetentionPolicy: [27, () => ({ whenDeleted: 'Retain', whenScaled: 'Retain' })],
  },
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': {
    whenDeleted: [27, 'Retain'],
    whenScaled: [27, 'Retain'],
  },
  'coordination.v1.Lease': { spec: [14, nothing] },
  'policy.v1.PodDisruptionBudget': { spec: [5, nothing] },
  ResourceQuota: { spec: [5, nothing] },
  'autoscaling.v2.HorizontalPodAutoscalerBehavior': {
    'scaleUp.stabilizationWindowSeconds': [18, 0],
    'scaleUp.selectPolicy': [18, 'Max'],
    'scaleUp.policies': [18, () => [byPods, byPercent]],
    'scaleDown.selectPolicy': [18, 'Max'],
    'scaleDown.policies': [18, () => [byPercent]],
  },
  HTTPIngressPath: { pathType: [18, 'ImplementationSpecific'] },
  'networking.v1.IngressClass': { spec: [18, nothing] },
  'networking.v1.IngressClassParametersReference': { scope: [22, 'Cluster'] },
  'rbac.v1.RoleRef': { apiGroup: [8, 'rbac.authorization.k8s.io'] },
  'discovery.v1.Endpoint': { conditions: [17, nothing] },
  'discovery.v1.EndpointPort': { name: [21, ''], protocol: [21, 'TCP'] },
  'apiregistration.v1.APIService': { spec: [10, nothing] },
  'apiregistration.v1.ServiceReference': { port: [16, 443] },
  'flowcontrol.v1.FlowSchema': { spec: [29, nothing] },
  'flowcontrol.v1.PriorityLevelConfiguration': { spec: [29, nothing] },
  'flowcontrol.v1.FlowSchemaSpec': { priorityLevelConfiguration: [29, nothing] },
  'flowcontrol.v1.LimitedPriorityLevelConfiguration': {
    nominalConcurrencyShares: [29, 30],
    lendablePercent: [29, 0],
    limitResponse: [29, nothing],
  },
  'flowcontrol.v1.ExemptPriorityLevelConfiguration': { nominalConcurrencyShares: [29, 0], lendablePercent: [29, 0] },
  'scheduling.v1.PriorityClass': { value: [8, 0], preemptionPolicy: [15, 'PreemptLowerPriority'] },
  'storage.v1.StorageClass': { reclaimPolicy: [8, 'Delete'], volumeBindingMode: [9, 'Immediate'] },
  'storage.v1.CSIDriver': { spec: [12, nothing] },
  'storage.v1.CSIDriverSpec': {
    attachRequired: [12, true],
    podInfoOnMount: [12, false],
    volumeLifecycleModes: [16, () => ['Persistent']],
    fsGroupPolicy: [20, 'ReadWriteOnceWithFSType'],
    storageCapacity: [21, false],
    requiresRepublish: [21, false],
    seLinuxMount: [28, false],
  },
  'storage.v1.CSINode': { spec: [12, nothing] },
  'storage.v1.VolumeAttachment': { spec: [10, nothing] },
  'storage.v1.VolumeAttachmentSpec': { source: [10, nothing] },
  ...Object.fromEntries(
    ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'].map((kind) => [
      `resource.v1.${kind}`,
      { spec: [34, nothing] },
    ]),
  ),
  'resource.v1.ResourceClaimSpec': { devices: [34, nothing] },
  'resource.v1.ResourceSliceSpec': { pool: [34, nothing] },
  'resource.v1.ExactDeviceRequest': devicesAsked,
  'resource.v1.DeviceSubRequest': devicesAsked,
  ContainerResizePolicy: { restartPolicy: [33, 'NotRequired'] },
  GRPCAction: { service: [24, ''] },
  PodTemplateSpec: ofTemplate,
  'batch.v1.JobTemplateSpec': ofTemplate,
  PersistentVolumeClaimTemplate: ofTemplate,
  'resource.v1.ResourceClaimTemplateSpec': { ...ofTemplate, spec: [34, nothing] },
};

/**
 * The defaults of a type in one kind alone, by `group/plural` of the kind: the template of a cron job is no job, and the
 * volume in an attachment no volume of its own; the addresses of an ingress are reached in one way.
 */
export const defaultsOfKinds: Readonly<Record<string, LaterDefaults>> = {
  'core/persistentvolumes': { PersistentVolumeSpec: volumeMode },
  'core/services': { LoadBalancerIngress: { ipMode: [29, ({ ip }) => (ip ? 'VIP' : undefined)] } },
  'batch/jobs': {
    JobSpec: {
      completionMode: [22, 'NonIndexed'],
      // What fails is counted for each index.
      backoffLimit: [28, ({ backoffLimitPerIndex }) => (backoffLimitPerIndex === undefined ? undefined : mostFailures)],
      suspend: [22, false],
      podReplacementPolicy: [29, ({ podFailurePolicy }) => (podFailurePolicy ? 'Failed' : 'TerminatingOrFailed')],
      manualSelector: [29, false],
    },
  },
};
