// Ctrl-C, or SIGTERM, during a run: the first one ends it in good order, the second one skips the cleaning up, the third
// one ends the process.
import { constants } from 'node:os';
import { UsageError } from '../usageError.js';

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

/** Whether this run is to end. Signals are caught until `release` is called. */
export class Interruption {
  readonly #listeners = { first: new Set<() => void>(), second: new Set<() => void>() };
  #signal: Signal | undefined;
  #count = 0;
  /** What to say to who does not want to wait for the end. */
  #hint = '';

  constructor() {
    for (const signal of signals) process.on(signal, this.#take);
  }

  /** Why the run ends; undefined while nobody wants it to. */
  get reason(): string | undefined {
    return this.#signal === undefined ? undefined : `interrupted (${this.#signal})`;
  }

  /** Whether nobody wants to wait for the cleaning up. */
  get isHurried(): boolean {
    return this.#count > 1;
  }

  /** The exit code of a process that the signal ended; undefined where there was none. */
  get exitCode(): number | undefined {
    return this.#signal === undefined ? undefined : 128 + constants.signals[this.#signal];
  }

  /** Says how to clean up after this run. */
  hint(text: string): void {
    this.#hint = text;
  }

  /**
   * Calls back at the first signal, or at the second one, or at once where it has come; the returned function ends
   * that.
   */
  listen(listener: () => void, which: 'first' | 'second' = 'first'): () => void {
    const listeners = this.#listeners[which];
    listeners.add(listener);
    if (this.#count >= (which === 'first' ? 1 : 2)) listener();
    return () => void listeners.delete(listener);
  }

  /** Leaves signals to the process again. */
  release(): void {
    for (const signal of signals) process.off(signal, this.#take);
  }

  readonly #take = (signal: NodeJS.Signals): void => {
    this.#count += 1;
    this.#signal ??= signal as Signal;
    if (this.#count > 2) process.exit(this.exitCode);
    if (this.#count === 1) {
      process.stderr.write('\ninterrupted: the run stops and cleans up; interrupt again to skip the cleanup\n');
      for (const listener of this.#listeners.first) listener();
      return;
    }
    const hint = this.#hint === '' ? '' : `: ${this.#hint}`;
    process.stderr.write(`\ncleanup skipped${hint}\ninterrupt again to exit at once, without a report\n`);
    for (const listener of this.#listeners.second) listener();
  };
}

/**
 * Does something that signals can interrupt. Returns the exit code of the signal where there was one, also where what
 * was interrupted threw a UsageError because of it.
 */
export async function interruptible(act: (interruption: Interruption) => Promise<number>): Promise<number> {
  const interruption = new Interruption();
  try {
    const code = await act(interruption);
    return interruption.exitCode ?? code;
  } catch (error) {
    if (interruption.exitCode === undefined || !(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return interruption.exitCode;
  } finally {
    interruption.release();
  }
}
