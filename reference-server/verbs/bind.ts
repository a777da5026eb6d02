// Bindings of pods.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { badRequest, conflict } from '../errors.js';
import { timestamp } from '../registry/metadata.js';
import { type Answer, objectKeyOf } from '../request.js';
import { type DecodedObject, type KubeObject, type ObjectKey, part } from '../schema/object.js';
import { resourceRow } from '../versions/addresses.js';
import { type Dependencies, decodedBodyOf, type MakeHandler, okObject, success, writeOptionsOf } from './context.js';

const pods = resourceRow('core/pods');

export const bind: MakeHandler = (dependencies) => async (request) => {
  const { dryRun } = writeOptionsOf(request, dependencies);
  const binding = await decodedBodyOf(request);
  const key = objectKeyOf(request);
  const { name } = binding.metadata;
  if (name !== key.name) throw badRequest('name in URL does not match name in Binding object');
  return assign(key, binding, dryRun, dependencies);
};

/** POST on the collection of bindings: the name in the body is the name of the pod. */
export const createBinding: MakeHandler = (dependencies) => async (request) => {
  const { dryRun } = writeOptionsOf(request, dependencies);
  const binding = await decodedBodyOf(request);
  const { name = '' } = binding.metadata;
  if (name === '') throw badRequest('the binding names no pod: metadata.name is required');
  return assign({ namespace: request.path.namespace, name }, binding, dryRun, dependencies);
};

async function assign(
  key: ObjectKey,
  binding: DecodedObject,
  dryRun: boolean,
  { registry, now }: Dependencies,
): Promise<Answer> {
  const { namespace } = binding.metadata;
  if (namespace && namespace !== key.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const nodeName = targetOf(binding);
  await registry.of(pods).updateInternally(key, (pod) => bound(pod, nodeName, binding, now()), { dryRun });
  return okObject(success);
}

function targetOf(binding: DecodedObject): string {
  const { kind = '', name = '' } = part<ObjectOf<'ObjectReference'>>(binding, 'target');
  if (kind !== '' && kind !== 'Node') {
    throw badRequest(`target.kind: Unsupported value: "${kind}": supported values: "Node", "<empty>"`);
  }
  if (name === '') throw badRequest('target.name: Required value');
  return name;
}

function bound(pod: KubeObject, nodeName: string, binding: DecodedObject, now: Date): KubeObject {
  const { name = '', deletionTimestamp, annotations } = pod.metadata;
  const refuse = (why: string) => conflict({ ...pods, plural: 'pods/binding' }, name, why);
  const { uid } = binding.metadata;
  if (uid && uid !== pod.metadata.uid) throw refuse(`the UID ${uid} is not that of the pod`);
  if (deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  const spec = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  if (spec.nodeName) throw refuse(`pod ${name} is already assigned to node "${spec.nodeName}"`);
  if (spec.schedulingGates?.length) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  const status = part<ObjectOf<'PodStatus'>>(pod, 'status');
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timestamp(now) };
  const others = (status.conditions ?? []).filter(({ type }) => type !== scheduled.type);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(binding.metadata.annotations && { annotations: { ...annotations, ...binding.metadata.annotations } }),
    },
    spec: { ...spec, nodeName },
    status: { ...status, conditions: [...others, scheduled] },
  };
}
