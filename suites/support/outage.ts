// What the workers of a run tell each other of a target that is gone for a while: since when, how often it was, what was
// under way, and who asks it alone what it may have died of.
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Outage } from '../../matrix/requirements/index.js';

/** Milliseconds between two looks. */
const pause = 100;
/** Milliseconds that others are left alone with the target. */
const longestTurn = 15 * 60_000;

/** What is noted of the nth outage. `broke`: connections failed, it did not only keep silent. */
type Note = { readonly n: number } & (
  | { readonly request: string }
  | { readonly broke: true }
  | { readonly milliseconds: number }
);

/** The outages of a target, known to all workers by files beside a path; to one worker alone without it. */
export class Outages {
  #alone = { since: 0, count: 0 };
  readonly #notes: Note[] = [];

  constructor(readonly path: string | undefined) {}

  /** How many outages there were. */
  get count(): number {
    if (this.path === undefined) return this.#alone.count;
    return existsSync(this.#file('outages')) ? statSync(this.#file('outages')).size : 0;
  }

  /** Notes that the target is gone; `isFirst`: nobody else has said so. Milliseconds of `Date.now()`. */
  begin(): { readonly since: number; readonly isFirst: boolean } {
    const now = Date.now();
    if (this.path === undefined) {
      const isFirst = this.#alone.since === 0;
      if (isFirst) this.#alone = { since: now, count: this.#alone.count + 1 };
      return { since: this.#alone.since, isFirst };
    }
    const isFirst = this.#create('down', String(now));
    if (isFirst) appendFileSync(this.#file('outages'), '.');
    // who writes it may not have written yet, or it is over already
    return { since: isFirst ? now : Number(this.#read('down')) || now, isFirst };
  }

  /** Notes a request that was under way when the last outage began; it must be redacted. */
  suspect(request: string): void {
    this.#note({ n: this.count, request });
  }

  /** Notes that connections failed in the last outage: whoever listened is no more. */
  broke(): void {
    this.#note({ n: this.count, broke: true });
  }

  /** The requests that were under way when the nth outage began. */
  suspects(outage: number): readonly string[] {
    return this.#noted().flatMap((note) => (note.n === outage && 'request' in note ? [note.request] : []));
  }

  /** The outages that are over and in which connections failed; a target that only kept silent for a while is slow. */
  ended(): readonly Outage[] {
    const notes = this.#noted();
    return Array.from({ length: this.count }, (_, index) => index + 1).flatMap((n) => {
      const own = notes.filter((note) => note.n === n);
      const over = own.find((note) => 'milliseconds' in note);
      const requests = this.suspects(n);
      if (over === undefined || !(requests.length > 0 || own.some((note) => 'broke' in note))) return [];
      return [{ milliseconds: over.milliseconds, requests: [...new Set(requests)] }];
    });
  }

  /** Notes that the target is back. */
  over(): void {
    const since = this.path === undefined ? this.#alone.since : Number(this.#read('down'));
    if (this.path === undefined) this.#alone = { ...this.#alone, since: 0 };
    else if (!this.#remove('down')) return;
    this.#note({ n: this.count, milliseconds: since === 0 ? 0 : Date.now() - since });
  }

  /**
   * Does something while no other worker asks anything: those that are at it are waited for. The caller is between
   * `enter` and `leave`.
   */
  async alone<T>(act: () => Promise<T>): Promise<T> {
    if (this.path === undefined) return await act();
    // who waits for a turn of its own is not waited for
    this.leave();
    const until = Date.now() + longestTurn;
    while (!this.#create('turn', String(process.pid))) await this.#wait(until);
    try {
      while (Date.now() < until && this.#othersAreBusy()) await sleep();
      return await act();
    } finally {
      this.#remove('turn');
    }
  }

  /** Waits while another worker is alone with the target; the others wait for this one from then on. */
  async enter(): Promise<void> {
    if (this.path === undefined) return;
    const until = Date.now() + longestTurn;
    for (;;) {
      this.#create(`busy.${process.pid}`, '');
      if (!existsSync(this.#file('turn'))) return;
      this.leave();
      await this.#wait(until);
    }
  }

  /** This worker asks nothing for now. */
  leave(): void {
    if (this.path !== undefined) this.#remove(`busy.${process.pid}`);
  }

  #othersAreBusy(): boolean {
    const prefix = `${basename(this.path ?? '')}.busy.`;
    const pids = readdirSync(dirname(this.path ?? '')).flatMap((name) =>
      name.startsWith(prefix) ? [Number(name.slice(prefix.length))] : [],
    );
    return pids.some((pid) => pid !== process.pid && isAlive(pid));
  }

  /** Waits a little; takes the turn from a worker that is no more, or that keeps it for ever. */
  async #wait(until: number): Promise<void> {
    const holder = Number(this.#read('turn'));
    if (Date.now() > until || (holder > 0 && !isAlive(holder))) this.#remove('turn');
    await sleep();
  }

  #note(note: Note): void {
    if (this.path === undefined) this.#notes.push(note);
    else appendFileSync(this.#file('notes'), `${JSON.stringify(note)}\n`);
  }

  #noted(): readonly Note[] {
    if (this.path === undefined) return this.#notes;
    const lines = this.#read('notes').split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Note]));
  }

  #file(name: string): string {
    return `${this.path}.${name}`;
  }

  #read(name: string): string {
    try {
      return readFileSync(this.#file(name), 'utf8');
    } catch {
      return '';
    }
  }

  /** Makes a file; false where it is there. */
  #create(name: string, text: string): boolean {
    try {
      const file = openSync(this.#file(name), 'wx');
      writeSync(file, text);
      closeSync(file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** Removes a file; false where it is not there. */
  #remove(name: string): boolean {
    try {
      unlinkSync(this.#file(name));
      return true;
    } catch {
      return false;
    }
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
