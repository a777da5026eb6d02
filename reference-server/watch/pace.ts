// How often the watches are told: at once on a quiet server, in rounds under a storm of writes.

const shareOfTime = 1 / 4;
const longestWait = 20;

/**
 * Calls a round when there is something to tell; after one that took long it waits, so that rounds take a quarter of
 * the server's time at most, and what comes meanwhile goes out in one write. Times are in milliseconds.
 */
export class Pace {
  #notBefore = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly round: () => void) {}

  /** There is something to tell. */
  soon(): void {
    const wait = this.#notBefore - performance.now();
    if (wait <= 0) this.now();
    else this.#timer ??= setTimeout(() => this.now(), wait);
  }

  /** Does not wait. */
  now(): void {
    this.stop();
    const began = performance.now();
    this.round();
    const ended = performance.now();
    const wait = (ended - began) * (1 / shareOfTime - 1);
    // A timer counts in milliseconds: for less it is not worth while.
    this.#notBefore = wait < 1 ? 0 : ended + Math.min(wait, longestWait);
  }

  /** Nothing is to be told any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
