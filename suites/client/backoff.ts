// How the suite spares a busy target: it waits as long as the target asks for (429, Retry-After), and sends less at once.

import type { WaitsLine } from '../requirements/index.js';
import { Prerequisite } from './expect.js';
import { at, isObject } from './json.js';
import type { Reply } from './reply.js';

/** The target asked to wait for so long that the request was given up. This says nothing about the requirement. */
export class Busy extends Prerequisite {
  /** `endsRun`: further requests would not fare better. */
  constructor(
    message: string,
    readonly endsRun: boolean,
  ) {
    super(message);
  }
}

/** The longest and the shortest single wait, in milliseconds. A target may ask for zero for ever. */
const longest = 30_000;
const shortest = 100;
/** Milliseconds for which a target may ask to wait: one request, or all of them with no other response in between. */
const usualPatience = 180_000;
/** Milliseconds of all waits of a run: a target may ask some requests to wait, and answer others in between. */
const patienceInAll = 3_600_000;
/** The number of requests given up after which the next ones get a part of that time, and after which the run ends. */
const tested = 3;
const tooMany = 30;
const part = 8;
/** The number of requests at once above which there is no limit. */
const unlimited = 64;
/** The maximum number of times that one request is sent because of a 408. */
const triesAfterTimeout = 3;
/** Milliseconds before each next try after a 429 that does not say when, as some gateways send it. Then it counts. */
const unsaid: readonly number[] = [500, 1_000, 2_000, 4_000];

/** The pace of the requests to one target. The clients of a worker share one. */
export class Pace {
  #limit = Number.POSITIVE_INFINITY;
  #underWay = 0;
  readonly #queue: (() => void)[] = [];
  #slowedAt = 0;
  /** Since when the target only asks to wait; undefined after any other response. */
  #busySince: number | undefined;
  #givenUp = 0;
  /** The number of requests given up one after the other since the last response that did not ask to wait. */
  #inARow = 0;
  #gaveUpAt = 0;
  #times = 0;
  #milliseconds = 0;
  #waitsUntil = 0;
  #lowest = Number.POSITIVE_INFINITY;

  /** `tell`: gets a line about the first wait. `patience`: the milliseconds for which the target may ask to wait. */
  constructor(
    readonly tell: (line: string) => void = () => undefined,
    readonly patience = usualPatience,
  ) {}

  /** The waits so far; undefined if there were none. */
  get waits(): WaitsLine | undefined {
    if (this.#times === 0) return undefined;
    return { type: 'waits', times: this.#times, milliseconds: this.#milliseconds, atOnce: this.#lowest };
  }

  /** Runs an exchange as one of those that the target gets at once. */
  async inTurn<T>(act: () => Promise<T>): Promise<T> {
    while (this.#underWay >= Math.floor(this.#limit)) await new Promise<void>((go) => this.#queue.push(go));
    this.#underWay += 1;
    try {
      return await act();
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }

  /**
   * Returns the milliseconds after which a request is sent again, given the response to its nth try; undefined if the
   * response counts. `began`, `sent`: when the first and this try began, as returned by `Date.now()`. Throws Busy if the
   * target has asked to wait for too long.
   */
  pause(reply: Reply, attempt: number, began: number, sent = began): number | undefined {
    // The target ended a connection that was idle for too long, and this crossed the request (RFC 9110, 15.5.9).
    if (reply.status === 408) return attempt < triesAfterTimeout ? 0 : undefined;
    const asked = askedWait(reply, unsaid[attempt - 1]);
    if (asked === undefined) {
      this.answered();
      return undefined;
    }
    const now = Date.now();
    const pause = Math.min(Math.max(asked, shortest), longest);
    this.#slowDown(sent, now);
    if (this.#times === 0)
      this.tell(`the target asks to wait (${refusal(reply, ', ')}): the run waits, and sends less at once`);
    this.#times += 1;
    this.#busySince ??= began;
    const patience = this.#givenUp < tested ? this.patience : this.patience / part;
    const isBusyForAll = now + pause - this.#busySince > this.patience;
    if (isBusyForAll || now + pause - began > patience) {
      this.#givenUp += 1;
      // One request may be refused for itself, and so may several that are sent at once.
      if (began >= this.#gaveUpAt) this.#inARow += 1;
      this.#gaveUpAt = now;
      if (isBusyForAll && this.#inARow >= tested)
        throw new Busy(this.#sentence(reply, now - this.#busySince, 'every request'), true);
      throw new Busy(this.#sentence(reply, now - began, 'this request'), this.#givenUp >= tooMany);
    }
    if (this.#milliseconds > patienceInAll)
      throw new Busy(this.#sentence(reply, this.#milliseconds, 'one request or another'), true);
    // Waits at the same time count once.
    this.#milliseconds += Math.max(0, now + pause - Math.max(now, this.#waitsUntil));
    this.#waitsUntil = Math.max(this.#waitsUntil, now + pause);
    return pause;
  }

  #sentence(reply: Reply, milliseconds: number, what: string): string {
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    return `the target is busy: for ${seconds} s it answered ${refusal(reply, ' with ')} to ${what}, at last ${reply.request}: lower --workers and --concurrency, or raise the limit of the target`;
  }

  /** Records a response that does not ask to wait. */
  answered(): void {
    this.#busySince = undefined;
    this.#inARow = 0;
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    // One more after as many responses as there are requests at once.
    this.#limit += 1 / this.#limit;
    if (this.#limit > unlimited) this.#limit = Number.POSITIVE_INFINITY;
    this.#next();
  }

  /** Halves the requests at once. Requests that were sent before the last such step say nothing about it. */
  #slowDown(sent: number, now: number): void {
    if (sent < this.#slowedAt) return;
    this.#slowedAt = now;
    this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, this.#underWay) / 2));
    this.#lowest = Math.min(this.#lowest, this.#limit);
  }

  #next(): void {
    for (let free = Math.floor(this.#limit) - this.#underWay; free > 0 && this.#queue.length > 0; free -= 1)
      this.#queue.shift()?.();
  }
}

/**
 * Returns the milliseconds that a response asks to wait, which for a 429 without Retry-After are `otherwise`; undefined
 * if the response is an answer: another status, no such time, or an eviction that a PodDisruptionBudget refuses.
 */
function askedWait(reply: Reply, otherwise?: number): number | undefined {
  if ((reply.status !== 429 && reply.status !== 503) || isRefusedEviction(reply)) return undefined;
  const said = millisecondsOf(reply.headers['retry-after'] ?? '');
  return said ?? (reply.status === 429 ? otherwise : undefined);
}

/** Returns the status of a response that asks to wait, and the header in which it says how long. */
const refusal = ({ status, headers }: Reply, join: string): string =>
  headers['retry-after'] === undefined ? String(status) : `${status}${join}Retry-After`;

/** Reports whether a response is no answer to its request, but asks to send the request later. */
export const asksToWait = (reply: Reply): boolean => askedWait(reply) !== undefined;

/**
 * Returns the milliseconds after which an internal error asks to send the request again; undefined if it does not. What
 * the server needs may not exist yet, as the token of a new service account. A server that is busy answers otherwise.
 */
export function askedToRetry(reply: Reply): number | undefined {
  if (reply.status !== 500) return undefined;
  const seconds = at(reply.tryValue(), 'details', 'retryAfterSeconds');
  if (typeof seconds === 'number' && seconds > 0) return seconds * 1000;
  const after = reply.headers['retry-after'];
  return after === undefined ? undefined : millisecondsOf(after);
}

function isRefusedEviction(reply: Reply): boolean {
  const causes = at(reply.tryValue(), 'details', 'causes');
  return Array.isArray(causes) && causes.some((cause) => isObject(cause) && cause.reason === 'DisruptionBudget');
}

/** Returns the milliseconds of a Retry-After, which holds seconds or a date. */
function millisecondsOf(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The number of actions at the same time: only the cases load a target heavily. */
const batch = 8;

/** Runs `act` on every item, eight at a time. Returns the results in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += batch) {
    results.push(...(await Promise.all(items.slice(start, start + batch).map(act))));
  }
  return results;
}
