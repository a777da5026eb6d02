// Places for so many at a time: the others wait, the first of them first.

export class Places {
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(readonly most: number) {}

  /**
   * Resolves when there is a place, with the function that gives it back. Rejects with the reason of the signal if it
   * aborts before.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.most) this.#taken += 1;
    else await this.#turn(signal);
    return () => this.#giveBack();
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(begin);
    });
  }

  /** The place is that of the one that has waited longest. */
  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }
}
