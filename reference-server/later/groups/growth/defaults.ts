// The defaults that came after the interface, in types that the interface has too: since which minor version of
// Kubernetes servers set them. Older servers leave the fields as they are, so `--kube-version` decides.
import type { LaterDefaults } from './completion.js';

const nothing = (): object => ({});
const isOneOf =
  (field: string, ...values: readonly string[]) =>
  (value: unknown) =>
  (object: Readonly<Record<string, unknown>>): unknown =>
    values.includes(String(object[field])) ? value : undefined;

const hasType = isOneOf.bind(undefined, 'type');
const scaleIo = { storageMode: [8, 'ThinProvisioned'], fsType: [8, 'xfs'] } as const;
const volumeMode = { volumeMode: [13, 'Filesystem'] } as const;

/** A list of ingress rules isolates by ingress, and egress rules by egress too. */
const policyTypes = ({ egress }: { readonly egress?: unknown }): readonly string[] =>
  egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'];

const clientIpSeconds = 10_800;

export const laterDefaultsByVersion: LaterDefaults = {
  PodSpec: { schedulerName: [6, 'default-scheduler'] },
  Container: { terminationMessagePolicy: [6, 'File'] },
  EphemeralContainer: { terminationMessagePolicy: [16, 'File'] },
  HostPathVolumeSource: { type: [8, ''] },
  ProjectedVolumeSource: { defaultMode: [6, 420] },
  ServiceAccountTokenProjection: { expirationSeconds: [10, 3600] },
  AzureDiskVolumeSource: { kind: [7, 'Shared'] },
  ScaleIOVolumeSource: scaleIo,
  ScaleIOPersistentVolumeSource: scaleIo,
  PersistentVolumeSpec: volumeMode,
  PersistentVolumeClaimSpec: volumeMode,
  Event: { reportingComponent: [8, ''], reportingInstance: [8, ''] },
  ServiceSpec: {
    sessionAffinityConfig: [
      7,
      isOneOf('sessionAffinity', 'ClientIP')({ clientIP: { timeoutSeconds: clientIpSeconds } }),
    ],
    externalTrafficPolicy: [7, hasType('NodePort', 'LoadBalancer')('Cluster')],
    internalTrafficPolicy: [22, hasType('ClusterIP', 'NodePort', 'LoadBalancer')('Cluster')],
    allocateLoadBalancerNodePorts: [22, hasType('LoadBalancer')(true)],
  },
  SessionAffinityConfig: { clientIP: [7, () => ({ timeoutSeconds: clientIpSeconds })] },
  // Of the templates in a StatefulSet; a claim of its own has all of these.
  PersistentVolumeClaim: {
    apiVersion: [17, 'v1'],
    kind: [17, 'PersistentVolumeClaim'],
    status: [9, () => ({ phase: 'Pending' })],
  },
  NodeSpec: { podCIDRs: [16, ({ podCIDR }) => (podCIDR ? [podCIDR] : undefined)] },
  NodeStatus: { allocatable: [6, ({ capacity }) => capacity] },
  NetworkPolicySpec: { policyTypes: [8, policyTypes] },
  'networking.v1.NetworkPolicySpec': { policyTypes: [8, policyTypes] },
  JobSpec: {
    completionMode: [22, 'NonIndexed'],
    suspend: [22, false],
    podReplacementPolicy: [29, ({ podFailurePolicy }) => (podFailurePolicy ? 'Failed' : 'TerminatingOrFailed')],
  },
  'apps.v1.DaemonSetUpdateStrategy': {
    type: [9, 'RollingUpdate'],
    rollingUpdate: [9, hasType('RollingUpdate')({ maxUnavailable: 1 })],
  },
  'apps.v1.RollingUpdateDaemonSet': { maxUnavailable: [9, 1], maxSurge: [22, 0] },
  'apps.v1.RollingUpdateStatefulSetStrategy': { partition: [9, 0] },
  'apps.v1.StatefulSetSpec': {
    serviceName: [9, '', 32],
    persistentVolumeClaimRetentionPolicy: [27, () => ({ whenDeleted: 'Retain', whenScaled: 'Retain' })],
  },
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': {
    whenDeleted: [27, 'Retain'],
    whenScaled: [27, 'Retain'],
  },
  'coordination.v1.Lease': { spec: [14, nothing] },
  'policy.v1.PodDisruptionBudget': { spec: [5, nothing] },
  ResourceQuota: { spec: [5, nothing] },
  'networking.v1.IngressClassParametersReference': { scope: [22, 'Cluster'] },
  'rbac.v1.RoleRef': { apiGroup: [8, 'rbac.authorization.k8s.io'] },
  'discovery.v1.EndpointPort': { name: [21, ''], protocol: [21, 'TCP'] },
  ContainerResizePolicy: { restartPolicy: [33, 'NotRequired'] },
  GRPCAction: { service: [24, ''] },
};
