// What this server knows of the newest write: reads of the head that many requests share, or writes that tell as much.

/** A request that waits until this server knows every write that was acknowledged before it. */
interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The requests that the response to a call settles: those that began to wait before the call was sent. */
interface Settled {
  /** This server knows all that the response knows. */
  done(): void;
  /** The call failed: its requests wait for another one. */
  failed(): void;
}

export class Head {
  readonly #waiting: Waiting[] = [];
  /** Whether a read is under way, or begins in this turn of the event loop. */
  #isReading = false;

  /** `read` resolves when this server knows all that etcd has. */
  constructor(readonly read: () => Promise<void>) {}

  /** Resolves when this server knows every write that was acknowledged before the call. Rejects as `read` does. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#begin();
    });
  }

  /** Takes the requests that wait, for a write that is sent now: its revision tells what a read of the head would. */
  settledByWrite(): Settled {
    const settled = this.#waiting.splice(0);
    return {
      done: () => {
        for (const { resolve } of settled.splice(0)) resolve();
      },
      failed: () => {
        this.#waiting.push(...settled.splice(0));
        this.#begin();
      },
    };
  }

  #begin(): void {
    if (this.#isReading || this.#waiting.length === 0) return;
    this.#isReading = true;
    // The requests of one turn of the event loop share a read.
    setImmediate(() => void this.#readForAll());
  }

  async #readForAll(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    try {
      if (waiting.length > 0) await this.read();
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    } finally {
      this.#isReading = false;
      this.#begin();
    }
  }
}
