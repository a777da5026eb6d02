// Runs one container of a pod: starts it, restarts it according to the restart policy, and stops it.
import { Backoff, toError } from '../api/backoff.js';
import type { EventType } from '../api/eventRecorder.js';
import { formatSeconds } from '../api/time.js';
import { Container, type ContainerConfig } from '../containers/container.js';
import { NotReady } from './objects.js';
import type { ContainerSpec, ContainerState, ContainerStatus, PodSpec } from './types.js';

type RestartPolicy = NonNullable<PodSpec['restartPolicy']>;

export interface ContainerManagerSettings {
  readonly spec: ContainerSpec;
  readonly restartPolicy: RestartPolicy;
  /** Makes the settings of an instance. Rejects with NotReady if a referenced object does not exist yet. */
  prepare(): Promise<ContainerConfig>;
  onStatusChange(): void;
  /** Receives what the events of the pod say about the container. */
  onEvent(type: EventType, reason: string, message: string): void;
  /** The delay of the second restart, in milliseconds; it doubles with each restart. */
  readonly restartDelay: number;
}

/** In milliseconds. */
const maxRestartDelay = 300_000;
/** In milliseconds: after a run of this length, the delays start again at the first one. */
const resetAfter = 600_000;

export class ContainerManager {
  readonly spec: ContainerSpec;
  #current: Container | undefined;
  #previous: Container | undefined;
  #state: ContainerState = { waiting: { reason: 'ContainerCreating' } };
  #lastState: ContainerState = {};
  #restartCount = 0;
  #containerId: string | undefined;
  readonly #settings: ContainerManagerSettings;

  /** `before` is the status that an earlier run of the agent wrote. */
  constructor(settings: ContainerManagerSettings, before: ContainerStatus | undefined) {
    this.#settings = settings;
    this.spec = settings.spec;
    if (before !== undefined) this.#restore(before);
  }

  /** The running or last instance. */
  get current(): Container | undefined {
    return this.#current;
  }

  /** The instance of `lastState`; during a restart delay, the last instance. */
  get previous(): Container | undefined {
    const id = this.#lastState.terminated?.containerID;
    return [this.#current, this.#previous].find((instance) => instance !== undefined && instance.id === id);
  }

  /** The exit code, if the container has ended and is not restarted. */
  get finalExitCode(): number | undefined {
    const code = this.#state.terminated?.exitCode;
    return code === undefined || this.#restarts(code) ? undefined : code;
  }

  get isRunning(): boolean {
    return this.#state.running !== undefined;
  }

  /** Whether the container has run at least once. */
  get hasStarted(): boolean {
    return this.#state.waiting === undefined || this.#lastState.terminated !== undefined;
  }

  get status(): ContainerStatus {
    const { name, image = '' } = this.spec;
    return {
      name,
      image,
      imageID: `simulated://${image}`,
      ...(this.#containerId !== undefined && { containerID: this.#containerId }),
      ready: this.isRunning,
      started: this.isRunning,
      restartCount: this.#restartCount,
      state: this.#state,
      lastState: this.#lastState,
    };
  }

  /** Runs the container until it has ended and is not restarted. After `ending`, it is not restarted. */
  async run(ending: AbortSignal): Promise<void> {
    const delays = new Backoff(this.#settings.restartDelay, maxRestartDelay);
    let restarts = 0;
    while (!ending.aborted && this.finalExitCode === undefined) {
      const settings = await this.#prepare(ending);
      if (settings === undefined || ending.aborted) break;
      const instance = this.#start(settings);
      const code = await instance.ended;
      this.#setState({ terminated: terminatedState(instance, code) });
      if (ending.aborted || !this.#restarts(code)) break;
      if (Date.now() - instance.startedAt.getTime() > resetAfter) {
        delays.reset();
        restarts = 0;
      }
      const ended = this.#state;
      this.#lastState = ended;
      if (restarts++ > 0) {
        const message = `restarting failed container ${this.spec.name}`;
        this.#setState({ waiting: { reason: 'CrashLoopBackOff', message } });
        this.#settings.onEvent('Warning', 'BackOff', `Back-off ${message}`);
        await delays.wait(ending);
        if (ending.aborted) {
          this.#state = ended;
          break;
        }
      }
      this.#restartCount++;
    }
  }

  /** Sends SIGTERM to the running instance. */
  terminate(): void {
    if (this.isRunning) this.#settings.onEvent('Normal', 'Killing', `Stopping container ${this.spec.name}`);
    this.#current?.terminate();
  }

  /** Sends SIGKILL to the running instance. */
  kill(): void {
    this.#current?.kill();
  }

  #restarts(code: number): boolean {
    const { restartPolicy } = this.#settings;
    return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && code !== 0);
  }

  #restore({ restartCount, containerID, state, lastState }: ContainerStatus): void {
    this.#restartCount = restartCount;
    this.#containerId = containerID;
    this.#lastState = lastState ?? {};
    if (state?.terminated !== undefined) this.#state = state;
    else if (state?.running !== undefined) {
      this.#state = {
        terminated: {
          exitCode: 137,
          reason: 'ContainerStatusUnknown',
          message: 'the node agent that ran the container has stopped',
          startedAt: state.running.startedAt,
          finishedAt: formatSeconds(new Date()),
          ...(containerID !== undefined && { containerID }),
        },
      };
    }
    const { terminated } = this.#state;
    if (terminated !== undefined && this.#restarts(terminated.exitCode)) {
      this.#restartCount++;
      this.#lastState = this.#state;
      this.#state = { waiting: { reason: 'ContainerCreating' } };
    }
  }

  /** Returns the settings of an instance when the referenced objects exist, or undefined if the pod ends earlier. */
  async #prepare(ending: AbortSignal): Promise<ContainerConfig | undefined> {
    const backoff = new Backoff(200);
    while (!ending.aborted) {
      try {
        return await this.#settings.prepare();
      } catch (error) {
        const reason = error instanceof NotReady ? 'CreateContainerConfigError' : 'ContainerCreating';
        const { message } = toError(error);
        this.#setState({ waiting: { reason, message } });
        this.#settings.onEvent('Warning', 'Failed', `Error: ${message}`);
        await backoff.wait(ending);
      }
    }
    return undefined;
  }

  #start(settings: ContainerConfig): Container {
    this.#previous = this.#current;
    const { onEvent } = this.#settings;
    const { name, image = '' } = this.spec;
    onEvent('Normal', 'Pulled', `Container image "${image}" already present on machine`);
    const instance = new Container(settings);
    onEvent('Normal', 'Created', `Created container: ${name}`);
    onEvent('Normal', 'Started', `Started container ${name}`);
    this.#current = instance;
    this.#containerId = instance.id;
    this.#setState({ running: { startedAt: formatSeconds(instance.startedAt) } });
    return instance;
  }

  #setState(state: ContainerState): void {
    this.#state = state;
    this.#settings.onStatusChange();
  }
}

function terminatedState(instance: Container, exitCode: number): NonNullable<ContainerState['terminated']> {
  const { startError, startedAt, finishedAt, id } = instance;
  const reason = startError === undefined ? (exitCode === 0 ? 'Completed' : 'Error') : 'StartError';
  return {
    exitCode,
    reason,
    ...(startError !== undefined && { message: startError }),
    startedAt: formatSeconds(startedAt),
    finishedAt: formatSeconds(finishedAt ?? new Date()),
    containerID: id,
  };
}
