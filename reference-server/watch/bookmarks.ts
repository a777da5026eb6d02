// When a watch that asked for bookmarks gets one: about once a minute, and shortly before its time is up.

export interface BookmarkTiming {
  /** About how often, in milliseconds. */
  readonly periodMillis: number;
  /** How long before the end of the watch the last one comes. A watch that is shorter gets none. */
  readonly beforeEndMillis: number;
}

export const usualTiming: BookmarkTiming = { periodMillis: 60_000, beforeEndMillis: 2_000 };

/** How much earlier or later one may come, as a part of the period: not all watches in the same moment. */
const jitter = 0.1;

/** The clock of one watch. */
export class Bookmarks {
  readonly #timing: BookmarkTiming;
  /** When the last one is due. */
  readonly #last: number;
  #next: number | undefined;

  constructor(timing: BookmarkTiming, watchMillis: number) {
    this.#timing = timing;
    this.#last = performance.now() + watchMillis - timing.beforeEndMillis;
    this.#next = this.#after(performance.now());
  }

  /** Calls back whenever one is due, at once for one that is overdue, until the answer is called. */
  start(mark: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      if (this.#next === undefined) return;
      timer = setTimeout(due, Math.max(0, this.#next - performance.now()));
    };
    const due = () => {
      this.#next = this.#after(this.#next ?? 0);
      wait();
      mark();
    };
    wait();
    return () => clearTimeout(timer);
  }

  #after(time: number): number | undefined {
    if (time >= this.#last) return undefined;
    const { periodMillis } = this.#timing;
    return Math.min(this.#last, time + periodMillis * (1 - jitter + 2 * jitter * Math.random()));
  }
}
