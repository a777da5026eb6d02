// How a target has answered so far: how long to wait for it, and whether it is worth asking at all.

/** Why a run ends before its cases do. `gone`: nothing answers. `refused`: we are not let in. `busy`: it has no time. */
export interface Stop {
  readonly kind: 'gone' | 'refused' | 'busy';
  /** One sentence that says what to do. */
  readonly reason: string;
}

/** Silences after which an answer is waited for no longer than the target was seen to need. */
const trusted = 3;
/** How many times as long as its slowest answer a target is then waited for, and no less than so many milliseconds. */
const slower = 3;
const shortest = 1_000;
/** Milliseconds that are waited in all for answers that do not come. */
const budget = 5 * 60_000;
/** Answers that are looked at together, and how many of them end the run where they are of one kind. */
const seen = 50;
const tooMany = 45;

/** What one client has seen of its target. */
export class Health {
  #unanswered = 0;
  #silences = 0;
  #waited = 0;
  /** Milliseconds of the slowest answer; it is forgotten slowly. */
  #slowest = 0;
  /** The kinds of the last answers to requests with the target's own credentials. */
  readonly #kinds: (Stop['kind'] | 'fair')[] = [];
  #stop: Stop | undefined;

  /** Why nothing more is to be sent. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** How many requests got no answer, for whatever reason. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /**
   * Milliseconds that something is waited for that usually comes within `usual`. A target that answers slowly is always
   * given that long; one that keeps silent again and again, only somewhat longer than it needs where it speaks.
   */
  patience(usual: number): number {
    return this.#silences < trusted ? usual : Math.min(usual, Math.max(shortest, slower * this.#slowest));
  }

  /** Notes an answer, or what a stream was waited for: how long it took. */
  came(milliseconds: number): void {
    this.#slowest = Math.max(milliseconds, this.#slowest * 0.99);
  }

  /** Notes that a request got no answer. */
  failed(): void {
    this.#unanswered += 1;
  }

  /** Notes that something did not come in that time. */
  silent(milliseconds: number): void {
    this.#silences += 1;
    this.#waited += milliseconds;
    if (this.#waited < budget) return;
    const reason = `the target kept silent ${this.#silences} times, for ${Math.round(this.#waited / 1000)} s in all; look at what hangs, and run that chapter alone with --grep`;
    this.end({ kind: 'gone', reason });
  }

  /** Notes the status of an answer to a request that carried good credentials. */
  answered(status: number): void {
    this.#kinds.push(status === 401 || status === 403 ? 'refused' : status === 429 ? 'busy' : 'fair');
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
}

const advice = {
  refused:
    'requests with the credentials of the run were refused (401 or 403): give credentials that last as long as the run and may do what the suite does',
  busy: 'requests were answered 429 (too many requests): lower --workers, or lift the limit of the target',
} as const;
