// Evictions that the disruption budget of the pod allows.
import { evictionRefused } from '../../errors.js';
import { timestamp } from '../../registry/metadata.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import { evictIf } from '../../verbs/evict.js';
import { type BudgetSpec, type BudgetStatus, selectionOf } from './disruptionBudgets.js';
import { isOver, isReady, phaseOf } from './pods.js';

export const evictWithinBudget = evictIf((pod, { registry, now }, dryRun) =>
  takeFromBudget(pod, registry.of('policy/poddisruptionbudgets'), now(), dryRun),
);

type Budgets = Pick<Store, 'list' | 'updateInternally'>;

/** Counts an eviction in the budget of a pod. Throws 429 if the budget does not allow it, and 500 for two budgets. */
async function takeFromBudget(pod: KubeObject, budgets: Budgets, now: Date, dryRun: boolean): Promise<void> {
  if (isOver(pod) || phaseOf(pod) === 'Pending') return;
  const { entries } = await budgets.list(pod.metadata.namespace);
  const [budget, second] = entries.map(({ value }) => value).filter((one) => selectionOf(one)(pod.metadata.labels));
  if (budget === undefined) return;
  if (second !== undefined) {
    throw new StatusError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  await budgets.updateInternally(objectKeyIn(budget), (current) => taken(pod, current, now), { dryRun });
}

/** Returns the budget after the eviction. */
function taken(pod: KubeObject, budget: KubeObject, now: Date): KubeObject {
  const { name } = budget.metadata;
  const status = part<BudgetStatus>(budget, 'status');
  const { observedGeneration = 0, disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  if (!isReady(pod)) {
    const { unhealthyPodEvictionPolicy } = part<BudgetSpec>(budget, 'spec');
    if (unhealthyPodEvictionPolicy === 'AlwaysAllow') return budget;
    if (currentHealthy >= desiredHealthy && desiredHealthy > 0) return budget;
  }
  if (observedGeneration < (budget.metadata.generation ?? 0)) {
    throw evictionRefused(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (disruptionsAllowed === 0) {
    throw evictionRefused(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    );
  }
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: timestamp(now) };
  return { ...budget, status: { ...status, disruptedPods, disruptionsAllowed: disruptionsAllowed - 1 } };
}
