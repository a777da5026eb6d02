// For each kind with a status: a valid change of its spec, and a status that no controller sets.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { JsonObject } from '../client/json.js';

interface Marks {
  /** Fields of the spec that a write of the status must not change. */
  readonly spec: JsonObject;
  /** Fields of the status that a write of the object must not change, and that no controller writes. */
  readonly status: JsonObject;
  /** Fields that a write may set beside the status of the sample, if `status` would be invalid there. */
  readonly patched?: JsonObject;
}

const image = 'registry.example/conformance:9';
const template = {
  metadata: { labels: { app: 'conformance' } },
  spec: { containers: [{ name: 'main', image }] },
};
const ingress = (ip: string) => ({ loadBalancer: { ingress: [{ ip }] } });

const marks: Readonly<Record<string, Marks>> = {
  'core/namespaces': {
    spec: { finalizers: ['kube-api-conformance/by-status'] },
    status: { phase: 'Terminating' },
    patched: {},
  },
  'core/nodes': { spec: { unschedulable: false }, status: { capacity: { cpu: '77' } } },
  'core/persistentvolumeclaims': {
    spec: { resources: { requests: { storage: '7Gi' } } },
    status: { accessModes: ['ReadOnlyMany'] },
  },
  'core/persistentvolumes': {
    spec: { persistentVolumeReclaimPolicy: 'Delete' },
    status: { message: 'by a write of the object' },
  },
  'core/pods': { spec: { containers: [{ name: 'main', image }] }, status: { message: 'by a write of the object' } },
  'core/resourcequotas': {
    spec: { hard: { 'requests.nvidia.com/gpu': '7' } },
    status: { used: { 'requests.nvidia.com/gpu': '77' } },
  },
  'core/services': { spec: { sessionAffinity: 'ClientIP' }, status: ingress('192.0.2.77') },
  'autoscaling/horizontalpodautoscalers': { spec: { maxReplicas: 7 }, status: { desiredReplicas: 77 } },
  'batch/jobs': { spec: { activeDeadlineSeconds: 7777 }, status: { failed: 77 } },
  'extensions/daemonsets': { spec: { template }, status: { numberMisscheduled: 77 } },
  'extensions/deployments': { spec: { minReadySeconds: 7 }, status: { unavailableReplicas: 77 } },
  'extensions/horizontalpodautoscalers': { spec: { maxReplicas: 7 }, status: { desiredReplicas: 77 } },
  'extensions/ingresses': {
    spec: { backend: { serviceName: 'by-status', servicePort: 7 } },
    status: ingress('192.0.2.77'),
  },
  'extensions/replicasets': {
    spec: { template },
    status: { fullyLabeledReplicas: 77 },
    patched: { observedGeneration: 77 },
  },
};

/** The members of an autoscaler's status that are optional. */
const ofScaled = ['observedGeneration', 'lastScaleTime'];

/** Members of the status of a sample that a status may lack, and that no server then gives the value of the sample. */
const optionalMembers: Readonly<Record<string, readonly string[]>> = {
  'core/nodes': [
    ...['capacity', 'allocatable', 'phase', 'conditions', 'addresses', 'daemonEndpoints', 'nodeInfo', 'images'],
    ...['volumesInUse', 'volumesAttached'],
  ],
  'core/persistentvolumeclaims': ['phase', 'accessModes', 'capacity'],
  'core/persistentvolumes': ['phase', 'message', 'reason'],
  'core/pods': ['conditions', 'reason', 'message', 'startTime', 'containerStatuses'],
  'core/resourcequotas': ['hard', 'used'],
  'core/services': ['loadBalancer'],
  'autoscaling/horizontalpodautoscalers': ofScaled,
  // neither the start nor the number of failures of a Job goes back
  'batch/jobs': ['active', 'conditions'],
  'extensions/deployments': ['observedGeneration', 'replicas', 'updatedReplicas', 'unavailableReplicas'],
  'extensions/horizontalpodautoscalers': ofScaled,
  'extensions/ingresses': ['loadBalancer'],
  'extensions/replicasets': [
    ...['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration', 'conditions'],
  ],
};

/** Returns the optional members in the status of a kind's sample. */
export const optionalMembersOf = (resource: Resource): readonly string[] =>
  resource.found === undefined ? (optionalMembers[resourceId(resource)] ?? []) : [];

/** Returns the marks of a kind. Throws with the name of the kind if there are none. */
export function marksOf(resource: Resource): Marks {
  if (resource.found !== undefined) {
    const { otherSpec = {}, otherStatus = {} } = resource.found;
    return { spec: otherSpec as JsonObject, status: otherStatus as JsonObject };
  }
  const found = marks[resourceId(resource)];
  if (found === undefined) throw new Error(`no marks for ${resourceId(resource)}`);
  return found;
}
