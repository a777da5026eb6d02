// Waits for asynchronous changes: woken by each change, up to a deadline.
import { runningTime } from '../runningTime.js';

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
    while (!settled()) {
      const left = until - runningTime();
      if (over() || left <= 0) return false;
      await this.#next(left);
    }
    return true;
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
