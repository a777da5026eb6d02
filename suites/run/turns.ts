// The turns of workers: many at once, or one alone. Workers share them by files beside a path.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Milliseconds between two polls. */
const pause = 100;

/** The turns of the workers that share a path; without a path, this worker is the only one. */
export class Turns {
  /** The number of turns of this worker that are under way: a worker runs several subjects at the same time. */
  #underWay = 0;
  #isMarked = false;

  /** `longest`: the maximum wait of a worker, in milliseconds; afterwards it goes on in any case. */
  constructor(
    readonly path: string | undefined,
    readonly longest = Number.POSITIVE_INFINITY,
  ) {}

  /** Waits while a turn is alone. From then on a turn that wants to be alone waits for this turn. */
  async enter(): Promise<void> {
    const until = Date.now() + this.longest;
    for (; this.path !== undefined; await this.#wait(until)) {
      this.#mark();
      if (!existsSync(this.#file('turn'))) break;
      this.rest();
    }
    this.#underWay += 1;
  }

  /** Ends a turn that `enter` began. The worker stays marked as busy, which saves the files of its next turn. */
  leave(): void {
    this.#underWay -= 1;
    if (this.path !== undefined && existsSync(this.#file('turn'))) this.rest();
  }

  /** Marks this worker as not busy if none of its turns is under way: no turn waits for a worker without work. */
  rest(): void {
    if (this.#underWay > 0 || !this.#isMarked) return;
    this.#isMarked = false;
    removeFile(this.#file(`busy.${process.pid}`));
  }

  /** Waits for the turns that are under way, and runs `act` while no other turn begins. The caller has entered. */
  async alone<T>(act: () => Promise<T>): Promise<T> {
    if (this.path === undefined) return await act();
    // two workers that wait to be alone do not wait for each other
    this.leave();
    const until = Date.now() + this.longest;
    while (!createFile(this.#file('turn'), String(process.pid))) {
      this.rest();
      await this.#wait(until);
    }
    try {
      while (Date.now() < until && (this.#underWay > 0 || this.#othersAreBusy())) await sleep();
      return await act();
    } finally {
      removeFile(this.#file('turn'));
      await this.enter();
    }
  }

  /** Runs `act` while no other turn begins, and waits until the others are over. The caller has not entered. */
  async exclusively<T>(act: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await this.alone(act);
    } finally {
      this.leave();
      this.rest();
    }
  }

  #mark(): void {
    if (this.#isMarked) return;
    createFile(this.#file(`busy.${process.pid}`), '');
    this.#isMarked = true;
  }

  #othersAreBusy(): boolean {
    const prefix = `${basename(this.path ?? '')}.busy.`;
    const pids = readdirSync(dirname(this.path ?? '')).flatMap((name) =>
      name.startsWith(prefix) ? [Number(name.slice(prefix.length))] : [],
    );
    return pids.some((pid) => pid !== process.pid && isAlive(pid));
  }

  /** Waits a little. Takes the turn from a worker that ended, or that keeps the turn too long. */
  async #wait(until: number): Promise<void> {
    const holder = Number(readIfExists(this.#file('turn')));
    if (Date.now() > until || (holder > 0 && !isAlive(holder))) removeFile(this.#file('turn'));
    await sleep();
  }

  #file(name: string): string {
    return `${this.path}.${name}`;
  }
}

/** Returns the text of a file; empty if the file is absent. */
export function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Creates a file. Returns false if it exists. */
export function createFile(file: string, text: string): boolean {
  try {
    const descriptor = openSync(file, 'wx');
    writeSync(descriptor, text);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a file. Returns false if it is absent. */
export function removeFile(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}

const sleep = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pause));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
