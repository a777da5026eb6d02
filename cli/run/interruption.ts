// Ctrl-C, or SIGTERM, during a run: the first one ends it in good order, the second one at once.
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

/** Whether somebody wants this run to end. Signals are caught until `release` is called. */
export class Interruption {
  readonly #listeners = new Set<() => void>();
  #signal: Signal | undefined;
  /** What to say to who does not want to wait for the end. */
  #hint = '';

  constructor() {
    for (const signal of signals) process.on(signal, this.#take);
  }

  /** Why the run ends; undefined while nobody wants it to. */
  get reason(): string | undefined {
    return this.#signal === undefined ? undefined : `interrupted (${this.#signal})`;
  }

  /** The exit code of a process that the signal ended; undefined where there was none. */
  get exitCode(): number | undefined {
    return this.#signal === undefined ? undefined : 128 + constants.signals[this.#signal];
  }

  /** Says how to clean up after this run. */
  hint(text: string): void {
    this.#hint = text;
  }

  /** Calls back at the signal, or at once where it has come; the returned function ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#signal !== undefined) listener();
    return () => void this.#listeners.delete(listener);
  }

  /** Leaves signals to the process again. */
  release(): void {
    for (const signal of signals) process.off(signal, this.#take);
  }

  readonly #take = (signal: NodeJS.Signals): void => {
    if (this.#signal !== undefined) {
      process.stderr.write(`not cleaned up: ${this.#hint}\n`);
      process.exit(this.exitCode);
    }
    this.#signal = signal as Signal;
    process.stderr.write('\ninterrupted: cleaning up; once more to leave it as it is\n');
    for (const listener of this.#listeners) listener();
  };
}
