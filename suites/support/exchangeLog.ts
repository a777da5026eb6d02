// The exchanges of a client: written down as they end, every secret taken out, until somebody takes them.
import { randomUUID } from 'node:crypto';
import type { Credential, Exchange, Frame, StreamEvent } from '../../matrix/requirements/index.js';
import type { Renaming } from './aliases.js';
import type { Call } from './calls.js';
import { record } from './evidence.js';
import { Redactor } from './redaction.js';
import type { Reply } from './reply.js';
import type { Connections } from './transport.js';

/** A request under way. */
export interface Sent<C extends Call = Call> {
  readonly call: C;
  readonly connections: Connections;
  /** Where the request went to another version than the suite wrote. */
  readonly renaming?: Renaming;
  readonly headers: Readonly<Record<string, string>>;
  /** Of `Date.now()`. */
  readonly started: number;
}

/** What came of it: an answer, or the head and the events of a stream, or an error. */
export interface Seen {
  readonly reply?: Reply;
  readonly head?: NonNullable<Exchange['response']>;
  readonly events?: readonly StreamEvent[];
  readonly frames?: readonly Frame[];
  readonly error?: string;
}

export class ExchangeLog {
  readonly redactor = new Redactor();
  #exchanges: Exchange[] = [];
  readonly #carried = new WeakMap<Exchange, Credential>();

  /** `url`: what the paths of its requests hang on. */
  constructor(readonly url: string) {}

  /** The exchanges since the last call of this function; the caller owns them from then on. */
  take(): Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  /** Takes over exchanges of another client. */
  adopt(exchanges: readonly Exchange[]): void {
    this.#exchanges.push(...exchanges);
  }

  /** The ids of the exchanges that nobody has taken yet. */
  pendingIds(): string[] {
    return this.#exchanges.map(({ id }) => id);
  }

  /** The credential that an exchange carried in the place of the client's own. */
  carriedBy(exchange: Exchange): Credential | undefined {
    return this.#carried.get(exchange);
  }

  /** Writes down an exchange. */
  note({ call, connections, headers, started }: Sent, { reply, head, events, frames, error }: Seen): void {
    const response = head ?? (reply && { status: reply.status, headers: Object.entries(reply.headers) });
    const recorded = record(
      this.redactor,
      {
        type: 'exchange',
        id: randomUUID(),
        at: new Date(started).toISOString(),
        milliseconds: Date.now() - started,
        request: { method: call.method, url: this.url + call.path, headers: Object.entries(headers) },
        ...(response === undefined ? {} : { response }),
        ...(events === undefined ? {} : { events }),
        ...(frames === undefined ? {} : { frames }),
        ...(connections.tls === undefined ? {} : { tls: connections.tls }),
        ...(error === undefined ? {} : { error }),
      },
      call.body,
      reply,
    );
    if (call.as !== undefined && call.as !== 'none') this.#carried.set(recorded, call.as);
    this.#exchanges.push(recorded);
  }
}
