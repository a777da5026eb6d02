// The exchanges of a client. Each is recorded without secrets when it ends, and kept until a case takes it.

import { randomUUID } from 'node:crypto';
import { defined } from '../../../matrix/api/index.js';
import type { Credential, Exchange, Frame, StreamEvent } from '../../requirements/index.js';
import type { Renaming } from '../aliases.js';
import type { Call } from '../calls.js';
import type { Reply } from '../reply.js';
import type { Connections } from '../transport.js';
import { Redactor } from './redaction.js';
import { recordedExchange } from './writer.js';

/** A request under way. */
export interface SentRequest<C extends Call = Call> {
  readonly call: C;
  readonly connections: Connections;
  /** Set if the request was sent to another version than the suite wrote. */
  readonly renaming?: Renaming;
  readonly headers: Readonly<Record<string, string>>;
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

export class ExchangeLog {
  #exchanges: Exchange[] = [];
  readonly #carried = new WeakMap<Exchange, Credential>();

  /** `url`: the base URL of the paths. */
  constructor(
    readonly url: string,
    readonly redactor = new Redactor(),
  ) {}

  /** Returns the exchanges since the last call of this method. The caller owns the returned exchanges. */
  take(): Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  /** Adds the exchanges of another client. */
  adopt(exchanges: readonly Exchange[]): void {
    this.#exchanges.push(...exchanges);
  }

  /** Returns the ids of the exchanges that no call of `take` has returned yet. */
  pendingIds(): string[] {
    return this.#exchanges.map(({ id }) => id);
  }

  /** Returns the credential that an exchange carried instead of the client's own; undefined if there was none. */
  carriedBy(exchange: Exchange): Credential | undefined {
    return this.#carried.get(exchange);
  }

  note(
    { call, connections, headers, started }: SentRequest,
    { reply, head, events, frames, error }: ExchangeOutcome,
  ): void {
    const response = head ?? (reply && { status: reply.status, headers: Object.entries(reply.headers) });
    const recorded = recordedExchange(
      this.redactor,
      {
        type: 'exchange',
        id: randomUUID(),
        at: new Date(started).toISOString(),
        milliseconds: Date.now() - started,
        request: { method: call.method, url: this.url + call.path, headers: Object.entries(headers) },
        ...defined({ response, events, frames, tls: connections.tls, error }),
      },
      call.body,
      reply,
    );
    if (call.as !== undefined && call.as !== 'none') this.#carried.set(recorded, call.as);
    this.#exchanges.push(recorded);
  }
}
