// What the workers of a run tell each other, and the command line, about the target: its outages, and why the run stops.
import { appendFileSync, existsSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import type { Stop } from '../client/health.js';
import type { Outage } from '../requirements/index.js';

/** Milliseconds before an outage was seen in which its requests ended: a worker may be slow to look. */
const before = 10_000;

/** A note about the nth outage. `at`: when a request ended for a worker that saw no outage. `broke`: connections failed; without it, the target only did not respond. */
type Note = { readonly n: number } & (
  | { readonly request: string; readonly at?: number }
  | { readonly began: number }
  | { readonly broke: true }
  | { readonly milliseconds: number }
);

/** The outages of a target. Workers share them by files beside a path; without a path, they belong to one worker. */
export class Outages {
  #alone = { since: 0, count: 0 };
  readonly #notes: Note[] = [];

  constructor(readonly path: string | undefined) {}

  get count(): number {
    if (this.path === undefined) return this.#alone.count;
    return statSync(this.#file('outages'), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Records that the target is gone, since a time of `Date.now()`. `isFirst`: no other worker has recorded it. */
  begin(): { readonly since: number; readonly isFirst: boolean } {
    const now = Date.now();
    if (this.path === undefined) {
      const isFirst = this.#alone.since === 0;
      if (isFirst) this.#alone = { since: now, count: this.#alone.count + 1 };
      if (isFirst) this.#note({ n: this.count, began: now });
      return { since: this.#alone.since, isFirst };
    }
    const isFirst = createFile(this.#file('down'), String(now));
    if (isFirst) {
      appendFileSync(this.#file('outages'), '.');
      this.#note({ n: this.count, began: now });
    }
    // the other worker may not have written the time yet, or the outage may be over
    return { since: isFirst ? now : Number(readIfExists(this.#file('down'))) || now, isFirst };
  }

  /** Records a request that was pending when the last outage began. The request must be redacted. */
  suspect(request: string): void {
    this.#note({ n: this.count, request });
  }

  /**
   * Records a request whose connection ended for a worker that sees no outage: it is pending in the next one, if another
   * worker sees that within seconds. The request must be redacted.
   */
  suspectNext(request: string): void {
    this.#note({ n: this.count + 1, request, at: Date.now() });
  }

  /** Records that connections failed in the last outage: the process that listened is gone. */
  broke(): void {
    this.#note({ n: this.count, broke: true });
  }

  /** Returns the requests that were pending when the nth outage began. */
  suspects(outage: number): readonly string[] {
    const own = this.#noted().filter(({ n }) => n === outage);
    const began = own.reduce((first, note) => ('began' in note ? Math.min(first, note.began) : first), Infinity);
    const isNear = ({ at = began }: { readonly at?: number }): boolean => at >= began - before;
    return own.flatMap((note) => ('request' in note && isNear(note) ? [note.request] : []));
  }

  /**
   * Returns the outages that are over and had failed connections or pending requests. A target that only did not
   * respond for a while is slow.
   */
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

  /** Records that the target is back. */
  over(): void {
    const since = this.path === undefined ? this.#alone.since : Number(readIfExists(this.#file('down')));
    if (this.path === undefined) this.#alone = { ...this.#alone, since: 0 };
    else if (!removeFile(this.#file('down'))) return;
    this.#note({ n: this.count, milliseconds: since === 0 ? 0 : Date.now() - since });
  }

  #note(note: Note): void {
    if (this.path === undefined) this.#notes.push(note);
    else appendFileSync(this.#file('notes'), `${JSON.stringify(note)}\n`);
  }

  #noted(): readonly Note[] {
    if (this.path === undefined) return this.#notes;
    const lines = readIfExists(this.#file('notes')).split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Note]));
  }

  #file(name: string): string {
    return `${this.path}.${name}`;
  }
}

/** Writes why the run stops. The first note stays. */
export function noteStop(file: string, stop: Stop): void {
  createFile(file, JSON.stringify(stop));
}

/** Returns why the run stops; undefined while it continues. */
export function readStop(file: string): Stop | undefined {
  // each case asks, and an error costs more than a look
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Stop;
  } catch {
    // another worker is writing the note
    return undefined;
  }
}

/** Returns the text of a file; empty if the file is absent. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Creates a file. Returns false if it exists. */
export function createFile(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a file. Returns false if it is absent. */
function removeFile(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
