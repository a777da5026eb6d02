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
  /** The replicas of the Deployment when it set these, and the most that it then allowed; undefined if it did not say. */
  readonly desired?: number;
  readonly most?: number;
}

const [desiredKey, mostKey] = ['deployment.kubernetes.io/desired-replicas', 'deployment.kubernetes.io/max-replicas'];

/** Returns the annotations with which a Deployment says for what size it has set the replicas of a ReplicaSet. */
export function sizeAnnotations(spec: DeploymentSpec): Readonly<Record<string, string>> {
  const { replicas = 1 } = spec;
  return { [desiredKey]: String(replicas), [mostKey]: String(replicas + limitsOf(spec).surge) };
}

/** Reads the counts of a ReplicaSet. A status of an earlier generation says nothing about what is available. */
export function countsOf(replicaSet: KubeObject): Counts {
  const { replicas: wanted = 0 } = part<ObjectOf<'apps.v1.ReplicaSetSpec'>>(replicaSet, 'spec');
  const status = part<Partial<ObjectOf<'apps.v1.ReplicaSetStatus'>>>(replicaSet, 'status');
  const { replicas: present = 0, readyReplicas: ready = 0, availableReplicas: available = 0 } = status;
  const size = (key: string, name: string) => {
    const number = Number(replicaSet.metadata.annotations?.[key] ?? '');
    return Number.isInteger(number) && number > 0 ? { [name]: number } : {};
  };
  return { wanted, present, ready, available, ...size(desiredKey, 'desired'), ...size(mostKey, 'most') };
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
  const isResized = [current, ...earlier].some(({ wanted, desired = replicas }) => wanted > 0 && desired !== replicas);
  if (paused || isResized) return resized(spec, current, earlier);
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

/**
 * Gives the ReplicaSets that have pods another size without going on with the rollout: each gets its share of what is added
 * or taken, the largest one also what is left by rounding.
 */
function resized(spec: DeploymentSpec, current: Counts, earlier: readonly Counts[]): readonly number[] {
  const { replicas = 1 } = spec;
  const all = [current, ...earlier];
  const active = all.map((counts, index) => ({ ...counts, index })).filter(({ wanted }) => wanted > 0);
  const next = all.map(({ wanted }) => wanted);
  if (active.length < 2) {
    next[active[0]?.index ?? 0] = replicas;
    return next;
  }
  if (current.desired === replicas && current.wanted === replicas && current.available === replicas) {
    return [replicas, ...earlier.map(() => 0)];
  }
  if (spec.strategy?.type === 'Recreate') return next;
  const allowed = replicas === 0 ? 0 : replicas + limitsOf(spec).surge;
  const total = next.reduce((sum, wanted) => sum + wanted, 0);
  const present = all.reduce((sum, each) => sum + each.present, 0);
  const toAdd = allowed - total;
  // Of the same size, the newer one gets more, and loses less. The current one is the newest, then they are oldest first.
  const age = ({ index }: { readonly index: number }) => (index === 0 ? all.length : index);
  active.sort((one, other) => other.wanted - one.wanted || (toAdd > 0 ? age(other) - age(one) : age(one) - age(other)));
  let added = 0;
  for (const { index, wanted, most = present } of active) {
    const share = replicas === 0 ? -wanted : Math.round((wanted * allowed) / Math.max(1, most)) - wanted;
    const own = toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
    next[index] = wanted + (toAdd === added ? 0 : own);
    added += toAdd === added ? 0 : own;
  }
  const largest = active[0]?.index ?? 0;
  next[largest] = Math.max(0, (next[largest] ?? 0) + toAdd - added);
  return next;
}
