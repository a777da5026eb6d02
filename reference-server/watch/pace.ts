// The pace of watch events: immediate on a quiet server, in rounds under heavy writes.

const shareOfTime = 1 / 2;
const longestWait = 5;

/**
 * Calls `round` when events are ready. After a long round it waits, so that rounds take at most half of the
 * server's time, and the events of the meantime form one write. Times are in milliseconds.
 */
export class Pace {
  #notBefore = 0;
  #timer: NodeJS.Timeout | undefined;
  #isUnderWay = false;
  #isDue = false;

  /** If a round ends later, its promise resolves with the time that it took, in milliseconds. */
  constructor(readonly round: () => Promise<number> | undefined) {}

  /** Requests a round, after the wait if there is one. */
  soon(): void {
    const wait = this.#notBefore - performance.now();
    if (this.#isUnderWay) this.#isDue = true;
    else if (wait <= 0) this.now();
    else this.#timer ??= setTimeout(() => this.now(), wait);
  }

  /** Starts a round without a wait, or after the current round. */
  now(): void {
    this.stop();
    if (this.#isUnderWay) {
      this.#isDue = true;
      return;
    }
    const began = performance.now();
    const rest = this.round();
    if (rest === undefined) this.#end(performance.now() - began);
    else {
      this.#isUnderWay = true;
      void rest.then((taken) => {
        this.#isUnderWay = false;
        this.#end(taken);
        const isDue = this.#isDue;
        this.#isDue = false;
        if (isDue) this.soon();
      });
    }
  }

  #end(taken: number): void {
    const wait = taken * (1 / shareOfTime - 1);
    // Timers have a resolution of one millisecond, so shorter waits are skipped.
    this.#notBefore = wait < 1 ? 0 : performance.now() + Math.min(wait, longestWait);
  }

  /** Cancels the next round. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
