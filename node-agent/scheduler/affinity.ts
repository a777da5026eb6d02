// The nodes that a pod asks for: by nodeSelector, and by the required part of its node affinity.
import type { NodeSelectorRequirement, NodeSelectorTerm, Pod } from '../pods/types.js';

/** The name and the labels of a node. */
interface Named {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reports whether a pod may run on a node with these labels. */
export function selectsNode({ spec }: Pod, node: Named): boolean {
  const { nodeSelector = {}, affinity } = spec;
  if (!Object.entries(nodeSelector).every(([key, value]) => node.labels[key] === value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || (required.nodeSelectorTerms ?? []).some((term) => meets(node, term));
}

/** Reports whether a node meets all requirements of a term. A term without requirements matches no node. */
function meets({ name, labels }: Named, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((one) => holds(one, labels[one.key])) &&
    matchFields.every((one) => one.key === 'metadata.name' && holds(one, name))
  );
}

function holds({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
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
