// The pods of a workload: how they are, how one is made from a template, and its hash.

import { createHash } from 'node:crypto';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { jsonText } from '../../exactJson.js';
import { type DecodedObject, type KubeObject, part } from '../../schema/object.js';

/** The most pods that one call of a controller creates or deletes. */
export const burst = 500;

const statusOf = (pod: KubeObject) => part<ObjectOf<'PodStatus'>>(pod, 'status');

/** Reports whether a pod has ended or is being deleted. */
export const isOver = (pod: KubeObject): boolean => pod.metadata.deletionTimestamp !== undefined || hasEnded(pod);

export const hasEnded = (pod: KubeObject): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

export const phaseOf = (pod: KubeObject): string => statusOf(pod).phase ?? '';

const readyCondition = (pod: KubeObject) => statusOf(pod).conditions?.find(({ type }) => type === 'Ready');

export const isReady = (pod: KubeObject): boolean => readyCondition(pod)?.status === 'True';

/** Returns the time until a ready pod is available, in milliseconds: 0 if it is, undefined for a pod that is not ready. */
export function untilAvailable(pod: KubeObject, minReadySeconds: number, now: Date): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '') || now.getTime();
  return Math.max(0, since + minReadySeconds * 1000 - now.getTime());
}

/** Makes a pod from a template. Without a name, the pod gets one that begins with the name of its owner. */
export function podFrom(
  template: ObjectOf<'PodTemplateSpec'>,
  owner: ObjectOf<'OwnerReference'>,
  name?: string,
): DecodedObject {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(name === undefined ? { generateName: `${owner.name}-` } : { name }),
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(finalizers && { finalizers: [...finalizers] }),
      ownerReferences: [owner],
    },
    spec: { ...template.spec },
  };
}

/** The label of pods with the hash of their template. */
export const hashLabel = 'controller-revision-hash';

/** Returns a short hash of a template, the same for the same template. */
export function hashOf(template: unknown): string {
  return createHash('sha256').update(jsonText(template)).digest('hex').slice(0, 10);
}
