// What the workers of a run tell each other of a target that is gone for a while: since when, how often it was, and who
// asks it alone what it may have died of.
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';

/** Milliseconds between two looks. */
const pause = 100;
/** Milliseconds that others are left alone with the target. */
const longestTurn = 15 * 60_000;

/** The outages of a target, known to all workers by files beside a path; to one worker alone without it. */
export class Outages {
  #alone = { since: 0, count: 0 };
  #suspects: string[] = [];

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
      if (isFirst) {
        this.#alone = { since: now, count: this.#alone.count + 1 };
        this.#suspects = [];
      }
      return { since: this.#alone.since, isFirst };
    }
    const isFirst = this.#create('down', String(now));
    if (isFirst) appendFileSync(this.#file('outages'), '.');
    // who writes it may not have written yet, or it is over already
    return { since: isFirst ? now : Number(this.#read('down')) || now, isFirst };
  }

  /** Notes a request that was under way when the last outage began. */
  suspect(request: string): void {
    if (this.path === undefined) this.#suspects.push(request);
    else appendFileSync(`${this.path}.suspects.${this.count}`, `${JSON.stringify(request)}\n`);
  }

  /** The requests that were under way when the nth outage began. */
  suspects(outage: number): readonly string[] {
    if (this.path === undefined) return this.#suspects;
    const file = `${this.path}.suspects.${outage}`;
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }

  /** Notes that the target is back. */
  over(): void {
    if (this.path === undefined) this.#alone = { ...this.#alone, since: 0 };
    else rmSync(this.#file('down'), { force: true });
  }

  /** Does something while no other worker begins anything. */
  async alone<T>(act: () => Promise<T>): Promise<T> {
    if (this.path === undefined) return await act();
    const until = Date.now() + longestTurn;
    while (!this.#create('turn', String(process.pid))) await this.#wait(until);
    try {
      return await act();
    } finally {
      rmSync(this.#file('turn'), { force: true });
    }
  }

  /** Waits while another worker is alone with the target. */
  async turn(): Promise<void> {
    if (this.path === undefined) return;
    const until = Date.now() + longestTurn;
    while (existsSync(this.#file('turn'))) await this.#wait(until);
  }

  /** Waits a little; takes the turn from a worker that is no more, or that keeps it for ever. */
  async #wait(until: number): Promise<void> {
    const holder = Number(this.#read('turn'));
    if (Date.now() > until || (holder > 0 && !isAlive(holder))) rmSync(this.#file('turn'), { force: true });
    await new Promise((resolve) => setTimeout(resolve, pause));
  }

  #file(name: 'down' | 'outages' | 'turn'): string {
    return `${this.path}.${name}`;
  }

  #read(name: 'down' | 'turn'): string {
    try {
      return readFileSync(this.#file(name), 'utf8');
    } catch {
      return '';
    }
  }

  /** Makes a file; false where it is there. */
  #create(name: 'down' | 'turn', text: string): boolean {
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
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
