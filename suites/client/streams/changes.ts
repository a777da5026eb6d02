// Waits for asynchronous changes: woken by each change, up to a deadline.
import { setTimeout as pause } from 'node:timers/promises';
import { runningTime } from '../runningTime.js';

/** Milliseconds that a waiter looks at what there is; from then on it waits as long as each look takes. */
const quick = 5;

/** Something that changes, with its waiters. */
export class Changes {
  readonly #wake = new Set<() => void>();

  /** Wakes all waiters. */
  happened(): void {
    for (const wake of [...this.#wake]) wake();
  }

  /** Waits until `settled` or `over` holds, or for `deadline` milliseconds. Reports whether `settled` holds. */
  async until(settled: () => boolean, over: () => boolean, deadline: number): Promise<boolean> {
    const until = runningTime() + deadline;
    let spent = 0;
    for (;;) {
      const began = performance.now();
      if (settled()) return true;
      const took = performance.now() - began;
      const left = until - runningTime();
      if (over() || left <= 0) return false;
      await this.#next(left);
      // A target chooses how much there is to look at, and in how many parts it comes.
      spent += took;
      if (spent > quick) await pause(took);
    }
  }

  #next(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#wake.add(done);
    });
  }
}
