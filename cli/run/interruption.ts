// Interruption of a run by Ctrl-C or SIGTERM: the first signal ends the run in order, the second skips the cleanup, and
// the third ends the process.
import { constants } from 'node:os';
import { UsageError } from '../errors.js';

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

export class Interruption {
  readonly #listeners = { first: new Set<() => void>(), second: new Set<() => void>() };
  #signal: Signal | undefined;
  #count = 0;
  /** The message for users who do not wait for the cleanup. */
  #hint = '';

  /** The reason for the end of the run; undefined without a signal. */
  get reason(): string | undefined {
    return this.#signal === undefined ? undefined : `interrupted (${this.#signal})`;
  }

  /** Whether the cleanup should be skipped. */
  get isHurried(): boolean {
    return this.#count > 1;
  }

  /** The exit code of the signal; undefined without a signal. */
  get exitCode(): number | undefined {
    return this.#signal === undefined ? undefined : 128 + constants.signals[this.#signal];
  }

  /** Throws UsageError after the first signal, for a run that has no case yet. */
  check(): void {
    if (this.reason !== undefined) throw new UsageError(`${this.reason} before the first case`);
  }

  /** Returns what a step finds that changes nothing on the target: the first signal need not wait for it. */
  async race<T>(step: Promise<T>): Promise<T> {
    let forget = (): void => undefined;
    const interrupted = new Promise<void>((resolve) => {
      forget = this.listen(resolve);
    });
    const found = await Promise.race([step, interrupted.then(() => this.check())]).finally(() => forget());
    return found as T;
  }

  /** Sets the message about the cleanup after this run. */
  hint(text: string): void {
    this.#hint = text;
  }

  /**
   * Calls the listener at the first or second signal, or at once if it has already arrived. Returns a function that
   * removes the listener.
   */
  listen(listener: () => void, which: 'first' | 'second' = 'first'): () => void {
    const listeners = this.#listeners[which];
    listeners.add(listener);
    if (this.#count >= (which === 'first' ? 1 : 2)) listener();
    return () => void listeners.delete(listener);
  }

  /** Handles signals until `release`. */
  catchSignals(): void {
    for (const signal of signals) process.on(signal, this.#take);
  }

  /** Restores the default handling of signals. */
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
 * Runs a function that signals can interrupt. Returns the exit code of the signal if there was one; a UsageError
 * that the function then throws has it too.
 */
export async function interruptible(act: (interruption: Interruption) => Promise<number>): Promise<number> {
  const interruption = new Interruption();
  interruption.catchSignals();
  try {
    const code = await act(interruption);
    return interruption.exitCode ?? code;
  } catch (error) {
    if (interruption.exitCode === undefined || !(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, interruption.exitCode);
  } finally {
    interruption.release();
  }
}
