// Keeps one container as its pod wants it: started, started again by the restart policy, stopped.
import { Backoff } from '../api/backoff.js';
import { Instance, type InstanceSettings } from '../containers/instance.js';
import { formatSeconds } from '../containers/time.js';
import { NotReady } from './objects.js';
import type { ContainerSpec, ContainerState, ContainerStatus, PodSpec } from './types.js';

type RestartPolicy = NonNullable<PodSpec['restartPolicy']>;

export interface KeeperSettings {
  readonly spec: ContainerSpec;
  readonly restartPolicy: RestartPolicy;
  /** Makes what an instance needs. Throws NotReady for what is not there yet. */
  prepare(spec: ContainerSpec): Promise<InstanceSettings>;
  /** The status has changed. */
  changed(): void;
  /** Milliseconds before the second restart; doubled for each after it. */
  readonly restartDelay: number;
}

const maxRestartDelay = 300_000;
/** A container that has run this long is well again: its delays start anew. Milliseconds. */
const wellAfter = 600_000;

export class ContainerKeeper {
  readonly spec: ContainerSpec;
  #current: Instance | undefined;
  #previous: Instance | undefined;
  #state: ContainerState = { waiting: { reason: 'ContainerCreating' } };
  #lastState: ContainerState = {};
  #restartCount = 0;
  #containerId: string | undefined;
  readonly #settings: KeeperSettings;

  /** `before` is the status that another run of the agent has left. */
  constructor(settings: KeeperSettings, before: ContainerStatus | undefined) {
    this.#settings = settings;
    this.spec = settings.spec;
    if (before !== undefined) this.#takeOver(before);
  }

  /** The instance that runs, or ran last. */
  get current(): Instance | undefined {
    return this.#current;
  }

  /** The instance that the last state is about: while a restart is waited for, it is the one that ran last. */
  get previous(): Instance | undefined {
    const id = this.#lastState.terminated?.containerID;
    return [this.#current, this.#previous].find((instance) => instance !== undefined && instance.id === id);
  }

  /** The exit code that it has ended with for good. */
  get finalCode(): number | undefined {
    const code = this.#state.terminated?.exitCode;
    return code === undefined || this.#restarts(code) ? undefined : code;
  }

  get isRunning(): boolean {
    return this.#state.running !== undefined;
  }

  /** Whether it has run at all. */
  get hasStarted(): boolean {
    return this.#state.waiting === undefined || this.#lastState.terminated !== undefined;
  }

  get status(): ContainerStatus {
    const { name, image = '' } = this.spec;
    return {
      name,
      image,
      imageID: `simulated://${image}`,
      ...(this.#containerId === undefined ? {} : { containerID: this.#containerId }),
      ready: this.isRunning,
      started: this.isRunning,
      restartCount: this.#restartCount,
      state: this.#state,
      lastState: this.#lastState,
    };
  }

  /** Runs it until it has ended for good, or until `ending` and its end. Never rejects but for errors of the agent. */
  async keep(ending: AbortSignal): Promise<void> {
    const delays = new Backoff(this.#settings.restartDelay, maxRestartDelay);
    let restarts = 0;
    while (!ending.aborted && this.finalCode === undefined) {
      const settings = await this.#prepared(ending);
      if (settings === undefined || ending.aborted) break;
      const instance = this.#start(settings);
      const code = await instance.ended;
      this.#finish(instance, code);
      if (ending.aborted || !this.#restarts(code)) break;
      if (Date.now() - instance.startedAt.getTime() > wellAfter) {
        delays.reset();
        restarts = 0;
      }
      const ended = this.#state;
      this.#lastState = ended;
      if (restarts++ > 0 && !(await this.#rest(delays, ending))) {
        this.#state = ended;
        break;
      }
      this.#restartCount++;
    }
  }

  /** Asks a running instance to end. */
  terminate(): void {
    this.#current?.terminate();
  }

  /** Ends a running instance. */
  kill(): void {
    this.#current?.kill();
  }

  #restarts(code: number): boolean {
    const { restartPolicy } = this.#settings;
    return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && code !== 0);
  }

  #takeOver({ restartCount, containerID, state, lastState }: ContainerStatus): void {
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
          ...(containerID === undefined ? {} : { containerID }),
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

  /** What an instance needs, once all of it is there; undefined when the pod ends before. */
  async #prepared(ending: AbortSignal): Promise<InstanceSettings | undefined> {
    const patience = new Backoff(200);
    while (!ending.aborted) {
      try {
        return await this.#settings.prepare(this.spec);
      } catch (error) {
        const reason = error instanceof NotReady ? 'CreateContainerConfigError' : 'ContainerCreating';
        this.#state = { waiting: { reason, message: error instanceof Error ? error.message : String(error) } };
        this.#settings.changed();
        await patience.wait(ending);
      }
    }
    return undefined;
  }

  #start(settings: InstanceSettings): Instance {
    this.#previous = this.#current;
    const instance = new Instance(settings);
    this.#current = instance;
    this.#containerId = instance.id;
    this.#state = { running: { startedAt: formatSeconds(instance.startedAt) } };
    this.#settings.changed();
    return instance;
  }

  #finish(instance: Instance, code: number): void {
    this.#state = { terminated: this.#terminated(instance, code) };
    this.#settings.changed();
  }

  /** Waits before a restart; false when the pod ends meanwhile. */
  async #rest(delays: Backoff, ending: AbortSignal): Promise<boolean> {
    const message = `restarting failed container ${this.spec.name}`;
    this.#state = { waiting: { reason: 'CrashLoopBackOff', message } };
    this.#settings.changed();
    await delays.wait(ending);
    return !ending.aborted;
  }

  #terminated(instance: Instance, exitCode: number): NonNullable<ContainerState['terminated']> {
    const { problem, startedAt, finishedAt, id } = instance;
    const reason = problem === undefined ? (exitCode === 0 ? 'Completed' : 'Error') : 'StartError';
    return {
      exitCode,
      reason,
      ...(problem === undefined ? {} : { message: problem }),
      startedAt: formatSeconds(startedAt),
      finishedAt: formatSeconds(finishedAt ?? new Date()),
      containerID: id,
    };
  }
}
