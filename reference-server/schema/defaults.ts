// Defaults of single fields: a row for each field of a type. Strategies have the defaults that need the whole object.
import type { TypeName } from '../../matrix/api/modern/index.js';
import type { ApiObject } from '../codecs/codec.js';
import { fillHostPorts } from './hostPorts.js';

/** A value, or a function of the fields that come earlier in the table. */
export type Default = string | number | boolean | ((before: ApiObject) => unknown);

const nothing = (): object => ({});
const pathPart = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
/** Reports whether an image is the latest one. What is no name of an image is not. */
const isLatest = (image: string): boolean => {
  const [named = '', ...digest] = image.split('@');
  const [first = '', ...others] = named.split('/');
  const parts = others.length > 0 && /[.:]/.test(first) ? others : [first, ...others];
  const [name = '', tag = digest.length > 0 ? '' : 'latest'] = (parts.pop() ?? '').split(':');
  return tag === 'latest' && image.length <= longestImage && [...parts, name].every((part) => pathPart.test(part));
};
const longestImage = 255;
/** When an image is pulled, unless a container says so. */
export const pullPolicy = ({ image }: ApiObject) => (isLatest(String(image ?? '')) ? 'Always' : 'IfNotPresent');
/** Defaults that need all fields of an object of the type. */
export const finishers: Partial<Record<TypeName, (object: Record<string, unknown>) => void>> = {
  Volume: (volume) => {
    if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  },
  ContainerPort: (port) => withoutZero(port, 'hostPort'),
  ServicePort: (port) => {
    withoutZero(port, 'nodePort');
    // Typed clients send 0 for an absent port.
    if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
  },
  Pod: ({ spec }) => fillHostPorts(spec as ApiObject | undefined),
  PodSpec: (spec) => {
    // The older name of the same field; both are written.
    spec.serviceAccountName ??= spec.serviceAccount;
    spec.serviceAccount = spec.serviceAccountName;
  },
};

/** Removes a port that is 0, which means no port. */
function withoutZero(object: Record<string, unknown>, field: string): void {
  if (object[field] === 0) delete object[field];
}

const iscsi = { iscsiInterface: 'default' };
const rbd = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' };

export type FieldDefaults = Partial<Record<TypeName, Readonly<Record<string, Default>>>>;

export const defaults: FieldDefaults = {
  PodSpec: {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: nothing,
  },
  Container: {
    resources: nothing,
    terminationMessagePath: '/dev/termination-log',
    imagePullPolicy: pullPolicy,
  },
  ContainerPort: { protocol: 'TCP' },
  Probe: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  HTTPGetAction: { path: '/', scheme: 'HTTP' },
  ObjectFieldSelector: { apiVersion: 'v1' },
  ResourceFieldSelector: { divisor: '0' },
  SecretVolumeSource: { defaultMode: 420 },
  ConfigMapVolumeSource: { defaultMode: 420 },
  DownwardAPIVolumeSource: { defaultMode: 420 },
  ISCSIVolumeSource: iscsi,
  ISCSIPersistentVolumeSource: iscsi,
  RBDVolumeSource: rbd,
  RBDPersistentVolumeSource: rbd,
  AzureDiskVolumeSource: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false },
  ServiceSpec: { type: 'ClusterIP', sessionAffinity: 'None' },
  ServicePort: { protocol: 'TCP', targetPort: ({ port }) => port },
  EndpointPort: { protocol: 'TCP' },
  Secret: { type: 'Opaque' },
  Event: { source: nothing },
  ReplicationControllerSpec: { replicas: 1 },
  ReplicaSetSpec: { replicas: 1 },
  DeploymentSpec: { replicas: 1, strategy: () => ({ type: 'RollingUpdate', rollingUpdate: rollingUpdate() }) },
  DeploymentStrategy: {
    type: 'RollingUpdate',
    rollingUpdate: ({ type }) => (type === 'RollingUpdate' ? rollingUpdate() : undefined),
  },
  RollingUpdateDeployment: rollingUpdate(),
  HorizontalPodAutoscalerSpec: { minReplicas: 1, targetCPUUtilizationPercentage: 80 },
  'extensions.HorizontalPodAutoscalerSpec': { minReplicas: 1, cpuUtilization: () => ({ targetPercentage: 80 }) },
  NetworkPolicyPort: { protocol: 'TCP' },
  NodeStatus: {
    daemonEndpoints: () => ({ kubeletEndpoint: { Port: 0 } }),
    nodeInfo: () => Object.fromEntries(nodeInfo.map((field) => [field, ''])),
  },
};

/** How many times defaults were added that were not there: what was made of the earlier ones is out of date. */
export let additions = 0;

/** Adds the defaults of types that are not of the interface. */
export function addDefaults(more: FieldDefaults): void {
  if (Object.keys(more).some((type) => !(type in defaults))) additions += 1;
  Object.assign(defaults, more);
}

const nodeInfo = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
];

function rollingUpdate(): { maxUnavailable: number; maxSurge: number } {
  return { maxUnavailable: 1, maxSurge: 1 };
}
