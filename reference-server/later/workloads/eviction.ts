// Evictions that the disruption budget of the pod allows.
import { evictionRefused } from '../../errors.js';
import type { DeleteOptions } from '../../registry/deletion.js';
import { timestamp } from '../../registry/metadata.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import type { MakeHandler } from '../../verbs/context.js';
import { evictIf } from '../../verbs/evict.js';
import { disrupted, sinceDisruptions } from './disruption.js';
import { type BudgetSpec, type BudgetStatus, selectionOf } from './disruptionBudgets.js';
import { isOver, isReady, phaseOf } from './pods.js';

/** `minorOf` returns the minor version of Kubernetes that the server reports. */
export const evictWithinBudget = (minorOf: () => number): MakeHandler =>
  evictIf(async (pod, { registry, now }, options) => {
    await takeFromBudget(pod, registry.of('policy/poddisruptionbudgets'), now(), options.dryRun);
    if (options.dryRun || minorOf() < sinceDisruptions) return options;
    return withReason(pod, registry.of('core/pods'), now(), options);
  });

type Budgets = Pick<Store, 'list' | 'updateInternally'>;

/** Says in a pod that it is evicted. Returns the options of the delete, for the version that says so. */
async function withReason(
  pod: KubeObject,
  pods: Pick<Store, 'updateInternally'>,
  now: Date,
  options: DeleteOptions,
): Promise<DeleteOptions> {
  const isMeant = ({ metadata }: KubeObject): boolean =>
    (options.uid ?? metadata.uid) === metadata.uid &&
    (options.resourceVersion ?? metadata.resourceVersion) === metadata.resourceVersion;
  let isMarked = false;
  const mark = (current: KubeObject): KubeObject => {
    isMarked = isMeant(current);
    return isMarked ? disrupted(current, 'EvictionByEvictionAPI', 'Eviction API: evicting', now) : current;
  };
  const { value } = await pods.updateInternally(objectKeyIn(pod), mark, { part: 'status' });
  const { resourceVersion } = value.metadata;
  if (!isMarked || options.resourceVersion === undefined || resourceVersion === undefined) return options;
  return { ...options, resourceVersion };
}

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
