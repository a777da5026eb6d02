// Work that controllers do in turn, and work that they put off.
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. */
export async function pauseFor(millis: number, signal: AbortSignal): Promise<void> {
  await pause(millis, undefined, { signal }).catch(() => {});
}

/** Does one thing at a time, in the order in which it was asked to, and some of it later; it ends with the signal. */
export class Turns {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #last: Promise<void> = Promise.resolve();

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#timers.forEach(clearTimeout), { once: true });
  }

  /** Does work when what was asked for before is done. It must not reject. */
  do(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => (this.signal.aborted ? undefined : work()));
    return this.#last;
  }

  /** Does work after a time; instead of what was put off under the same key. */
  doLater(key: string, millis: number, work: () => Promise<void>): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#timers.get(key));
    const begin = (): void => {
      this.#timers.delete(key);
      void this.do(work);
    };
    this.#timers.set(key, setTimeout(begin, millis));
  }

  /** Resolves when nothing is being done. */
  ended(): Promise<void> {
    return this.#last;
  }
}
