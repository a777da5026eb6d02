// A condition variable: waiters continue when their state may have changed.
export class Condition {
  #waiters: (() => void)[] = [];

  /** Resolves at the next `notify`, or at the signal. */
  wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiters.push(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  notify(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
