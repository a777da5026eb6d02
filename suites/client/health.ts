// The health of a target, from its responses so far: how long to wait for a response, and when to stop the run.

/**
 * Why a run stops before all cases are done. `gone`: the target does not respond. `refused`: the target refuses the
 * credentials. `busy`: the target asks to send fewer requests.
 */
export interface Stop {
  readonly kind: 'gone' | 'refused' | 'busy';
  /** One sentence that says what to do. */
  readonly reason: string;
}

/** Milliseconds that a response may take if the run does not set another limit. */
export const fullTimeout = 15_000;

/** The number of timeouts after which the client waits only as long as the target has needed so far. */
const trusted = 3;
/** The factor by which such a wait exceeds the slowest response, and the shortest wait in milliseconds. */
const slower = 3;
const shortest = 1_000;
/** Milliseconds after which a response is late: what the target does in the background may be late too. */
const late = 5_000;
/** Milliseconds of timeouts after which no subject is tried again, and after which the run stops. */
const budget = 10 * 60_000;
const end = 2 * budget;
/** The number of last responses that are counted, and the number of refused or busy ones that stops the run. */
const seen = 50;
const tooMany = 45;

/** The losses up to a point in time, to compare with the losses up to a later point. */
export interface LostConnections {
  /** Responses that did not arrive or came late, and streams that broke, for any reason, timeouts included. */
  readonly all: number;
  /** Timeouts of waits that were shorter than the full time. */
  readonly short: number;
  /** Connections that ended during an exchange. */
  readonly cut: number;
  /** Connections that were refused: nothing listened. */
  readonly refused: number;
}

/** A request whose connection ended before its response; both times as returned by `Date.now()`. */
interface Cut {
  readonly what: string;
  readonly began: number;
  readonly ended: number;
}

/** What the clients of one target know together. */
export interface SharedHealth {
  /** The kinds of the last responses to requests with the target's own credentials. */
  readonly lastKinds: (Stop['kind'] | 'fair')[];
  /** Why the run stops: no client sends more requests. */
  stop?: Stop;
}

/** Reports whether a reason for no response says that nothing listened. */
export const isRefusal = (reason: string): boolean => /ECONNREFUSED/.test(reason);

/** The observations of one client about its target. Timeouts that the suite provokes are not recorded. */
export class Health {
  #all = 0;
  #short = 0;
  readonly #cuts: Cut[] = [];
  #refused = 0;
  #silences = 0;
  #waited = 0;
  /** The end of the last timeout, as returned by `Date.now()`. Overlapping timeouts count once. */
  #silentUntil = 0;
  #waitsFully = false;
  /** The last loss: a request and its outcome. */
  #lastLost: string | undefined;
  /** Milliseconds of the slowest response. The value decreases with each later response. */
  #slowest = 0;

  constructor(private readonly shared: SharedHealth = { lastKinds: [] }) {}

  /** Why no more requests are sent; undefined while the run continues. */
  get stop(): Stop | undefined {
    return this.shared.stop;
  }

  get losses(): LostConnections {
    return { all: this.#all, short: this.#short, cut: this.#cuts.length, refused: this.#refused };
  }

  /** The last request without a whole response, and the reason; undefined if there is none. */
  get lastLost(): string | undefined {
    return this.#lastLost;
  }

  /**
   * Returns the requests whose connections ended after `before`, and that were in flight when the first one ended. A
   * later request may only have met an old connection.
   */
  cutSince(before: Pick<LostConnections, 'cut'>): readonly string[] {
    const cuts = this.#cuts.slice(before.cut);
    const first = cuts[0];
    return cuts.flatMap(({ what, began }) => (first === undefined || began > first.ended ? [] : [what]));
  }

  /** Whether the sum of the timeouts is so large that the client no longer waits for the full time. */
  get hasSpentWaits(): boolean {
    return this.#waited >= budget;
  }

  /** The number and the sum of the timeouts, in words. */
  get silence(): string {
    return `the target sent no response ${this.#silences} times, for ${Math.round(this.#waited / 1000)} s in all`;
  }

  /**
   * Returns the milliseconds to wait for a response that usually arrives within `usual`. A slow target always gets the
   * full time. After several timeouts, a target gets a multiple of its slowest response, except within `withFullWaits`.
   */
  timeout(usual: number): number {
    if (!this.#shortens) return usual;
    return Math.ceil(Math.min(usual, Math.max(shortest, slower * this.#slowest)));
  }

  /** Waits for the full time while `act` runs, unless the target was silent for too long. */
  async withFullWaits<T>(act: () => Promise<T>): Promise<T> {
    this.#waitsFully = !this.hasSpentWaits;
    try {
      return await act();
    } finally {
      this.#waitsFully = false;
    }
  }

  /** Records how long a response, or an expected event of a stream, took. */
  responded(milliseconds: number): void {
    this.#slowest = Math.max(milliseconds, this.#slowest * 0.99);
    if (milliseconds >= late) this.#all += 1;
  }

  /**
   * Records a response that does not count because the storage behind the target failed or a time limit of the target
   * passed, or a stream that ended before events that must come at once: a busy server does that.
   */
  lost(what: string): void {
    this.#all += 1;
    this.#lastLost = what;
  }

  /**
   * Records that a request got no response, or only a part of one. `began`: a time of `Date.now()`; absent for a stream,
   * which was open all the time.
   */
  disconnected(what: string, began = 0): void {
    this.lost(what);
    if (isRefusal(what)) this.#refused += 1;
    else this.#cuts.push({ what, began, ended: Date.now() });
  }

  /** Records a timeout that just ended, and its length. */
  timedOut(what: string, milliseconds: number): void {
    this.lost(what);
    const now = Date.now();
    if (this.#shortens) this.#short += 1;
    this.#silences += 1;
    this.#waited += Math.max(0, Math.min(milliseconds, now - this.#silentUntil));
    this.#silentUntil = now;
    if (this.#waited < end) return;
    this.end({
      kind: 'gone',
      reason: `${this.silence}; find out which request hangs, and run its chapter alone with --chapter`,
    });
  }

  /** Records a response to a request with good credentials. `isDenied`: the credentials or their user are refused. */
  answered(status: number, isDenied: boolean): void {
    this.shared.lastKinds.push(isDenied ? 'refused' : status === 429 ? 'busy' : 'fair');
    if (this.shared.lastKinds.length > seen) this.shared.lastKinds.shift();
    for (const kind of ['refused', 'busy'] as const) {
      const count = this.shared.lastKinds.filter((one) => one === kind).length;
      if (count >= tooMany)
        this.end({ kind, reason: `${count} of the last ${this.shared.lastKinds.length} ${advice[kind]}` });
    }
  }

  /** Stops the run. The first reason stays. */
  end(stop: Stop): void {
    this.shared.stop ??= stop;
  }

  get #shortens(): boolean {
    return !this.#waitsFully && this.#silences >= trusted;
  }
}

const advice = {
  refused:
    'requests with the credentials of the run were refused (401 or 403): use credentials that last as long as the run and have the permissions that the suite needs',
  busy: 'requests got 429 (too many requests): lower --workers, or raise the limit of the target',
} as const;
