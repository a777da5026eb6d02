// Work that controllers do in order, and work that they delay.
import { setTimeout as pause } from 'node:timers/promises';
import type { Cancel, Clock } from '../clock.js';
import type { Activity } from './activity.js';

/** Resolves after a delay, in milliseconds, or when the signal aborts. */
export async function pauseFor(millis: number, signal: AbortSignal): Promise<void> {
  await pause(millis, undefined, { signal }).catch(() => {});
}

/** Runs one task at a time, in the order of the calls, and delayed tasks later. Stops when the signal aborts. */
export class WorkQueue {
  readonly #timers = new Map<string, Cancel>();
  #last: Promise<void> = Promise.resolve();

  constructor(
    readonly signal: AbortSignal,
    readonly clock: Clock,
    readonly activity: Activity,
  ) {
    const cancelAll = (): void => {
      for (const cancel of this.#timers.values()) cancel();
    };
    signal.addEventListener('abort', cancelAll, { once: true });
  }

  /** Runs a task after all earlier ones. The task must not reject. */
  do(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => (this.signal.aborted ? undefined : this.activity.during(work())));
    return this.#last;
  }

  /** Runs a task after a delay, in milliseconds of the clock. Replaces the delayed task with the same key. */
  doLater(key: string, millis: number, work: () => Promise<void>): void {
    if (this.signal.aborted) return;
    this.#timers.get(key)?.();
    const begin = (): void => {
      this.#timers.delete(key);
      void this.do(work);
    };
    this.#timers.set(key, this.clock.after(millis, begin));
  }

  /** Resolves when no task is running. */
  ended(): Promise<void> {
    return this.#last;
  }
}
