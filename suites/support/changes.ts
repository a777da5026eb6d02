// Waits for what comes by itself: woken by each change, given up at a deadline.

/** Something that changes, and those who wait for it. */
export class Changes {
  readonly #wake = new Set<() => void>();

  /** Wakes everybody who waits. */
  happened(): void {
    for (const wake of [...this.#wake]) wake();
  }

  /** Waits until `settled` holds, and no longer than until `over` holds or so many milliseconds; says whether it holds. */
  async until(settled: () => boolean, over: () => boolean, deadline: number): Promise<boolean> {
    const until = Date.now() + deadline;
    while (!settled()) {
      const left = until - Date.now();
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
