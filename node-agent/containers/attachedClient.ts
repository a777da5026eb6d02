// A client that is attached to a program. Output is buffered for each client, and a slow client delays the program
// briefly.
import { ConditionVariable, type Output } from '../kernel/streams.js';

interface Limits {
  /** The most buffered bytes for a client; above it, the program waits. */
  readonly bytes: number;
  /** The time limit of the program's wait, in milliseconds. After that, the client is lost. */
  readonly milliseconds: number;
}

const defaultLimits: Limits = { bytes: 1024 * 1024, milliseconds: 2000 };

export class AttachedClient {
  /** Aborts when the client has disconnected or does not read its output. */
  readonly lost: AbortSignal;
  readonly #lose = new AbortController();
  #buffered = 0;
  readonly #changed = new ConditionVariable();
  readonly #written = { stdout: Promise.resolve(), stderr: Promise.resolve() };

  constructor(
    readonly outputs: { readonly stdout: Output; readonly stderr: Output },
    readonly limits = defaultLimits,
  ) {
    this.lost = this.#lose.signal;
  }

  /** Resolves when the program may continue: at once, unless too much is buffered. Never rejects. */
  async write(name: 'stdout' | 'stderr', chunk: Buffer): Promise<void> {
    if (this.lost.aborted) return;
    this.#buffered += chunk.length;
    const sent = (): void => {
      this.#buffered -= chunk.length;
      this.#changed.notify();
    };
    this.#written[name] = this.#written[name]
      .then(() => this.outputs[name].write(chunk))
      .then(sent, () => this.#setLost());
    await this.#untilBuffered(this.limits.bytes);
  }

  /** Resolves when the client has received all output, or is lost. */
  flush(): Promise<void> {
    return this.#untilBuffered(0);
  }

  /** Resolves when at most this many bytes are buffered. A client that reads nothing for too long is lost. */
  async #untilBuffered(bytes: number): Promise<void> {
    while (this.#buffered > bytes && !this.lost.aborted) {
      let over: NodeJS.Immediate | undefined;
      // What the client has read while this process stood still is seen before the immediate.
      const late = setTimeout(() => {
        over = setImmediate(() => this.#setLost());
      }, this.limits.milliseconds);
      await this.#changed.wait();
      clearTimeout(late);
      clearImmediate(over);
    }
  }

  #setLost(): void {
    this.#lose.abort();
    this.#changed.notify();
  }
}
