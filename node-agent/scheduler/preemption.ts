// Which pods make room for one of a higher priority, and on which node.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Pod } from '../api/types.js';
import { selectsLabels } from './nodeSelection.js';

export type Budget = ObjectOf<'policy.v1.PodDisruptionBudget'>;

/** A node on which a pod would have room without others. */
export interface Candidate<Node> {
  readonly node: Node;
  /** The most important one is first. */
  readonly victims: readonly Pod[];
  /** How many of them a disruption budget would keep. */
  readonly violations: number;
}

export const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

const startOf = ({ status, metadata }: Pod): string => status?.startTime ?? metadata.creationTimestamp ?? '';

/** A pod of a higher priority, or one that has run for longer, is first. */
const byImportance = (one: Pod, other: Pod): number =>
  priorityOf(other) - priorityOf(one) || startOf(one).localeCompare(startOf(other));

/** Returns the pods that budgets would keep: the most important ones may go first. */
function keptByBudgets(pods: readonly Pod[], budgets: readonly Budget[]): ReadonlySet<Pod> {
  const left = budgets.map(({ status }) => status?.disruptionsAllowed ?? 0);
  const kept = new Set<Pod>();
  for (const pod of [...pods].sort(byImportance)) {
    const { name, namespace, labels = {} } = pod.metadata;
    for (const [at, { metadata, spec, status }] of budgets.entries()) {
      if (metadata?.namespace !== namespace || status?.disruptedPods?.[name] !== undefined) continue;
      if (!selectsSome(spec?.selector) || !selectsLabels(spec?.selector ?? {}, labels)) continue;
      left[at] = (left[at] ?? 0) - 1;
      if ((left[at] ?? 0) < 0) kept.add(pod);
    }
  }
  return kept;
}

/** For a scheduler, a budget without a selector is about no pods. */
const selectsSome = ({ matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'> = {}): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length > 0;

/**
 * Returns the pods of a node that make room: first all of a lower priority leave, then as many as possible come back,
 * those that budgets keep before others and important ones before others. Undefined if that gives no room.
 */
export function victimsOf(
  pod: Pod,
  others: readonly Pod[],
  hasRoomWithout: (gone: ReadonlySet<Pod>) => boolean,
  budgets: readonly Budget[],
): Omit<Candidate<unknown>, 'node'> | undefined {
  const lower = others.filter((other) => priorityOf(other) < priorityOf(pod)).sort(byImportance);
  const gone = new Set(lower);
  if (lower.length === 0 || !hasRoomWithout(gone)) return undefined;
  const kept = keptByBudgets(lower, budgets);
  for (const each of [...lower.filter((one) => kept.has(one)), ...lower.filter((one) => !kept.has(one))]) {
    gone.delete(each);
    if (!hasRoomWithout(gone)) gone.add(each);
  }
  const victims = [...gone].sort(byImportance);
  return { victims, violations: victims.filter((victim) => kept.has(victim)).length };
}

/** Each decides where the earlier ones leave a choice, as in kube-scheduler; the smallest value wins. */
const costs: readonly ((candidate: Candidate<unknown>) => number)[] = [
  ({ violations }) => violations,
  ({ victims: [first] }) => (first === undefined ? Number.NEGATIVE_INFINITY : priorityOf(first)),
  // So that many pods of a negative priority cost more than few.
  ({ victims }) => victims.reduce((sum, victim) => sum + priorityOf(victim) + 2 ** 31, 0),
  ({ victims }) => victims.length,
  ({ victims }) =>
    -Math.min(...victims.filter((each) => isFirst(each, victims)).map((each) => Date.parse(startOf(each)))),
];

const isFirst = (pod: Pod, [first]: readonly Pod[]): boolean =>
  first !== undefined && priorityOf(pod) === priorityOf(first);

/** Returns the node that costs the least. */
export const cheapest = <Node>(candidates: readonly Candidate<Node>[]): Candidate<Node> | undefined =>
  [...candidates].sort((one, other) => {
    for (const cost of costs) {
      const difference = cost(one) - cost(other);
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
    }
    return 0;
  })[0];
