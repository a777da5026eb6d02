// The status of a pod, from the state of its containers.
import { formatSeconds } from '../api/time.js';
import type { ContainerManager } from './containerManager.js';

import type { Condition, Phase, PodStatus } from './types.js';

/** The state of a pod on its node. */
export interface PodState {
  readonly podIP: string | undefined;
  readonly hostIP: string;
  readonly startTime: string;
  readonly initContainers: readonly ContainerManager[];
  readonly containers: readonly ContainerManager[];
  readonly ephemeralContainers: readonly ContainerManager[];
  /** The reason why the pod as a whole has failed. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined;
}

/**
 * Returns the status of a pod. `before` is the current status: its transition times and the conditions of other clients
 * are kept.
 */
export function statusOf(state: PodState, before: PodStatus = {}): PodStatus {
  const { podIP, hostIP, startTime, initContainers, containers, ephemeralContainers, failure } = state;
  const phase = failure === undefined ? phaseOf(state) : 'Failed';
  return {
    ...before,
    phase,
    ...failure,
    conditions: conditionsOf(state, phase, before.conditions ?? []),
    hostIP,
    ...(podIP !== undefined && { podIP }),
    startTime,
    ...(initContainers.length > 0 && { initContainerStatuses: initContainers.map(({ status }) => status) }),
    containerStatuses: containers.map(({ status }) => status),
    ...(ephemeralContainers.length > 0 && {
      // Nobody asks whether one of these is ready.
      ephemeralContainerStatuses: ephemeralContainers.map(({ status }) => ({ ...status, ready: false })),
    }),
  };
}

/** Returns Succeeded or Failed if all containers have ended for good, Running if one has started, otherwise Pending. */
function phaseOf({ initContainers, containers }: PodState): Phase {
  if (initContainers.some(({ finalExitCode = 0 }) => finalExitCode !== 0)) return 'Failed';
  const codes = containers.map(({ finalExitCode }) => finalExitCode);
  if (codes.every((code) => code !== undefined)) return codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  return containers.some(({ hasStarted }) => hasStarted) ? 'Running' : 'Pending';
}

function conditionsOf(
  { initContainers, containers }: PodState,
  phase: Phase,
  before: readonly Condition[],
): readonly Condition[] {
  const initialized = initContainers.every(({ finalExitCode }) => finalExitCode === 0);
  const unready = containers.filter(({ isRunning }) => !isRunning).map(({ spec }) => spec.name);
  const ready =
    phase === 'Succeeded'
      ? { status: 'False', reason: 'PodCompleted' }
      : unready.length === 0
        ? { status: 'True' }
        : {
            status: 'False',
            reason: 'ContainersNotReady',
            message: `containers with unready status: [${unready.join(' ')}]`,
          };
  const wanted = [
    initialized
      ? { type: 'Initialized', status: 'True' }
      : { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized' },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ] as readonly Condition[];
  const others = before.filter(({ type }) => !wanted.some((condition) => condition.type === type));
  return [...wanted.map((condition) => withTime(condition, before)), ...others];
}

/** Returns a condition. It keeps the transition time if the status has not changed. */
function withTime(condition: Condition, before: readonly Condition[]): Condition {
  const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
  return { lastTransitionTime: same?.lastTransitionTime ?? formatSeconds(new Date()), ...condition };
}
