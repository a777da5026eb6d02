// The conditions of a Deployment: whether it is available, and whether its rollout goes on. `kubectl rollout status` and
// `kubectl wait` read them.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { KubeObject } from '../../schema/object.js';
import type { DeploymentSpec } from './rollout.js';

type DeploymentCondition = ObjectOf<'apps.v1.DeploymentCondition'>;
type DeploymentStatus = ObjectOf<'apps.v1.DeploymentStatus'>;

interface Totals {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
}

interface Inputs {
  readonly deployment: KubeObject;
  readonly spec: DeploymentSpec;
  readonly totals: Totals;
  readonly before: DeploymentStatus;
  /** The name of the ReplicaSet of the current template. */
  readonly newest: string | undefined;
  readonly isAvailable: boolean;
  readonly now: string;
}

/** Returns the conditions, and the time at which a rollout without progress has failed, in milliseconds. */
export function conditionsOf(inputs: Inputs): {
  conditions: readonly DeploymentCondition[];
  deadline: number | undefined;
} {
  const { before, isAvailable, now } = inputs;
  const available: DeploymentCondition = isAvailable
    ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
    : condition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.');
  const { progressing, deadline } = progressOf(inputs);
  const own = [available, ...(progressing === undefined ? [] : [progressing])];
  const types = own.map(({ type }) => type);
  const others = (before.conditions ?? []).filter(({ type }) => !types.includes(type) && type !== 'Progressing');
  return { conditions: [...own.map((each) => withTimes(each, before, now)), ...others], deadline };
}

/** The condition of the rollout. A Deployment without a deadline has none. */
function progressOf({ deployment, spec, totals, before, newest, now }: Inputs) {
  const { progressDeadlineSeconds: seconds, replicas = 1, paused = false } = spec;
  if (seconds === undefined) return { progressing: undefined, deadline: undefined };
  const name = newest === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newest}"`;
  const last = before.conditions?.find(({ type }) => type === 'Progressing');
  const isComplete =
    newest !== undefined &&
    totals.updatedReplicas === replicas &&
    totals.replicas === replicas &&
    totals.availableReplicas === replicas;
  if (isComplete) {
    const message = `${name} has successfully progressed.`;
    return { progressing: condition('Progressing', 'True', 'NewReplicaSetAvailable', message), deadline: undefined };
  }
  if (paused) {
    const message = 'Deployment is paused';
    return { progressing: condition('Progressing', 'Unknown', 'DeploymentPaused', message), deadline: undefined };
  }
  const progressed = hasProgressed(totals, before) || last === undefined || last.reason === 'NewReplicaSetAvailable';
  const since = progressed ? now : (last?.lastUpdateTime ?? now);
  const deadline = Date.parse(since) + seconds * 1000;
  if (!progressed && (last.reason === 'ProgressDeadlineExceeded' || Date.parse(now) >= deadline)) {
    const message = `${name} has timed out progressing.`;
    return { progressing: condition('Progressing', 'False', 'ProgressDeadlineExceeded', message), deadline: undefined };
  }
  const progressing = condition('Progressing', 'True', 'ReplicaSetUpdated', `${name} is progressing.`);
  return { progressing: { ...progressing, lastUpdateTime: since }, deadline };
}

/** Reports whether a rollout has moved on: more pods are updated, ready or available, or fewer are old. */
function hasProgressed(totals: Totals, before: DeploymentStatus): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before;
  return (
    totals.updatedReplicas > updatedReplicas ||
    totals.replicas - totals.updatedReplicas < replicas - updatedReplicas ||
    totals.readyReplicas > readyReplicas ||
    totals.availableReplicas > availableReplicas
  );
}

const condition = (type: string, status: string, reason: string, message: string): DeploymentCondition => ({
  type,
  status,
  reason,
  message,
});

/** Keeps the times of a condition that is as it was. */
function withTimes(next: DeploymentCondition, before: DeploymentStatus, now: string): DeploymentCondition {
  const last = before.conditions?.find(({ type }) => type === next.type);
  const isSame = last?.status === next.status && last.reason === next.reason && last.message === next.message;
  return {
    ...next,
    lastUpdateTime: next.lastUpdateTime ?? (isSame ? last.lastUpdateTime : undefined) ?? now,
    lastTransitionTime: (last?.status === next.status ? last.lastTransitionTime : undefined) ?? now,
  };
}
