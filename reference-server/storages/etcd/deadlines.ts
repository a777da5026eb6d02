// The deadlines of many calls with one timer, since a timer of its own is a large part of what a call costs.

/** How often the deadlines are looked at, in milliseconds. */
const lookMillis = 100;

interface Waiting {
  readonly look: number;
  readonly late: () => void;
}

export class Deadlines {
  readonly #waiting = new Set<Waiting>();
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Calls `late` after `millis` milliseconds, or up to 100 more, unless the returned function is called before. Does not
   * keep the process alive.
   */
  after(millis: number, late: () => void): () => void {
    const waiting: Waiting = { look: this.#looks + Math.ceil(millis / lookMillis) + 1, late };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), lookMillis).unref();
    return () => this.#waiting.delete(waiting);
  }

  #look(): void {
    this.#looks += 1;
    for (const waiting of this.#waiting) {
      if (waiting.look > this.#looks) continue;
      this.#waiting.delete(waiting);
      waiting.late();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
