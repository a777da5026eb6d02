// Work that controllers do in order, and work that they delay.
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after a delay, in milliseconds, or when the signal aborts. */
export async function pauseFor(millis: number, signal: AbortSignal): Promise<void> {
  await pause(millis, undefined, { signal }).catch(() => {});
}

/** Runs one task at a time, in the order of the calls, and delayed tasks later. Stops when the signal aborts. */
export class WorkQueue {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #last: Promise<void> = Promise.resolve();

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#timers.forEach(clearTimeout), { once: true });
  }

  /** Runs a task after all earlier ones. The task must not reject. */
  do(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => (this.signal.aborted ? undefined : work()));
    return this.#last;
  }

  /** Runs a task after a delay, in milliseconds. Replaces the delayed task with the same key. */
  doLater(key: string, millis: number, work: () => Promise<void>): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#timers.get(key));
    const begin = (): void => {
      this.#timers.delete(key);
      void this.do(work);
    };
    this.#timers.set(key, setTimeout(begin, millis));
  }

  /** Resolves when no task is running. */
  ended(): Promise<void> {
    return this.#last;
  }
}
