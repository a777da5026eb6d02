// The exchanges of a client, kept until a case takes them, recorded and without secrets, or drops them.

import { randomUUID } from 'node:crypto';
import { defined } from '../../../matrix/api/index.js';
import type { Credential, Exchange, Frame, StreamEvent, Timing } from '../../requirements/index.js';
import type { Renaming } from '../aliases.js';
import type { Call, SentHeaders } from '../calls.js';
import { linesOf } from '../carried.js';
import type { Reply } from '../reply.js';
import type { Connections } from '../transport.js';
import { Redactor } from './redaction.js';
import { learnFrom, withBodies } from './writer.js';

/** A request under way. */
export interface SentRequest<C extends Call = Call> {
  readonly call: C;
  readonly connections: Connections;
  /** Set if the request was sent to another version than the suite wrote. */
  readonly renaming?: Renaming;
  readonly headers: SentHeaders;
  /** The time of the request, as returned by `Date.now()`. */
  readonly started: number;
}

/** The outcome of a request: a response, the head and the events of a stream, or an error. */
export interface ExchangeOutcome {
  readonly reply?: Reply;
  readonly head?: NonNullable<Exchange['response']>;
  readonly events?: readonly StreamEvent[];
  readonly frames?: readonly Frame[];
  readonly error?: string;
}

/** An exchange that ended. It is recorded when it is taken: nobody reads those of most passed cases. */
interface Ended {
  readonly id: string;
  /** The time of the request, as returned by `Date.now()`, and the milliseconds to the end of the response. */
  readonly start: number;
  readonly milliseconds: number;
  record(): Exchange;
}

/** The number of bytes of a response that waits to be recorded; of a longer one, only what the evidence keeps waits. */
const longest = 64 * 1024;

export class ExchangeLog {
  #ended: Ended[] = [];
  readonly #carried = new WeakMap<Exchange, Credential>();

  /** `url`: the base URL of the paths. */
  constructor(
    readonly url: string,
    readonly redactor = new Redactor(),
  ) {}

  /** Returns the exchanges since the last call of `take` or `drop`. The caller owns the returned exchanges. */
  take(): Exchange[] {
    return this.#forget().map((ended) => ended.record());
  }

  /** Forgets the exchanges that `take` would return. Returns their number and their times; no times if there were none. */
  drop(): { readonly count: number; readonly timing?: Timing } {
    const ended = this.#forget();
    const [first] = ended;
    if (first === undefined) return { count: 0 };
    const start = ended.reduce((least, one) => Math.min(least, one.start), first.start);
    return {
      count: ended.length,
      timing: { start, milliseconds: ended.reduce((sum, one) => sum + one.milliseconds, 0) },
    };
  }

  /** Adds the exchanges of another client. */
  adopt(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      const { id, at, milliseconds } = exchange;
      this.#ended.push({ id, start: Date.parse(at), milliseconds, record: () => exchange });
    }
  }

  /** Returns the ids of the exchanges that were not taken or dropped yet. */
  pendingIds(): string[] {
    return this.#ended.map(({ id }) => id);
  }

  /** Returns the credential that an exchange carried instead of the client's own; undefined if there was none. */
  carriedBy(exchange: Exchange): Credential | undefined {
    return this.#carried.get(exchange);
  }

  note(
    { call, connections, headers, started }: SentRequest,
    { reply, head, events, frames, error }: ExchangeOutcome,
  ): void {
    const { redactor, url } = this;
    const milliseconds = Date.now() - started;
    const id = randomUUID();
    const request = { method: call.method, url: url + call.path, headers: linesOf(headers) };
    learnFrom(redactor, request, call.body, reply);
    const record = (): Exchange => {
      const response = head ?? (reply && { status: reply.status, headers: Object.entries(reply.headers) });
      const at = new Date(started).toISOString();
      const known = defined({ response, events, frames, tls: connections.tls, error });
      const exchange = withBodies(
        redactor,
        { type: 'exchange', id, at, milliseconds, request, ...known },
        call.body,
        reply,
      );
      if (call.as !== undefined && call.as !== 'none') this.#carried.set(exchange, call.as);
      return exchange;
    };
    const isLong = (reply?.bytes.length ?? 0) > longest;
    const recorded = isLong ? record() : undefined;
    this.#ended.push({ id, start: started, milliseconds, record: recorded === undefined ? record : () => recorded });
  }

  #forget(): Ended[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }
}
