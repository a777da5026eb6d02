// Waits between attempts, longer each time.

export class Backoff {
  #next: number;

  /** Milliseconds. */
  constructor(
    readonly first = 100,
    readonly most = 10_000,
  ) {
    this.#next = first;
  }

  reset(): void {
    this.#next = this.first;
  }

  /** Resolves after the time that it is the turn of, or at the signal. */
  async wait(signal: AbortSignal): Promise<void> {
    // spread, so that many who failed together do not come back together
    const time = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, this.most);
    await new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, time);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
