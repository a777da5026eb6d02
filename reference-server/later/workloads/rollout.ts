// One step of a rollout: how many replicas each ReplicaSet of a Deployment gets next.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { type KubeObject, part } from '../../schema/object.js';

export type DeploymentSpec = ObjectOf<'apps.v1.DeploymentSpec'>;

/** The replicas of a ReplicaSet. */
export interface Counts {
  /** As its spec asks. */
  readonly wanted: number;
  readonly present: number;
  readonly ready: number;
  readonly available: number;
}

/** Reads the counts of a ReplicaSet. A status of an earlier generation says nothing about what is available. */
export function countsOf(replicaSet: KubeObject): Counts {
  const { replicas: wanted = 0 } = part<ObjectOf<'apps.v1.ReplicaSetSpec'>>(replicaSet, 'spec');
  const status = part<Partial<ObjectOf<'apps.v1.ReplicaSetStatus'>>>(replicaSet, 'status');
  const { replicas: present = 0, readyReplicas: ready = 0, availableReplicas: available = 0 } = status;
  return { wanted, present, ready, available };
}

/** The most replicas above and below the wanted number during a rollout. Both zero would stop it. */
export function limitsOf({ replicas = 1, strategy }: DeploymentSpec): {
  surge: number;
  unavailable: number;
} {
  const { maxSurge = 1, maxUnavailable = 1 } = strategy?.rollingUpdate ?? {};
  if (strategy?.type === 'Recreate') return { surge: 0, unavailable: replicas };
  const surge = shareOf(maxSurge, replicas, Math.ceil);
  const unavailable = Math.min(shareOf(maxUnavailable, replicas, Math.floor), replicas);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? Math.min(1, replicas) : unavailable };
}

/** Returns a number, or a percentage such as `25%` of a number, rounded. */
export function shareOf(value: number | string, of: number, round: (share: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);
}

/**
 * Returns the replicas that the current ReplicaSet and the earlier ones, oldest first, get next. A paused Deployment
 * changes the number of its pods, not their template.
 */
export function scaled(spec: DeploymentSpec, current: Counts, earlier: readonly Counts[]): readonly number[] {
  const { replicas = 1, paused = false, strategy } = spec;
  if (paused) return pausedScale(replicas, current, earlier);
  if (strategy?.type === 'Recreate') {
    const isGone = earlier.every(({ wanted, present }) => wanted === 0 && present === 0);
    return [isGone ? replicas : current.wanted, ...earlier.map(() => 0)];
  }
  const { surge, unavailable } = limitsOf(spec);
  const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
  const total = current.wanted + sum(earlier.map(({ wanted }) => wanted));
  const next =
    current.wanted >= replicas ? replicas : Math.min(replicas, current.wanted + Math.max(0, replicas + surge - total));
  const least = replicas - unavailable;
  // Pods that are not available go first: they do not count for the least number.
  let spare = Math.max(0, total - least - Math.max(0, current.wanted - current.available));
  const withoutBroken = earlier.map(({ wanted, available }) => {
    const broken = Math.min(spare, Math.max(0, wanted - available));
    spare -= broken;
    return wanted - broken;
  });
  let surplus = Math.max(0, current.available + sum(earlier.map(({ available }) => available)) - least);
  const smaller = withoutBroken.map((wanted) => {
    const taken = Math.min(surplus, spare, wanted);
    surplus -= taken;
    spare -= taken;
    return wanted - taken;
  });
  return [next, ...smaller];
}

/** Scales the newest ReplicaSet that has pods, or the current one if none has. */
function pausedScale(replicas: number, current: Counts, earlier: readonly Counts[]): readonly number[] {
  const all = [current, ...earlier];
  const total = all.reduce((sum, { wanted }) => sum + wanted, 0);
  const at =
    current.wanted > 0
      ? 0
      : Math.max(
          0,
          all.findLastIndex(({ wanted }) => wanted > 0),
        );
  return all.map(({ wanted }, index) => (index === at ? Math.max(0, wanted + replicas - total) : wanted));
}
