// One container of a pod: runs it, again and again as the restart policy says.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { firstOf } from '../../matrix/api/signals.js';
import { Backoff, toError } from '../api/backoff.js';
import type { EventType } from '../api/eventRecorder.js';
import { formatSeconds } from '../api/time.js';
import { Container, type ContainerConfig } from '../containers/container.js';
import { pause } from '../kernel/process.js';
import { ConditionVariable } from '../kernel/streams.js';
import type { HandlerTarget } from './handlers.js';
import { type HookPlace, runPostStart } from './hooks.js';
import { untilPulled } from './imagePull.js';
import { Probes } from './probes.js';
import { NotReady } from './referencedObjects.js';
import { changedResources, grantedStatus, mustRestart } from './resize.js';
import { Stop } from './stop.js';
import { terminationMessage } from './terminationMessage.js';

export interface ContainerWorkerOptions {
  readonly spec: ObjectOf<'Container'>;
  readonly restartPolicy: string;
  /** Why a container waits that is not created yet. */
  readonly waiting: 'ContainerCreating' | 'PodInitializing';
  /** Rejects with NotReady if a referenced object does not exist yet. */
  prepare(spec: ObjectOf<'Container'>): Promise<ContainerConfig>;
  onStatusChange(): void;
  /** Receives what the events of the pod say about the container. */
  onEvent(type: EventType, reason: string, message: string): void;
  /** The delay of the second restart, in milliseconds; it doubles with each restart. */
  readonly restartDelay: number;
  /** The seconds that the container has to end when it is restarted. */
  readonly gracePeriod: number;
  /** Where probes and hooks find the container. */
  reach(): Omit<HandlerTarget, 'container' | 'spec'>;
  /** How hooks name the pod: `NAME_NAMESPACE(UID)`. */
  readonly pod: string;
}

/** In milliseconds. */
const maxRestartDelay = 300_000;
/** In milliseconds: after a run of this length, the delays start again at the first one. */
const resetAfter = 600_000;

/** In milliseconds: how long a container keeps an earlier image. Kubelets take about as long. */
const imageChange = 1000;

export class ContainerWorker {
  #spec: ObjectOf<'Container'>;
  #current: Container | undefined;
  #previous: Container | undefined;
  #state: ObjectOf<'ContainerState'>;
  #lastState: ObjectOf<'ContainerState'> = {};
  readonly #changed = new ConditionVariable();
  #restartCount = 0;
  #containerId: string | undefined;
  /** Absent if the container has none. */
  #probes: Probes | undefined;
  /** The end of the current container, once it has begun. */
  #stop: Stop | undefined;
  /** Aborts when the container has another image. */
  #image = new AbortController();
  /** Whether the current container has another image than its spec. */
  #isOutdated = false;
  /** The resources that the node has granted. */
  #granted: NonNullable<ObjectOf<'Container'>['resources']>;
  readonly #options: ContainerWorkerOptions;

  /** `before` is the status that an earlier agent wrote. */
  constructor(options: ContainerWorkerOptions, before: ObjectOf<'ContainerStatus'> | undefined) {
    this.#options = options;
    this.#spec = options.spec;
    this.#state = { waiting: { reason: options.waiting } };
    this.#granted = options.spec.resources ?? {};
    if (before !== undefined) this.#restore(before);
  }

  get spec(): ObjectOf<'Container'> {
    return this.#spec;
  }

  /** The running or last container. */
  get current(): Container | undefined {
    return this.#current;
  }

  /** The container of `lastState`; during a restart delay, the last one. */
  get previous(): Container | undefined {
    const id = this.#lastState.terminated?.containerID;
    return [this.#current, this.#previous].find((container) => container !== undefined && container.id === id);
  }

  /** The exit code, if the container has ended and is not restarted. */
  get finalExitCode(): number | undefined {
    const code = this.#state.terminated?.exitCode;
    return code === undefined || this.#restarts(code) ? undefined : code;
  }

  get isRunning(): boolean {
    return this.#state.running !== undefined;
  }

  /** Whether the container runs, and its startup probe has succeeded. */
  get hasStartedUp(): boolean {
    return this.isRunning && (this.#probes?.started ?? true);
  }

  /** Whether the container runs, and its probes say that it is ready. */
  get isReady(): boolean {
    return this.isRunning && (this.#probes?.ready ?? true);
  }

  /** Whether the container has run at least once. */
  get hasStarted(): boolean {
    return this.#state.waiting === undefined || this.#lastState.terminated !== undefined;
  }

  get status(): ObjectOf<'ContainerStatus'> {
    const { name, image = '' } = this.spec;
    return {
      name,
      image,
      imageID: this.#containerId === undefined ? '' : `simulated://${image}`,
      ...(this.#containerId !== undefined && { containerID: this.#containerId }),
      ready: this.isReady,
      started: this.hasStartedUp,
      restartCount: this.#restartCount,
      state: this.#state,
      lastState: this.#lastState,
      ...grantedStatus(this.spec, this.#granted),
    };
  }

  /** Resolves when the container has ended and is not restarted, as it never is after `ending`. */
  async run(ending: AbortSignal): Promise<void> {
    const delays = new Backoff(this.#options.restartDelay, maxRestartDelay);
    let restarts = 0;
    while (!ending.aborted && this.finalExitCode === undefined) {
      await this.#pulled(ending);
      const config = await this.#prepare(ending);
      if (config === undefined || ending.aborted) break;
      const container = await this.#start(config, ending);
      const code = await container.ended;
      this.#stop?.finish();
      const message = container.startError ?? (await terminationMessage(container, this.spec));
      const ended = { terminated: terminatedState(container, code, message) };
      // API servers take no container for running that has ended for good by the policy of its pod.
      this.#setState(this.#isOutdated && !ending.aborted ? { waiting: { reason: this.#options.waiting } } : ended);
      if (ending.aborted || !this.#restarts(code)) break;
      if (Date.now() - container.startedAt.getTime() > resetAfter) {
        delays.reset();
        restarts = 0;
      }
      this.#lastState = ended;
      if (restarts++ > 0) {
        const why = `restarting failed container ${this.spec.name}`;
        this.#setState({ waiting: { reason: 'CrashLoopBackOff', message: why } });
        this.#options.onEvent('Warning', 'BackOff', `Back-off ${why}`);
        await delays.wait(ending);
        if (ending.aborted) {
          this.#state = ended;
          break;
        }
      }
      this.#restartCount++;
    }
  }

  /** Resolves when the container has started up, or at the signal. */
  async untilStarted(signal: AbortSignal): Promise<void> {
    while (!this.hasStartedUp && !signal.aborted) await this.#changed.wait(signal);
  }

  /** Grants other resources; a container may have to restart for them. */
  grant({ resources = {} }: ObjectOf<'Container'>): void {
    const changed = changedResources(this.#granted, resources);
    if (changed.length === 0) return;
    this.#granted = resources;
    this.#options.onStatusChange();
    if (mustRestart(this.spec, changed)) this.terminate(this.#options.gracePeriod);
  }

  /** Gives the container another image; it restarts, whatever its policy is. */
  setImage({ image = '' }: ObjectOf<'Container'>): void {
    if (image === this.#spec.image) return;
    this.#spec = { ...this.#spec, image };
    this.#image.abort();
    this.#image = new AbortController();
    if (this.#current !== undefined) void this.#replace(this.#current).catch(() => {});
  }

  /** Ends a container that has an earlier image than its spec. Rejects if it ends earlier. */
  async #replace(container: Container): Promise<void> {
    await pause(container.signal, imageChange);
    this.#isOutdated = true;
    this.terminate(this.#options.gracePeriod, `Container ${this.spec.name} definition changed, will be restarted`);
  }

  /**
   * Ends the current container: its hook, then SIGTERM, and SIGKILL after a grace period in seconds. Another call gives
   * it another period.
   */
  terminate(gracePeriod: number, why = `Stopping container ${this.spec.name}`): void {
    const container = this.#current;
    if (container === undefined || container.exitCode !== undefined) return;
    if (this.#stop?.container !== container) {
      this.#options.onEvent('Normal', 'Killing', why);
      this.#stop = new Stop(this.#placeOf(container));
    }
    this.#stop.within(gracePeriod);
  }

  /** Sends SIGKILL. */
  kill(): void {
    this.#current?.kill();
  }

  #restarts(code: number): boolean {
    const { restartPolicy } = this.#options;
    return this.#isOutdated || restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && code !== 0);
  }

  #restore({ restartCount, containerID, state, lastState }: ObjectOf<'ContainerStatus'>): void {
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
          ...state.running,
          finishedAt: formatSeconds(new Date()),
          ...(containerID !== undefined && { containerID }),
        },
      };
    }
    const { terminated } = this.#state;
    if (terminated !== undefined && this.#restarts(terminated.exitCode)) {
      this.#restartCount++;
      this.#lastState = this.#state;
      this.#state = { waiting: { reason: this.#options.waiting } };
    }
  }

  /** Resolves when the image is there, or at the signal. */
  #pulled(ending: AbortSignal): Promise<void> {
    const { onEvent, restartDelay } = this.#options;
    return untilPulled({
      image: () => this.#spec.image ?? '',
      interrupted: () => firstOf(ending, this.#image.signal),
      waits: (reason, message) => this.#setState({ waiting: { reason, message } }),
      event: onEvent,
      delays: () => new Backoff(restartDelay, maxRestartDelay),
      ending,
    });
  }

  /** Resolves when the referenced objects exist; with undefined if the pod ends earlier. */
  async #prepare(ending: AbortSignal): Promise<ContainerConfig | undefined> {
    const backoff = new Backoff(200);
    while (!ending.aborted) {
      try {
        return await this.#options.prepare(this.#spec);
      } catch (error) {
        const reason = error instanceof NotReady ? 'CreateContainerConfigError' : this.#options.waiting;
        const { message } = toError(error);
        this.#setState({ waiting: { reason, message } });
        this.#options.onEvent('Warning', 'Failed', `Error: ${message}`);
        await backoff.wait(ending);
      }
    }
    return undefined;
  }

  /** Starts a container. It is running once its hook is done; a hook that fails ends it. */
  async #start(config: ContainerConfig, ending: AbortSignal): Promise<Container> {
    this.#previous = this.#current;
    this.#isOutdated = false;
    const { onEvent } = this.#options;
    const { name, image = '' } = this.spec;
    onEvent('Normal', 'Pulled', `Container image "${image}" already present on machine`);
    const container = new Container(config);
    onEvent('Normal', 'Created', `Created container: ${name}`);
    onEvent('Normal', 'Started', `Started container ${name}`);
    this.#current = container;
    this.#containerId = container.id;
    this.#probes = undefined;
    if (await runPostStart(this.#placeOf(container))) this.#run(container, ending);
    else this.terminate(this.#options.gracePeriod, 'FailedPostStartHook');
    return container;
  }

  #run(container: Container, ending: AbortSignal): void {
    if (Probes.has(this.spec) && container.exitCode === undefined) {
      const { onEvent, gracePeriod } = this.#options;
      const failed = (kind: string, ownPeriod = gracePeriod) => {
        const restarts = this.#options.restartPolicy === 'Never' ? '' : ', will be restarted';
        this.terminate(ownPeriod, `Container ${this.spec.name} failed ${kind} probe${restarts}`);
      };
      this.#probes = new Probes(
        this.#placeOf(container),
        { changed: () => this.#tell(), failed, event: onEvent },
        ending,
      );
    }
    this.#setState({ running: { startedAt: formatSeconds(container.startedAt) } });
  }

  #placeOf(container: Container): HookPlace {
    const { onEvent, pod, reach } = this.#options;
    return { container, spec: this.spec, ...reach(), pod, event: onEvent };
  }

  #setState(state: ObjectOf<'ContainerState'>): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    this.#options.onStatusChange();
    this.#changed.notify();
  }
}

function terminatedState(
  container: Container,
  exitCode: number,
  message: string,
): ObjectOf<'ContainerStateTerminated'> {
  const { startError, startedAt, finishedAt, id } = container;
  const reason = startError === undefined ? (exitCode === 0 ? 'Completed' : 'Error') : 'StartError';
  return {
    exitCode,
    reason,
    ...(message && { message }),
    startedAt: formatSeconds(startedAt),
    finishedAt: formatSeconds(finishedAt ?? new Date()),
    containerID: id,
  };
}
