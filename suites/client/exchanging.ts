// The common part of all exchanges of the client: credentials, time limits and records.
import { defined } from '../../matrix/api/index.js';
import type { Credential, Exchange, Target } from '../requirements/index.js';
import { aliasedCall } from './aliases.js';
import { Pace } from './backoff.js';
import type { Call } from './calls.js';
import { basicOf, headersOf, linesOf, ownCredential } from './carried.js';
import { ExchangeLog, type SentRequest } from './evidence/exchangeLog.js';
import type { Redactor } from './evidence/redaction.js';
import { Unchecked } from './expect.js';
import { fullTimeout, Health } from './health.js';
import { NoAnswer, type Reply } from './reply.js';
import { mustBeSendable } from './sendable.js';
import type { Changes } from './streams/changes.js';
import { AllConnections, isTimeout, reasonOf, TooLarge } from './transport.js';

/**
 * The minimum number of characters of a credential to redact. Shorter values may be user names or placeholder words in
 * wrong credentials that are made of right ones.
 */
const shortestShown = 16;

interface ClientRules {
  /** Milliseconds that a response may take; 15,000 when absent. */
  readonly timeout?: number;
  /** Throws for a request that must not be sent. */
  readonly guard?: (call: Call) => void;
  /** Sees every response that was read whole. Must not throw. */
  readonly observe?: (call: Call, reply: Reply) => void;
  /** The number of times that a request that only reads is sent if no response arrives; one when absent. */
  readonly tries?: number;
  /** Whether `tries` holds for writes too that may happen twice, such as the deletes of a cleanup: all but POSTs. */
  readonly repeatsWrites?: true;
  /** Milliseconds that such a request waits for a target that has responded before and now refuses connections. */
  readonly recoveryTimeout?: number;
  /** The health of another client that this client shares; its own when absent. */
  readonly health?: Health;
  /** The pace that this client shares with other clients of the target; its own when absent. */
  readonly pace?: Pace;
  /** The secrets that this client shares with other clients; its own when absent. */
  readonly redactor?: Redactor;
}

/** Begins the exchanges with one target and records how they end. Subclasses send the requests. */
export abstract class Exchanging {
  /** The responses and timeouts of the target so far. */
  readonly health: Health;
  /** How many requests the target gets at once, and how long it asked to wait. */
  readonly pace: Pace;
  /** Milliseconds that the reader of a stream usually waits for events that must come at once. */
  readonly usualStreamTimeout: number;
  /** The version in which the target serves the resource of the requests; undefined for the document's version. */
  alias: string | undefined;
  readonly #connections: AllConnections;
  #own: Credential;
  protected readonly log: ExchangeLog;

  /**
   * `streamTimeout`: milliseconds that the reader of a stream waits for events that must come at once; the time for a
   * response when absent.
   */
  constructor(
    readonly target: Target,
    streamTimeout?: number,
    readonly rules: ClientRules = {},
  ) {
    this.health = rules.health ?? new Health();
    this.pace = rules.pace ?? new Pace();
    this.usualStreamTimeout = streamTimeout ?? this.fullTimeout;
    this.log = new ExchangeLog(target.url, rules.redactor);
    this.#connections = new AllConnections(target);
    for (const credential of Object.values(target.credentials)) this.#learn(credential);
    this.#own = ownCredential(target);
    this.#learn(this.#own);
  }

  get redactor(): Redactor {
    return this.log.redactor;
  }

  /** Milliseconds that the reader of a stream now waits for events that must come at once. */
  get streamTimeout(): number {
    return this.health.timeout(this.usualStreamTimeout);
  }

  /** Milliseconds that a response may take in this run. */
  get fullTimeout(): number {
    return this.rules.timeout ?? fullTimeout;
  }

  /** Milliseconds that the client now waits for a response. */
  get timeout(): number {
    return this.health.timeout(this.fullTimeout);
  }

  /** Waits for changes that must come at once on an open connection. Reports whether they came. */
  async until(changes: Changes, settled: () => boolean, over: () => boolean, deadline?: number): Promise<boolean> {
    const begun = Date.now();
    const held = await changes.until(settled, over, deadline ?? this.streamTimeout);
    if (!held && deadline === undefined && !over()) this.health.timedOut('what must come at once', Date.now() - begun);
    return held;
  }

  /** Returns the exchanges since the last call of this method. The caller owns the returned exchanges. */
  takeExchanges(): Exchange[] {
    return this.log.take();
  }

  /** Forgets the exchanges that `takeExchanges` would return. Returns their number and their times. */
  dropExchanges(): ReturnType<ExchangeLog['drop']> {
    return this.log.drop();
  }

  /** Adds the exchanges of another client. */
  adopt(exchanges: readonly Exchange[]): void {
    this.log.adopt(exchanges);
  }

  /** Returns the credential that an exchange carried instead of the client's own; undefined if there was none. */
  carriedBy(exchange: Exchange): Credential | undefined {
    return this.log.carriedBy(exchange);
  }

  /** Returns the ids of the exchanges that no call of `takeExchanges` has returned yet. */
  pendingIds(): string[] {
    return this.log.pendingIds();
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** Throws NoAnswer if the run has stopped sending, and Unchecked for a write in a run that only reads. */
  protected begin<C extends Call>(asked: C): SentRequest<C> {
    if (this.target.readOnly && asked.method !== 'GET' && asked.method !== 'HEAD') {
      throw new Unchecked('skipped', `this run only reads: ${asked.method} ${asked.path} was not sent`, 'not-safe');
    }
    this.rules.guard?.(asked);
    const { call, renaming } = aliasedCall(asked, this.target.aliases, this.alias);
    const { stop } = this.health;
    if (stop !== undefined) throw new NoAnswer(`${call.method} ${call.path} was not sent: ${stop.reason}`);
    const credential = call.as === 'none' ? {} : (call.as ?? this.#carried());
    // A target may also show the Basic credentials as they are sent, in one more encoding.
    for (const shown of [credential.token, credential.password, basicOf(credential)])
      if (shown !== undefined && shown.length >= shortestShown) this.redactor.add(shown);
    const headers = headersOf(credential, call.headers);
    mustBeSendable(call, linesOf(headers));
    const connections = this.#connections.showing(credential);
    return { call, connections, headers, started: Date.now(), ...defined({ renaming }) };
  }

  #carried(): Credential {
    if (this.target.renewal !== undefined) {
      const now = ownCredential(this.target);
      if (now.token !== this.#own.token || now.key !== this.#own.key) this.#learn(now);
      this.#own = now;
    }
    return this.#own;
  }

  #learn({ token, password, key }: Credential): void {
    for (const secret of [token, password, key]) this.redactor.add(secret);
  }

  /** Returns the milliseconds until the exchange is given up. */
  protected deadlineOf({ deadline, isProbe, isStreamed }: Pick<Call, 'deadline' | 'isProbe' | 'isStreamed'>): number {
    if (deadline !== undefined) return deadline;
    return isProbe ? this.fullTimeout : isStreamed ? this.streamTimeout : this.timeout;
  }

  /** Records that no response arrived, and counts it against the target if a response should have arrived. */
  protected noAnswer(sent: SentRequest, cause: unknown, deadline: number): NoAnswer {
    const { call, started } = sent;
    const why = reasonOf(cause, deadline);
    const what = `${call.method} ${call.path}: no answer: ${why}`;
    if (!call.isProbe) {
      const isProvoked = call.deadline !== undefined;
      if (cause instanceof TooLarge) this.health.lost(what);
      else if (isTimeout(cause) && !isProvoked) this.health.timedOut(what, Date.now() - started);
      else this.health.disconnected(what, started);
    }
    this.log.note(sent, { error: why });
    return new NoAnswer(what, { cause });
  }
}
