// How a target has answered so far: how long to wait for it, and whether it is worth asking at all.

/** Why a run ends before its cases do. `gone`: nothing answers. `refused`: we are not let in. `busy`: it has no time. */
export interface Stop {
  readonly kind: 'gone' | 'refused' | 'busy';
  /** One sentence that says what to do. */
  readonly reason: string;
}

/** Milliseconds that an answer may take where the run does not say. */
export const fullPatience = 15_000;

/** Silences after which an answer is waited for, at first, no longer than the target was seen to need. */
const trusted = 3;
/** How many times as long as its slowest answer a target is then waited for, and no less than so many milliseconds. */
const slower = 3;
const shortest = 1_000;
/** Milliseconds of silence after which nothing is asked a second time, and after which the run ends. */
const budget = 10 * 60_000;
const end = 2 * budget;
/** Answers that are looked at together, and how many of them end the run where they are of one kind. */
const seen = 50;
const tooMany = 45;

/** What was lost until some moment: compared with what was lost until a later one. */
export interface Losses {
  /** Answers that did not come and streams that broke, for whatever reason, silence included. */
  readonly all: number;
  /** Silences of a target that was given less than the full time. */
  readonly short: number;
  /** Connections that ended while something was under way on them. */
  readonly cut: number;
}

/** What one client has seen of its target. Silences that the suite provokes itself are not told to it. */
export class Health {
  #all = 0;
  #short = 0;
  #cut = 0;
  #lastCut = '';
  #silences = 0;
  #waited = 0;
  /** When the last silence ended: of `Date.now()`. Silences at the same time are waited for once. */
  #silentUntil = 0;
  #insists = false;
  /** What was lost last: a request and what became of it. */
  #lastLost: string | undefined;
  /** Milliseconds of the slowest answer; it is forgotten slowly. */
  #slowest = 0;
  /** The kinds of the last answers to requests with the target's own credentials. */
  readonly #kinds: (Stop['kind'] | 'fair')[] = [];
  #stop: Stop | undefined;

  /** Why nothing more is to be sent. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** What was lost so far. */
  get losses(): Losses {
    return { all: this.#all, short: this.#short, cut: this.#cut };
  }

  /** The last request that got no whole answer, and why; undefined where all did. */
  get lastLost(): string | undefined {
    return this.#lastLost;
  }

  /** The last request whose connection ended while it was under way; empty where none did. */
  get lastCut(): string {
    return this.#lastCut;
  }

  /** Whether the target kept silent for so long that it is no longer waited for in full. */
  get isWeary(): boolean {
    return this.#waited >= budget;
  }

  /** How long the target kept silent, in words. */
  get silence(): string {
    return `the target sent no response ${this.#silences} times, for ${Math.round(this.#waited / 1000)} s in all`;
  }

  /**
   * Milliseconds that something is waited for that usually comes within `usual`. A target that answers slowly is always
   * given that long; one that keeps silent again and again, only somewhat longer than it needs where it speaks, until
   * somebody insists.
   */
  patience(usual: number): number {
    if (!this.#shortens) return usual;
    return Math.ceil(Math.min(usual, Math.max(shortest, slower * this.#slowest)));
  }

  /** Waits for everything as long as is usual while `act` goes on. A weary client does not. */
  async insisting<T>(act: () => Promise<T>): Promise<T> {
    this.#insists = !this.isWeary;
    try {
      return await act();
    } finally {
      this.#insists = false;
    }
  }

  /** Notes an answer, or what a stream was waited for: how long it took. */
  came(milliseconds: number): void {
    this.#slowest = Math.max(milliseconds, this.#slowest * 0.99);
  }

  /** Notes that a request got no answer, or not the whole of it. */
  failed(what: string): void {
    this.#all += 1;
    this.#lastLost = what;
    if (/ECONNREFUSED/.test(what)) return;
    this.#cut += 1;
    this.#lastCut = what;
  }

  /** Notes an answer that says nothing of what was asked: the storage behind the target failed. */
  withoutStorage(what: string): void {
    this.#all += 1;
    this.#lastLost = what;
  }

  /** Notes that something did not come in that time, which just ended. */
  missed(what: string, milliseconds: number): void {
    this.#all += 1;
    this.#lastLost = what;
    this.#silent(milliseconds);
  }

  #silent(milliseconds: number): void {
    const now = Date.now();
    if (this.#shortens) this.#short += 1;
    this.#silences += 1;
    this.#waited += Math.max(0, Math.min(milliseconds, now - this.#silentUntil));
    this.#silentUntil = now;
    if (this.#waited < end) return;
    this.end({
      kind: 'gone',
      reason: `${this.silence}; find out what hangs, and run that chapter alone with --chapter`,
    });
  }

  /** Notes an answer to a request that carried good credentials; `isDenied`: not these credentials, or not this user. */
  answered(status: number, isDenied: boolean): void {
    this.#kinds.push(isDenied ? 'refused' : status === 429 ? 'busy' : 'fair');
    if (this.#kinds.length > seen) this.#kinds.shift();
    for (const kind of ['refused', 'busy'] as const) {
      const count = this.#kinds.filter((one) => one === kind).length;
      if (count >= tooMany) this.end({ kind, reason: `${count} of the last ${this.#kinds.length} ${advice[kind]}` });
    }
  }

  /** Says that nothing more is to be sent; the first reason stays. */
  end(stop: Stop): void {
    this.#stop ??= stop;
  }

  get #shortens(): boolean {
    return !this.#insists && this.#silences >= trusted;
  }
}

const advice = {
  refused:
    'requests with the credentials of the run were refused (401 or 403): give credentials that last as long as the run and may do what the suite does',
  busy: 'requests were answered 429 (too many requests): lower --workers, or lift the limit of the target',
} as const;
