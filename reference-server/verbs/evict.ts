// Evictions: deletes of pods that the disruption budget of the pod allows.

import { badRequest, evictionRefused } from '../errors.js';
import { type BudgetSpec, type BudgetStatus, selectionOf } from '../later/workloads/disruptionBudgets.js';
import { isReady, keyOf, phaseOf } from '../later/workloads/pods.js';
import { type DeleteOptions, deleteOptions } from '../registry/deletion.js';
import { dryRunOf } from '../registry/dryRun.js';
import { timestamp } from '../registry/metadata.js';
import type { Store } from '../registry/store.js';
import { objectKeyOf } from '../request.js';
import { type KubeObject, part } from '../schema/object.js';
import { StatusError } from '../statusError.js';
import { decodedBodyOf, type MakeHandler, okObject, success } from './context.js';

export const evict: MakeHandler =
  ({ registry, now }) =>
  async (request) => {
    const eviction = await decodedBodyOf(request);
    const key = objectKeyOf(request);
    const { name } = eviction.metadata;
    if (name && name !== key.name) throw badRequest('name in URL does not match name in Eviction object');
    const isDry = dryRunOf('CreateOptions', request.query.getAll('dryRun'));
    const given = readOptions(eviction.deleteOptions ?? {});
    const options = { ...given, dryRun: isDry || given.dryRun };
    const pods = registry.of('core/pods');
    const pod = await pods.find(key);
    if (pod !== undefined) {
      await takeFromBudget(pod.value, registry.of('policy/poddisruptionbudgets'), now(), options.dryRun);
    }
    await pods.delete(key, options);
    return okObject(success);
  };

function readOptions(value: unknown): DeleteOptions {
  return deleteOptions({ mediaType: 'application/json', value: value }, new URLSearchParams());
}

type Budgets = Pick<Store, 'list' | 'updateInternally'>;

/** Counts an eviction in the budget of a pod. Throws 429 if the budget does not allow it, and 500 for two budgets. */
async function takeFromBudget(pod: KubeObject, budgets: Budgets, now: Date, dryRun: boolean): Promise<void> {
  if (pod.metadata.deletionTimestamp !== undefined || ['Pending', 'Succeeded', 'Failed'].includes(phaseOf(pod))) return;
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
  await budgets.updateInternally(keyOf(budget), (current) => taken(pod, current, now), { dryRun });
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
