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
  #isUnderWay = false;
  #isDue = false;

  /** A round that is not over when it returns answers how much time it took in the end. */
  constructor(readonly round: () => Promise<number> | undefined) {}

  /** There is something to tell. */
  soon(): void {
    const wait = this.#notBefore - performance.now();
    if (this.#isUnderWay) this.#isDue = true;
    else if (wait <= 0) this.now();
    else this.#timer ??= setTimeout(() => this.now(), wait);
  }

  /** Does not wait, but for a round that is under way. */
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
    // A timer counts in milliseconds: for less it is not worth while.
    this.#notBefore = wait < 1 ? 0 : performance.now() + Math.min(wait, longestWait);
  }

  /** Nothing is to be told any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
