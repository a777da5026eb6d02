// What every exchange of the client has in common: what it carries, how long it may take, what is noted of it.
import type { Credential, Exchange, Target } from '../../matrix/requirements/index.js';
import { placed } from './aliases.js';
import type { Call } from './calls.js';
import { headersOf, ownCredential } from './carried.js';
import type { Changes } from './changes.js';
import { ExchangeLog, type Sent } from './exchangeLog.js';
import { Unjudged } from './expect.js';
import { fullPatience, Health } from './health.js';
import { NoAnswer } from './reply.js';
import { mustBeSendable } from './sendable.js';
import { AllConnections, isTimeout, reasonOf } from './transport.js';

/** Characters of a credential that is no user name or word put in its stead: wrong ones are made of right ones. */
const shortestShown = 16;

/** What a client keeps to beside the target. */
interface ClientRules {
  /** Milliseconds that an answer may take; 15,000 when absent. */
  readonly patience?: number;
  /** Throws for a request that must not be sent. */
  readonly guard?: (call: Call) => void;
  /** How often what only reads is asked where no answer comes; once when absent. */
  readonly tries?: number;
  /** Milliseconds that such a request waits for a target that has answered before and now refuses connections. */
  readonly comesBack?: number;
  /** Of a client whose silences are this one's too; its own when absent. */
  readonly health?: Health;
}

/** Begins the exchanges with one target and notes how they end; how one is made is the client's. */
export abstract class Exchanging {
  /** What the target has done so far. */
  readonly health: Health;
  /** Milliseconds that the reader of a stream waits for what must come at once, where nothing shortens it. */
  readonly usualStreamPatience: number;
  /** The version in which the target serves what the requests are about; undefined where that is the document's. */
  alias: string | undefined;
  readonly #connections: AllConnections;
  /** What the client's own requests carry. */
  #own: Credential;
  protected readonly log: ExchangeLog;

  /** `streamPatience`: milliseconds that the reader of a stream waits for what must come at once; as for an answer when absent. */
  constructor(
    readonly target: Target,
    streamPatience?: number,
    readonly rules: ClientRules = {},
  ) {
    this.health = rules.health ?? new Health();
    this.usualStreamPatience = streamPatience ?? this.fullPatience;
    this.log = new ExchangeLog(target.url);
    this.#connections = new AllConnections(target);
    for (const credential of Object.values(target.credentials)) this.#learn(credential);
    this.#own = ownCredential(target);
    this.#learn(this.#own);
  }

  get redactor(): ExchangeLog['redactor'] {
    return this.log.redactor;
  }

  /** Milliseconds that the reader of a stream waits now for what must come at once. */
  get streamPatience(): number {
    return this.health.patience(this.usualStreamPatience);
  }

  /** Milliseconds that an answer may take in this run. */
  get fullPatience(): number {
    return this.rules.patience ?? fullPatience;
  }

  /** Milliseconds that an answer is waited for now. */
  get patience(): number {
    return this.health.patience(this.fullPatience);
  }

  /** Waits for what must come at once on what is open; says whether it came. */
  async until(changes: Changes, settled: () => boolean, over: () => boolean, deadline?: number): Promise<boolean> {
    const begun = Date.now();
    const held = await changes.until(settled, over, deadline ?? this.streamPatience);
    if (!held && deadline === undefined && !over()) this.health.missed('what must come at once', Date.now() - begun);
    return held;
  }

  /** The exchanges since the last call of this function; the caller owns them from then on. */
  takeExchanges(): Exchange[] {
    return this.log.take();
  }

  /** Takes over exchanges of another client. */
  adopt(exchanges: readonly Exchange[]): void {
    this.log.adopt(exchanges);
  }

  /** The credential that an exchange carried in the place of the client's own. */
  carriedBy(exchange: Exchange): Credential | undefined {
    return this.log.carriedBy(exchange);
  }

  /** The ids of the exchanges that nobody has taken yet. */
  pendingIds(): string[] {
    return this.log.pendingIds();
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** Throws NoAnswer where nothing more is to be sent. */
  protected begin<C extends Call>(asked: C): Sent<C> {
    if (this.target.readOnly && asked.method !== 'GET' && asked.method !== 'HEAD') {
      throw new Unjudged('skipped', `this run only reads: ${asked.method} ${asked.path} was not sent`, 'not-safe');
    }
    this.rules.guard?.(asked);
    const { call, renaming } = placed(asked, this.target.aliases, this.alias);
    const { stop } = this.health;
    if (stop !== undefined) throw new NoAnswer(`${call.method} ${call.path} was not sent: ${stop.reason}`);
    const credential = call.as === 'none' ? {} : (call.as ?? this.#carried());
    for (const shown of [credential.token, credential.password])
      if (shown !== undefined && shown.length >= shortestShown) this.redactor.add(shown);
    const headers = headersOf(credential, call.headers);
    mustBeSendable(call, Object.entries(headers));
    const connections = this.#connections.showing(credential);
    return { call, connections, headers, started: Date.now(), ...(renaming === undefined ? {} : { renaming }) };
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

  /** Milliseconds until the exchange is given up. */
  protected deadlineOf({ deadline, isProbe, isStreamed }: Pick<Call, 'deadline' | 'isProbe' | 'isStreamed'>): number {
    if (deadline !== undefined) return deadline;
    return isProbe ? this.fullPatience : isStreamed ? this.streamPatience : this.patience;
  }

  /** Writes down that no answer came, and holds it against the target where it should have come. */
  protected noAnswer(sent: Sent, cause: unknown, deadline: number): NoAnswer {
    const { call, started } = sent;
    const why = reasonOf(cause, deadline);
    const what = `${call.method} ${call.path}: no answer: ${why}`;
    if (!call.isProbe) {
      const isProvoked = call.deadline !== undefined;
      if (isTimeout(cause) && !isProvoked) this.health.missed(what, Date.now() - started);
      else this.health.failed(what);
    }
    this.log.note(sent, { error: why });
    return new NoAnswer(what);
  }
}
