// Clients that are attached to a program: what it says waits for each of them by itself, and for none of them long.
import type { Output } from '../programs/streams.js';

interface AttachedLimits {
  /** Bytes that may wait for a client before the program waits with them. */
  readonly bytes: number;
  /** Milliseconds that the program then waits for the client; after that the client is lost. */
  readonly milliseconds: number;
}

const usualLimits: AttachedLimits = { bytes: 1024 * 1024, milliseconds: 2000 };

/** One client that is attached, and what waits for it. */
export class Attached {
  /** Aborted when the client has gone away, or takes nothing of what waits for it. */
  readonly lost: AbortSignal;
  readonly #lose = new AbortController();
  #waiting = 0;
  readonly #waiters: (() => void)[] = [];
  readonly #written = { stdout: Promise.resolve(), stderr: Promise.resolve() };

  constructor(
    readonly outputs: { readonly stdout: Output; readonly stderr: Output },
    readonly limits = usualLimits,
  ) {
    this.lost = this.#lose.signal;
  }

  /** Resolves when the program may go on: at once, while little waits for the client. Never rejects. */
  async write(name: 'stdout' | 'stderr', chunk: Buffer): Promise<void> {
    if (this.lost.aborted) return;
    this.#waiting += chunk.length;
    const took = (): void => {
      this.#waiting -= chunk.length;
      this.#wake();
    };
    this.#written[name] = this.#written[name]
      .then(() => this.outputs[name].write(chunk))
      .then(took, () => this.#isLost());
    await this.#until(this.limits.bytes);
  }

  /** Resolves when the client has taken everything, or is lost. */
  flush(): Promise<void> {
    return this.#until(0);
  }

  async #until(bytes: number): Promise<void> {
    while (this.#waiting > bytes && !this.lost.aborted) await this.#progress();
  }

  /** Resolves when the client takes something; one that does not is lost. */
  #progress(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#isLost(), this.limits.milliseconds);
      this.#waiters.push(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  #isLost(): void {
    this.#lose.abort();
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiters.splice(0);
    for (const wake of waiting) wake();
  }
}
