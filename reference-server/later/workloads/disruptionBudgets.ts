// PodDisruptionBudgets: how many pods of each may be evicted.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import { timestamp } from '../../registry/metadata.js';
import type { Store } from '../../registry/store.js';
import { controllerOf, type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { hasEnded, isOver, isReady } from './pods.js';
import { shareOf } from './rollout.js';
import { writeStatus } from './status.js';

export type BudgetSpec = ObjectOf<'policy.v1.PodDisruptionBudgetSpec'>;
export type BudgetStatus = ObjectOf<'policy.v1.PodDisruptionBudgetStatus'>;

interface Parts {
  readonly budgets: Pick<Store, 'list' | 'updateInternally'>;
  readonly pods: Pick<Store, 'list'>;
  /** The store of a resource that controls pods. */
  readonly owners: (resource: string) => Pick<Store, 'find'>;
  readonly now: () => Date;
}

/** In milliseconds: an evicted pod that is not deleted by then counts again. */
const evictionTimeout = 120_000;

export const disruptionBudgets = (parts: Parts): Controller => ({
  name: 'disruption-controller',
  feature: 'disruption-controller',
  resource: 'policy/poddisruptionbudgets',
  sources: [
    {
      resource: 'core/pods',
      // A pod that loses its labels concerns the budgets that selected it before.
      concerned: async ({ metadata }) =>
        (await parts.budgets.list(metadata.namespace)).entries.map(({ value }) => objectKeyIn(value)),
    },
  ],
  async reconcile(budget) {
    if (budget.metadata.deletionTimestamp !== undefined) return undefined;
    const selects = selectionOf(budget);
    const { entries } = await parts.pods.list(budget.metadata.namespace);
    const pods = entries.map(({ value }) => value).filter((pod) => !hasEnded(pod) && selects(pod.metadata.labels));
    const before = part<BudgetStatus>(budget, 'status');
    const now = parts.now();
    const evicted = stillEvicted(before, pods, now);
    const { expected, desired } = await needsOf(part<BudgetSpec>(budget, 'spec'), pods, parts.owners);
    const healthy = pods.filter((pod) => isReady(pod) && !isOver(pod) && !evicted.has(pod.metadata.name ?? '')).length;
    const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    const status: BudgetStatus = {
      observedGeneration: budget.metadata.generation ?? 0,
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      ...(evicted.size > 0 && { disruptedPods: Object.fromEntries(evicted) }),
      conditions: [conditionOf(allowed > 0, budget.metadata.generation, before, now)],
    };
    await writeStatus(parts.budgets, budget, 'policy.v1.PodDisruptionBudgetStatus', status);
    const times = [...evicted.values()].map((time) => Date.parse(time) + evictionTimeout - now.getTime());
    return times.length > 0 ? Math.max(0, Math.min(...times)) : undefined;
  },
});

/** Returns whether a budget selects a pod with certain labels. A budget without a selector selects none. */
export function selectionOf(budget: KubeObject): ReturnType<typeof matcherOf> {
  const { selector } = part<BudgetSpec>(budget, 'spec');
  return selector === undefined ? () => false : matcherOf(selector);
}

/** The evicted pods that exist, whose deletion has not begun, with the time of the eviction. */
function stillEvicted({ disruptedPods = {} }: BudgetStatus, pods: readonly KubeObject[], now: Date) {
  const waiting = new Set(
    pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name),
  );
  return new Map(
    Object.entries(disruptedPods).filter(
      ([name, time]) => waiting.has(name) && Date.parse(time) + evictionTimeout > now.getTime(),
    ),
  );
}

/** Returns how many pods there should be, and how many of them must be healthy. */
async function needsOf(spec: BudgetSpec, pods: readonly KubeObject[], owners: Parts['owners']) {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expected = await scaleOf(pods, owners);
    return { expected, desired: Math.max(0, expected - shareOf(maxUnavailable, expected, Math.ceil)) };
  }
  if (typeof minAvailable === 'string') {
    const expected = await scaleOf(pods, owners);
    return { expected, desired: shareOf(minAvailable, expected, Math.ceil) };
  }
  return { expected: pods.length, desired: minAvailable ?? 0 };
}

const resourcesOf: Readonly<Record<string, string>> = {
  Deployment: 'extensions/deployments',
  ReplicaSet: 'extensions/replicasets',
  ReplicationController: 'core/replicationcontrollers',
  StatefulSet: 'apps/statefulsets',
};

/** Returns the sum of the replicas of all that control the pods. A pod without such an owner counts for itself. */
async function scaleOf(pods: readonly KubeObject[], owners: Parts['owners']): Promise<number> {
  const controlled = new Map<string, { readonly pod: KubeObject; count: number }>();
  let alone = 0;
  for (const pod of pods) {
    const uid = controllerOf(pod)?.uid;
    const known = uid === undefined ? undefined : controlled.get(uid);
    if (known !== undefined) known.count += 1;
    else if (uid !== undefined) controlled.set(uid, { pod, count: 1 });
    else alone += 1;
  }
  const scales = new Map<string, number>();
  for (const [uid, { pod, count }] of controlled) {
    const found = await ownerOf(pod, owners);
    const last = found && ((await ownerOf(found, owners)) ?? found);
    const replicas = last === undefined ? count : (part<{ replicas?: number }>(last, 'spec').replicas ?? 1);
    scales.set(last?.metadata.uid ?? uid, replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, alone);
}

/** Returns the object with replicas that controls another object; undefined if there is none. */
async function ownerOf(object: KubeObject, owners: Parts['owners']): Promise<KubeObject | undefined> {
  const owner = controllerOf(object);
  const resource = resourcesOf[owner?.kind ?? ''];
  if (owner === undefined || resource === undefined) return undefined;
  const entry = await owners(resource).find({ namespace: object.metadata.namespace, name: owner.name });
  return entry?.value.metadata.uid === owner.uid ? entry?.value : undefined;
}

function conditionOf(isAllowed: boolean, generation: number | undefined, before: BudgetStatus, now: Date) {
  const status = isAllowed ? 'True' : 'False';
  const same = before.conditions?.find((one) => one.type === 'DisruptionAllowed' && one.status === status);
  return {
    type: 'DisruptionAllowed',
    status,
    observedGeneration: generation ?? 0,
    lastTransitionTime: same?.lastTransitionTime ?? timestamp(now),
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
}
