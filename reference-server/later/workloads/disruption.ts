// The condition of a pod that is about to be deleted: why, so that a Job can tell it from a failure of its own.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { timestamp } from '../../registry/metadata.js';
import { type KubeObject, part } from '../../schema/object.js';

/** Since this version, a pod says why it is deleted. */
export const sinceDisruptions = 26;

/** Returns a pod that says why it is deleted. */
export function disrupted(pod: KubeObject, reason: string, message: string, now: Date): KubeObject {
  const status = part<ObjectOf<'PodStatus'>>(pod, 'status');
  const condition = { type: 'DisruptionTarget', status: 'True', reason, message, lastTransitionTime: timestamp(now) };
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...pod, status: { ...status, conditions: [...others, condition] } };
}
