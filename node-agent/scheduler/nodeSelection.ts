// Which nodes a pod may run on: node selector, required node affinity, and taints.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Pod } from '../api/types.js';

interface NodeIdentity {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Whether nodeSelector and the required node affinity of a pod allow the node. */
export function selectsNode({ spec }: Pod, node: NodeIdentity): boolean {
  const { nodeSelector = {}, affinity } = spec;
  if (!Object.entries(nodeSelector).every(([key, value]) => node.labels[key] === value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || (required.nodeSelectorTerms ?? []).some((term) => meets(node, term));
}

/** A term without requirements matches no node. */
function meets(
  { name, labels }: NodeIdentity,
  { matchExpressions = [], matchFields = [] }: ObjectOf<'NodeSelectorTerm'>,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((one) => holds(one, labels[one.key])) &&
    matchFields.every((one) => one.key === 'metadata.name' && holds(one, name))
  );
}

/** Whether a label selector selects an object with labels. */
export const selectsLabels = (
  { matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'>,
  labels: Readonly<Record<string, string>>,
): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((one) => holds(one, labels[one.key]));

function holds({ operator, values = [] }: ObjectOf<'NodeSelectorRequirement'>, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && Number(value) > Number(values[0]);
    case 'Lt':
      return isInteger(value) && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

const isInteger = (text: string | undefined): boolean => text !== undefined && /^-?\d+$/.test(text);

/** The taint that a cordoned node has for the scheduler. */
export const unschedulableTaint: ObjectOf<'Taint'> = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

export const tolerates = ({ spec }: Pod, taint: ObjectOf<'Taint'>): boolean =>
  (spec.tolerations ?? []).some((toleration) => matches(toleration, taint));

/** Formats a taint as users read it: `{key: value}`. */
export const taintText = ({ key, value = '' }: ObjectOf<'Taint'>): string => `{${key}: ${value}}`;

/** An empty key with the operator Exists matches all taints, an empty effect all effects. */
function matches(
  { key = '', operator = 'Equal', value = '', effect = '' }: ObjectOf<'Toleration'>,
  taint: ObjectOf<'Taint'>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return key !== '' && value === (taint.value ?? '');
}
