// What starts the next round of a watching run: a key, or a file that changed.
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { UsageError } from '../errors.js';

/** `failed`: what failed, and what is near it. `all`: every case. `end`: no more rounds. */
export type Trigger = 'changed' | 'failed' | 'all' | 'end';

/** The keys, as a terminal sends them. On another input each character counts. */
const keys: Readonly<Record<string, Trigger>> = { '\r': 'failed', '\n': 'failed', a: 'all', q: 'end', '\u0004': 'end' };
const interrupt = '\u0003';

/** What the keys do, for the user. */
export const keysHelp = 'Enter runs what failed again, a all cases, q ends';

/** Milliseconds without a further change: a build writes many files. */
const quiet = 100;

export class Triggers {
  readonly #watchers: readonly FSWatcher[];
  #waiting: Trigger | undefined;
  #notify = (): void => undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether nothing begins a round any more. The round that is under way goes on. */
  #isOver = false;

  /** Watches files, and folders with all that is in them. Throws UsageError if one is not there. */
  constructor(
    paths: readonly string[],
    readonly input: NodeJS.ReadStream = process.stdin,
  ) {
    const absent = paths.find((path) => !existsSync(path));
    if (absent !== undefined) throw new UsageError(`--watch-files: ${absent} is not there: give files or folders`);
    this.#watchers = paths.map((path) => watch(path, { recursive: true }, this.#changed).on('error', this.#changed));
    if (input.isTTY) input.setRawMode(true);
    input.on('data', this.#typed).resume();
    if (paths.length === 0) input.once('end', this.#ended);
  }

  /** Whether a trigger waits to be taken. */
  get isPending(): boolean {
    return this.#waiting !== undefined;
  }

  /** Makes a round begin, or end all rounds. Nothing replaces the end. */
  add(trigger: Trigger): void {
    if (this.#waiting !== 'end') this.#waiting = trigger;
    this.#notify();
  }

  /** Waits for a trigger, and takes it. */
  async next(): Promise<Trigger> {
    if (this.#waiting === undefined && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#notify = resolve;
      });
    const trigger = this.#waiting ?? 'end';
    this.#waiting = undefined;
    return trigger;
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    this.input.off('data', this.#typed).off('end', this.#ended).pause();
    if (this.input.isTTY) this.input.setRawMode(false);
  }

  readonly #changed = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.add('changed'), quiet);
  };

  readonly #ended = (): void => {
    this.#isOver = true;
    this.#notify();
  };

  readonly #typed = (chunk: Buffer): void => {
    for (const key of chunk.toString()) {
      const trigger = keys[key.toLowerCase()];
      // A terminal in raw mode sends no signal.
      if (key === interrupt) process.kill(process.pid, 'SIGINT');
      else if (trigger !== undefined) this.add(trigger);
    }
  };
}
