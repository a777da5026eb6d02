// The status of a pod: made from the state of its containers, and written to the API server.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { Backoff } from '../api/backoff.js';
import { formatSeconds } from '../api/time.js';
import type { Pod } from '../api/types.js';
import type { ContainerWorker } from './containerWorker.js';
import type { Refusal } from './refusals.js';
import { resizeConditions } from './resize.js';
import { isSidecar } from './sidecars.js';

export interface PodState {
  readonly podIP: string | undefined;
  readonly hostIP: string;
  readonly startTime: string;
  readonly initContainers: readonly ContainerWorker[];
  readonly containers: readonly ContainerWorker[];
  readonly ephemeralContainers: readonly ContainerWorker[];
  /** The conditions that other clients must set before the pod is ready. */
  readonly readinessGates: readonly ObjectOf<'PodReadinessGate'>[];
  /** The reason why the pod as a whole has failed. */
  readonly failure: Refusal | undefined;
  /** Why the pod does not get the resources that it asks for. */
  readonly resizing: ObjectOf<'PodCondition'> | undefined;
}

/**
 * Returns the status of a pod. `before` is the current status: its transition times and the conditions of other clients
 * are kept.
 */
export function podStatusOf(state: PodState, before: ObjectOf<'PodStatus'> = {}): ObjectOf<'PodStatus'> {
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
    ...(initContainers.length > 0 && { initContainerStatuses: initContainers.map(initStatusOf) }),
    containerStatuses: containers.map(({ status }) => status),
    ...(ephemeralContainers.length > 0 && {
      // Nobody asks whether one of these is ready.
      ephemeralContainerStatuses: ephemeralContainers.map(({ status }) => ({ ...status, ready: false })),
    }),
  };
}

/** An init container is ready when it has succeeded, and a sidecar as other containers are. */
const initStatusOf = ({ spec, status, finalExitCode }: ContainerWorker): ObjectOf<'ContainerStatus'> =>
  isSidecar(spec) ? status : { ...status, ready: finalExitCode === 0 };

function phaseOf({ initContainers, containers }: PodState): string {
  if (initContainers.some(({ finalExitCode = 0 }) => finalExitCode !== 0)) return 'Failed';
  const codes = containers.map(({ finalExitCode }) => finalExitCode);
  if (codes.every((code) => code !== undefined)) return codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  return containers.some(({ hasStarted }) => hasStarted) ? 'Running' : 'Pending';
}

function conditionsOf(
  { initContainers, containers, readinessGates, resizing }: PodState,
  phase: string,
  before: readonly ObjectOf<'PodCondition'>[],
): readonly ObjectOf<'PodCondition'>[] {
  const incomplete = containers.some(({ hasStarted }) => hasStarted)
    ? []
    : initContainers.filter((each) => !(isSidecar(each.spec) ? each.hasStartedUp : each.finalExitCode === 0));
  const initialized =
    incomplete.length === 0
      ? { status: 'True', ...(phase === 'Succeeded' && { reason: 'PodCompleted' }) }
      : {
          status: 'False',
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${namesOf(incomplete)}]`,
        };
  const staying = [...initContainers.filter(({ spec }) => isSidecar(spec)), ...containers];
  const unready = staying.filter(({ isReady }) => !isReady);
  const ready =
    phase === 'Succeeded'
      ? { status: 'False', reason: 'PodCompleted' }
      : unready.length === 0
        ? { status: 'True' }
        : {
            status: 'False',
            reason: 'ContainersNotReady',
            message: `containers with unready status: [${namesOf(unready)}]`,
          };
  const closed = ready.status === 'True' ? closedGates(readinessGates, before) : [];
  const passed =
    closed.length === 0 ? ready : { status: 'False', reason: 'ReadinessGatesNotReady', message: closed.join(', ') };
  const wanted: readonly ObjectOf<'PodCondition'>[] = [
    { type: 'Initialized', ...initialized },
    { type: 'Ready', ...passed },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
    ...(resizing ? [resizing] : []),
  ];
  const own = [...wanted.map(({ type }) => type), ...resizeConditions];
  const others = before.filter(({ type }) => !own.includes(type));
  return [...wanted.map((condition) => withTime(condition, before)), ...others];
}

const namesOf = (containers: readonly ContainerWorker[]): string => containers.map(({ spec }) => spec.name).join(' ');

/** Returns what each gate lacks that is not open. */
const closedGates = (
  gates: readonly ObjectOf<'PodReadinessGate'>[],
  conditions: readonly ObjectOf<'PodCondition'>[],
): string[] =>
  gates.flatMap(({ conditionType }) => {
    const found = conditions.find(({ type }) => type === conditionType);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });

/** Returns what stands at the readiness gates of a pod; the same text as long as none has changed. */
export const gatesOf = ({ spec: { readinessGates = [] }, status }: Pod): string =>
  closedGates(readinessGates, status?.conditions ?? []).join();

/** Keeps the transition time if the status has not changed. */
function withTime(
  condition: ObjectOf<'PodCondition'>,
  before: readonly ObjectOf<'PodCondition'>[],
): ObjectOf<'PodCondition'> {
  const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
  return { lastTransitionTime: same?.lastTransitionTime ?? formatSeconds(new Date()), ...condition };
}

/** Always writes the latest status, one write at a time, with retries. */
export class StatusManager {
  #pod: Pod;
  #changed = false;
  #writing: Promise<void> | undefined;

  /** `statusOf` makes the new status from the object's current one. Nothing is written after the signal. */
  constructor(
    pod: Pod,
    readonly client: ApiClient,
    readonly statusOf: (before: ObjectOf<'PodStatus'> | undefined) => ObjectOf<'PodStatus'>,
    readonly signal: AbortSignal,
  ) {
    this.#pod = pod;
  }

  update(pod: Pod): void {
    this.#pod = pod;
  }

  /** Writes the status after a change. Resolves when the status is written, or will never be. */
  write(): Promise<void> {
    this.#changed = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const backoff = new Backoff();
    // Combine simultaneous changes into one write.
    await Promise.resolve();
    while (this.#changed && !this.signal.aborted) {
      this.#changed = false;
      const path = podPath(this.#pod);
      try {
        const body = { apiVersion: 'v1', kind: 'Pod', ...this.#pod, status: this.statusOf(this.#pod.status) };
        this.#pod = await this.client.replace<Pod>(`${path}/status`, body);
      } catch (error) {
        if (isStatus(error, 404)) return;
        this.#changed = true;
        if (!isStatus(error, 409)) await backoff.wait(this.signal);
        if (!(await this.#refresh(path))) return;
      }
    }
  }

  /** Reads the object again. Returns false if it no longer exists. */
  async #refresh(path: string): Promise<boolean> {
    try {
      const found = await this.client.get<Pod>(path);
      if (found.metadata.uid !== this.#pod.metadata.uid) return false;
      this.#pod = found;
      return true;
    } catch (error) {
      return !isStatus(error, 404);
    }
  }
}

export const podPath = ({ metadata }: Pod): string => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
