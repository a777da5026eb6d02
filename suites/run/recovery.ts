// Looks for a target that may be gone: waits for it to recover, and ends the run if it does not.
import type { Client } from '../client/client.js';
import { isRefusal, type Stop } from '../client/health.js';
import { OwnConnection } from '../client/otherTransports.js';
import { NoAnswer } from '../client/reply.js';
import { tell } from './messages.js';
import { noteStop, Outages, readStop } from './outage.js';
import { defaultRecoveryTimeout, type Run } from './settings.js';

/** A path to which every running target sends some response. */
const anything = '/api/v1/namespaces/default';
/** Milliseconds for which a target may be gone, in all outages together. */
const allOutages = 20 * 60_000;
/** Milliseconds between two probes of a target, and the number of failed probes of a target that is gone. */
const pause = 250;
const missed = 2;
/** The number of connections of a probe, one after the other. A balancer may lead some to a server that is about to end. */
const connections = 4;

/** The number of requests that the reason for the end of a run names. */
const shownRequests = 3;

/** `responds`: the target was not gone. `recovered`: it was gone, and responds again. `gone`: the run is over. */
export type Found = 'responds' | 'recovered' | 'gone';

/** What a subject saw of a target before it looks. */
interface Seen {
  /**
   * Returns the requests that were in flight when a connection ended, redacted. A subject fails with the first of those
   * that it sent together, and the others end later.
   */
  readonly cuts: () => readonly string[];
  /** Whether a connection was refused. */
  readonly wasRefused: boolean;
}

/** The outages of a target, as one context sees them. */
export class Recovery {
  readonly outages: Outages;
  /** The number of outages that this context knows of, and the milliseconds that it waited in them. */
  #known = 0;
  #waited = 0;
  /** Whether the last probe has a response of a gateway that does not reach the target, and whether that may change. */
  #isUnreached = false;
  #mayBeReached = true;

  /** `onOutage`: called after an outage that this context did not know of. The objects of the run may be gone. */
  constructor(
    readonly run: Pick<Run, 'stopFile' | 'recoveryTimeout'>,
    readonly client: Client,
    readonly onOutage: () => void,
  ) {
    this.outages = new Outages(run.stopFile);
  }

  /** Why no more requests are sent, found by this worker or another one; undefined while the run continues. */
  get stop(): Stop | undefined {
    const { health } = this.client;
    const { stopFile } = this.run;
    const noted = health.stop === undefined && stopFile !== undefined ? readStop(stopFile) : undefined;
    if (noted !== undefined) health.end(noted);
    return health.stop;
  }

  /** Whether there was an outage since the last call of `beginAgain`. */
  get wasGone(): boolean {
    return this.outages.count > this.#known;
  }

  /** Ignores earlier outages from now on. */
  beginAgain(): void {
    const { count } = this.outages;
    if (count === this.#known) return;
    this.#known = count;
    this.onOutage();
  }

  /**
   * Finds out whether the target responds at all, with the full wait. A target that ended a connection and then refused
   * one was gone, even if it is back by now.
   */
  async look(seen: Seen): Promise<Found> {
    const { health } = this.client;
    const began = Date.now();
    const wasCut = seen.cuts().length > 0;
    const noted = new Set<string>();
    let silence = await this.#probe();
    let since: number | undefined;
    for (let misses = 1; silence !== undefined && this.stop === undefined; misses += 1) {
      const refuses = !isSilence(silence);
      if (since === undefined && (misses >= missed || (wasCut && refuses)))
        since = this.#beginOutage(health.lastLost ?? silence);
      if (since !== undefined) this.#suspect(seen, noted);
      if (misses === missed && refuses) this.outages.broke();
      if (since !== undefined) this.#giveUp(since, silence);
      await new Promise((resolve) => setTimeout(resolve, pause));
      silence = await this.#probe();
    }
    await this.#untilReached();
    if (this.stop !== undefined) {
      if (this.run.stopFile !== undefined) noteStop(this.run.stopFile, this.stop);
      return 'gone';
    }
    if (since === undefined && !this.wasGone) {
      if (!(wasCut && seen.wasRefused)) {
        // Another worker may see that the target was gone.
        for (const cut of seen.cuts()) this.outages.suspectNext(cut);
        return 'responds';
      }
      this.outages.begin();
    }
    // Also if the target was gone, and recovered before this worker looked.
    this.#suspect(seen, noted);
    this.#waited += Date.now() - began;
    this.outages.over();
    this.#known = this.outages.count;
    this.onOutage();
    return 'recovered';
  }

  /** Waits while a gateway does not reach the target, as during its restart: a case that is tried again needs it. */
  async #untilReached(): Promise<void> {
    const end = Date.now() + this.#timeout;
    while (this.#isUnreached && this.#mayBeReached && this.stop === undefined) {
      this.#mayBeReached = Date.now() < end;
      await new Promise((resolve) => setTimeout(resolve, pause));
      await this.#probe();
    }
  }

  /** Records an outage, and tells the user who started the run. Returns its beginning, a time of `Date.now()`. */
  #beginOutage(lost: string): number {
    const { since, isFirst } = this.outages.begin();
    if (isFirst && this.#timeout > 5_000)
      tell(
        `the target stopped responding; the run waits up to ${Math.round(this.#timeout / 1000)} s for it to recover (${lost})`,
      );
    return since;
  }

  /** Ends the run if the target has had enough time to recover. */
  #giveUp(since: number, silence: string): void {
    const spent = Date.now() - since;
    if (spent < this.#timeout && this.#waited + spent < allOutages) return;
    const reason = `the target no longer responds, so no further requests were sent (${silence}): start it again${this.#underWay()}`;
    this.client.health.end({ kind: 'gone', reason });
  }

  /** Returns the requests that were in flight when the target stopped, in words: those that write come first. */
  #underWay(): string {
    const short = (request: string): string => request.replace(/: .*/s, '').replaceAll(/\bkac-[\w-]+/g, '…');
    const requests = [...new Set(this.outages.suspects(this.outages.count).map(short))];
    if (requests.length === 0) return ', and look at the last requests';
    const named = requests.toSorted((one, other) => Number(one.startsWith('GET')) - Number(other.startsWith('GET')));
    const rest = named.length - shownRequests;
    const more = rest > 0 ? ` and ${rest} more; --workers 1 --concurrency 1 shows which one stops it` : '';
    return `; in flight when it stopped: ${named.slice(0, shownRequests).join(', ')}${more}`;
  }

  /** Records the suspects that are not noted yet. */
  #suspect({ cuts }: Seen, noted: Set<string>): void {
    for (const cut of cuts()) {
      if (!noted.has(cut)) this.outages.suspect(cut);
      noted.add(cut);
    }
  }

  /**
   * Returns why the target did not respond to a request to which every target responds; undefined if it responded or the
   * run has stopped. A connection that is refused or silent decides; one that ends does not.
   */
  async #probe(): Promise<string | undefined> {
    let silence: string | undefined;
    for (let count = 0; count < connections; count += 1) {
      silence = await this.#ask();
      if (silence === undefined || isSilence(silence) || isRefusal(silence)) break;
    }
    return silence;
  }

  /** Sends a probe over a new connection: behind a balancer, an old one may lead to a server that is gone. */
  async #ask(): Promise<string | undefined> {
    if (this.stop !== undefined) return undefined;
    const connection = new OwnConnection();
    try {
      const call = { method: 'GET', path: anything, isProbe: true, over: connection.transport } as const;
      const { status } = await this.client.send(call);
      this.#isUnreached = status >= 502 && status <= 504;
      return undefined;
    } catch (error) {
      if (error instanceof NoAnswer) return error.message;
      throw error;
    } finally {
      await connection.close();
    }
  }

  get #timeout(): number {
    return this.run.recoveryTimeout ?? defaultRecoveryTimeout;
  }
}

/** Reports whether the target only did not respond. A target that is gone accepts no connection. */
const isSilence = (reason: string): boolean => /nothing came for|not complete after|Timeout/.test(reason);
