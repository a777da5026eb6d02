// The taints of nodes, and the tolerations of pods.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { type KubeObject, part } from '../../schema/object.js';

export type Taint = ObjectOf<'Taint'>;
export type Toleration = ObjectOf<'Toleration'>;

/** Returns the taints of a node that have one of these effects. */
export const taintsOf = (node: KubeObject | undefined, ...effects: readonly string[]): readonly Taint[] =>
  (part<ObjectOf<'NodeSpec'>>(node, 'spec').taints ?? []).filter(({ effect = '' }) => effects.includes(effect));

/** An empty key with the operator Exists matches all taints, an empty effect all effects. */
export function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return key !== '' && value === (taint.value ?? '');
}

export const allTolerated = (taints: readonly Taint[], tolerations: readonly Toleration[] = []): boolean =>
  taints.every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
