// Taints of nodes, and the pods that tolerate them.
import type { Pod, Toleration } from '../pods/types.js';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** The taint that a cordoned node has for the scheduler. */
export const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Reports whether a pod tolerates a taint. */
export const tolerates = ({ spec }: Pod, taint: Taint): boolean =>
  (spec.tolerations ?? []).some((toleration) => matches(toleration, taint));

/** Formats a taint as users read it: `{key: value}`. */
export const taintText = ({ key, value = '' }: Taint): string => `{${key}: ${value}}`;

/** An empty key with the operator Exists matches all taints, an empty effect all effects. */
function matches({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return key !== '' && value === (taint.value ?? '');
}
