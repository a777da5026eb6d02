// The times of bookmarks: about once a minute, and shortly before the end of the watch.
import type { Cancel, Clock } from '../clock.js';

export interface BookmarkTiming {
  /** The approximate period of bookmarks, in milliseconds. */
  readonly periodMillis: number;
  /** The time from the last bookmark to the end of the watch, in milliseconds. A shorter watch gets no bookmarks. */
  readonly beforeEndMillis: number;
}

export const defaultTiming: BookmarkTiming = { periodMillis: 60_000, beforeEndMillis: 2_000 };

/** The random deviation of the period, as a fraction, so that not all watches get bookmarks at the same moment. */
const jitter = 0.1;

/** The bookmark timer of one watch. */
export class Bookmarks {
  readonly #timing: BookmarkTiming;
  /** The time of the last bookmark. */
  readonly #last: number;
  #next: number | undefined;

  constructor(
    timing: BookmarkTiming,
    watchMillis: number,
    readonly clock: Clock,
  ) {
    this.#timing = timing;
    this.#last = clock.elapsed() + watchMillis - timing.beforeEndMillis;
    this.#next = this.#after(clock.elapsed());
  }

  /** Calls `mark` whenever a bookmark is due, at once for an overdue one. Returns a function that stops the timer. */
  start(mark: () => void): () => void {
    let cancel: Cancel | undefined;
    const wait = () => {
      if (this.#next === undefined) return;
      cancel = this.clock.after(Math.max(0, this.#next - this.clock.elapsed()), due);
    };
    const due = () => {
      this.#next = this.#after(this.#next ?? 0);
      wait();
      mark();
    };
    wait();
    return () => cancel?.();
  }

  #after(time: number): number | undefined {
    if (time >= this.#last) return undefined;
    const { periodMillis } = this.#timing;
    return Math.min(this.#last, time + periodMillis * (1 - jitter + 2 * jitter * Math.random()));
  }
}
