// The probes of one run of a container: when they run, and what their outcomes mean.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { firstOf } from '../../matrix/api/signals.js';
import type { EventType } from '../api/eventRecorder.js';
import { pause } from '../kernel/process.js';
import { type HandlerTarget, type Outcome, runProbe } from './handlers.js';

type Probe = ObjectOf<'Probe'>;
type Kind = 'startup' | 'readiness' | 'liveness';

interface Observer {
  /** The container has become ready or unready, or has started up. */
  changed(): void;
  /** The container must be killed; `gracePeriod` is that of the probe, in seconds. */
  failed(kind: Kind, gracePeriod: number | undefined): void;
  event(type: EventType, reason: string, message: string): void;
}

/** How often a probe is tried again at once whose handler itself fails. */
const mostErrors = 3;

const titles = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' } as const;

export class Probes {
  readonly #target: HandlerTarget;
  readonly #observer: Observer;
  /** Aborts when the container has ended. */
  readonly #signal: AbortSignal;
  readonly #begun = performance.now();
  #started: boolean;
  #ready: boolean;

  /**
   * Starts the probes of a container that has just started. The startup and the liveness probes end with `ending`,
   * since a container that stops is not restarted.
   */
  constructor(target: HandlerTarget, observer: Observer, ending: AbortSignal) {
    this.#target = target;
    this.#observer = observer;
    this.#signal = target.container.signal;
    const { startupProbe, readinessProbe, livenessProbe } = target.spec;
    this.#started = startupProbe === undefined;
    this.#ready = readinessProbe === undefined;
    const living = firstOf(this.#signal, ending);
    const others = () => {
      if (readinessProbe !== undefined) void this.#run('readiness', readinessProbe, this.#signal);
      if (livenessProbe !== undefined) void this.#run('liveness', livenessProbe, living);
    };
    if (startupProbe === undefined) others();
    else void this.#run('startup', startupProbe, living).then(() => this.#started && others());
  }

  static has({ startupProbe, readinessProbe, livenessProbe }: ObjectOf<'Container'>): boolean {
    return startupProbe !== undefined || readinessProbe !== undefined || livenessProbe !== undefined;
  }

  get started(): boolean {
    return this.#started;
  }

  get ready(): boolean {
    return this.#started && this.#ready;
  }

  /** Runs a probe again and again, until the signal or its last result. */
  async #run(kind: Kind, probe: Probe, signal: AbortSignal): Promise<void> {
    const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe;
    await wait(this.#begun + initialDelaySeconds * 1000 - performance.now(), signal);
    let last: boolean | undefined;
    let inRow = 0;
    while (!signal.aborted) {
      const next = performance.now() + (periodSeconds || 10) * 1000;
      const outcome = await this.#ask(kind, probe, signal);
      if (signal.aborted) return;
      if (outcome.result !== 'error') {
        const isSuccess = outcome.result !== 'failure';
        inRow = isSuccess === last ? inRow + 1 : 1;
        last = isSuccess;
        const threshold = isSuccess ? successThreshold : failureThreshold;
        if (inRow >= (threshold || 1) && this.#conclude(kind, probe, isSuccess)) return;
      }
      await wait(next - performance.now(), signal);
    }
  }

  /** Runs the handler of a probe, and tells what is not a success. */
  async #ask(kind: Kind, probe: Probe, signal: AbortSignal): Promise<Outcome> {
    const milliseconds = (probe.timeoutSeconds || 1) * 1000;
    let outcome = await runProbe(probe, this.#target, milliseconds);
    for (let tried = 1; outcome.result === 'error' && tried < mostErrors && !signal.aborted; tried++) {
      outcome = await runProbe(probe, this.#target, milliseconds);
    }
    if (signal.aborted || outcome.result === 'success') return outcome;
    const { result, message } = outcome;
    const [reason, verb] =
      result === 'warning'
        ? ['ProbeWarning', 'warning']
        : (['Unhealthy', result === 'failure' ? 'failed' : 'errored'] as const);
    this.#observer.event('Warning', reason, `${titles[kind]} probe ${verb}: ${message}`);
    return outcome;
  }

  /** Acts on a result. Returns true if it is the last one of the probe. */
  #conclude(kind: Kind, { terminationGracePeriodSeconds }: Probe, isSuccess: boolean): boolean {
    if (kind === 'readiness') {
      if (this.#ready === isSuccess) return false;
      this.#ready = isSuccess;
      this.#observer.changed();
      return false;
    }
    if (!isSuccess) this.#observer.failed(kind, terminationGracePeriodSeconds);
    else if (kind === 'startup') {
      this.#started = true;
      this.#observer.changed();
    }
    return !isSuccess || kind === 'startup';
  }
}

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> => pause(signal, milliseconds).catch(() => {});
