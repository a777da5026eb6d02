// What a pod's status says of its containers.
import { formatSeconds } from '../containers/time.js';
import type { ContainerKeeper } from './containerKeeper.js';
import type { Placement } from './fields.js';
import type { Condition, Phase, PodStatus } from './types.js';

/** What is known of a pod on its node. */
export interface PodFacts {
  readonly place: Placement | undefined;
  readonly hostIP: string;
  readonly startTime: string;
  readonly initContainers: readonly ContainerKeeper[];
  readonly containers: readonly ContainerKeeper[];
  /** Why the pod has failed as a whole. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined;
}

/** The status of a pod; `before` holds what others have written, and the times at which conditions turned. */
export function statusOf(facts: PodFacts, before: PodStatus = {}): PodStatus {
  const { place, hostIP, startTime, initContainers, containers, failure } = facts;
  const phase = failure === undefined ? phaseOf(facts) : 'Failed';
  return {
    ...before,
    phase,
    ...failure,
    conditions: conditionsOf(facts, phase, before.conditions ?? []),
    hostIP,
    ...(place === undefined ? {} : { podIP: place.podIP }),
    startTime,
    ...(initContainers.length === 0 ? {} : { initContainerStatuses: initContainers.map(({ status }) => status) }),
    containerStatuses: containers.map(({ status }) => status),
  };
}

/** All containers ended for good: Succeeded or Failed; any started: Running; else Pending. */
function phaseOf({ initContainers, containers }: PodFacts): Phase {
  if (initContainers.some(({ finalCode = 0 }) => finalCode !== 0)) return 'Failed';
  const codes = containers.map(({ finalCode }) => finalCode);
  if (codes.every((code) => code !== undefined)) return codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  return containers.some(({ hasStarted }) => hasStarted) ? 'Running' : 'Pending';
}

function conditionsOf(
  { initContainers, containers }: PodFacts,
  phase: Phase,
  before: readonly Condition[],
): readonly Condition[] {
  const initialized = initContainers.every(({ finalCode }) => finalCode === 0);
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

/** A condition that has not turned keeps its time. */
function withTime(condition: Condition, before: readonly Condition[]): Condition {
  const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
  return { lastTransitionTime: same?.lastTransitionTime ?? formatSeconds(new Date()), ...condition };
}
