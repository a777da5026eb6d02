// The suite's HTTP client: sends one request, records the exchange, believes nothing of the answer.
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Credential, Exchange, StreamEvent, Target } from '../../matrix/requirements/index.js';
import { headersOf, ownCredential } from './carried.js';
import { decode, mediaTypeOf } from './decoders.js';
import { record } from './evidence.js';
import { at, brief } from './json.js';
import { Redactor } from './redaction.js';
import { Stream } from './stream.js';
import { type Connections, connectionsTo, hangUp, headerPairs, readWhole, reasonOf } from './transport.js';

/** A request to the target. `path` starts with a slash and carries its query. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** `none` shows no credentials, a credential that one alone: instead of the target's own. */
  readonly as?: 'none' | Credential;
  /** Ends the exchange once the headers are there: for streams of which only the start matters. */
  readonly headersOnly?: true;
  /** Milliseconds until the exchange is given up, for a stream until its head has come; 15,000 when absent. */
  readonly deadline?: number;
}

/** A request whose answer is a stream. */
export interface StreamCall extends Call {
  /** The reader hangs up after this many bytes of the body, wherever that is. */
  readonly cutAfter?: number;
}

/** No answer came: the connection failed, broke, or the deadline passed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** An answer, read whole. */
export class Reply {
  #value: { readonly decoded: unknown } | undefined;

  constructor(
    readonly request: string,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly bytes: Buffer,
  ) {}

  get mediaType(): string {
    return mediaTypeOf(this.headers['content-type']);
  }

  /** The decoded body; throws where it is malformed. */
  value(): unknown {
    this.#value ??= { decoded: decode(this.headers['content-type'], this.bytes) };
    return this.#value.decoded;
  }

  /** The decoded body, or undefined where it does not decode. */
  tryValue(): unknown {
    try {
      return this.value();
    } catch {
      return undefined;
    }
  }

  /** The message of a Status, or the start of the body. */
  excerpt(): string {
    const message = at(this.tryValue(), 'message');
    if (typeof message === 'string') return brief(message);
    return brief(this.bytes.toString('utf8', 0, 300));
  }
}

/** A request under way. */
interface Sent {
  readonly call: Call;
  readonly connections: Connections;
  readonly headers: Readonly<Record<string, string>>;
  /** Of `Date.now()`. */
  readonly started: number;
}

/** What came of it: an answer, or the head and the events of a stream, or an error. */
interface Seen {
  readonly reply?: Reply;
  readonly head?: NonNullable<Exchange['response']>;
  readonly events?: readonly StreamEvent[];
  readonly error?: string;
}

/** Milliseconds that an answer may take. */
const patience = 15_000;

/** The connections to one target, with its credentials. */
export class Client {
  readonly redactor = new Redactor();
  /** By the certificate that they show; empty for none. */
  readonly #connections = new Map<string, Connections>();
  /** What the client's own requests carry. */
  readonly #own: Credential;
  #sink: Exchange[] = [];

  /** `streamPatience`: milliseconds that the reader of a stream waits for what must come at once. */
  constructor(
    readonly target: Target,
    readonly streamPatience = 10_000,
  ) {
    for (const credential of Object.values(target.credentials)) {
      this.redactor.add(credential.token);
      this.redactor.add(credential.password);
      this.redactor.add(credential.key);
    }
    this.#own = ownCredential(target);
  }

  /** The exchanges since the last call of this function; the caller owns them from then on. */
  takeExchanges(): Exchange[] {
    const taken = this.#sink;
    this.#sink = [];
    return taken;
  }

  /** Takes over exchanges of another client. */
  adopt(exchanges: readonly Exchange[]): void {
    this.#sink.push(...exchanges);
  }

  /** The ids of the exchanges that nobody has taken yet. */
  pendingIds(): string[] {
    return this.#sink.map(({ id }) => id);
  }

  /** Sends a request and reads the answer whole. Throws NoAnswer where none came in time. */
  async send(call: Call): Promise<Reply> {
    const deadline = call.deadline ?? patience;
    const sent = this.#begin(call);
    try {
      const answer = await sent.connections.requests.request({
        ...this.#request(call, sent),
        bodyTimeout: deadline,
        signal: AbortSignal.timeout(deadline),
      });
      const bytes = call.headersOnly ? hangUp(answer.body) : await readWhole(answer.body);
      const reply = replyOf(call, answer, bytes);
      this.#note(sent, { reply });
      return reply;
    } catch (cause) {
      throw this.#noAnswer(sent, cause, deadline);
    }
  }

  /**
   * Opens a stream, hands it to `read`, and hangs up when that is done. An answer of 300 or more is read whole and is
   * the stream's `refusal`. Throws NoAnswer where no head came in time.
   */
  async stream<T>(call: StreamCall, read: (stream: Stream) => Promise<T>): Promise<T> {
    const sent = this.#begin(call);
    const stream = await this.#open(call, sent);
    try {
      return await read(stream);
    } finally {
      stream.cut();
      const events = stream.recorded(this.redactor);
      const { how, why } = stream.end ?? {};
      const { status, headers, refusal } = stream;
      this.#note(sent, {
        ...(refusal === undefined ? { head: { status, headers: Object.entries(headers) } } : { reply: refusal }),
        ...(events.length === 0 ? {} : { events }),
        ...(how === 'broken' ? { error: why ?? 'the connection failed' } : {}),
      });
    }
  }

  async #open(call: StreamCall, sent: Sent): Promise<Stream> {
    const deadline = call.deadline ?? patience;
    try {
      const answer = await sent.connections.streams.request({ ...this.#request(call, sent), bodyTimeout: 0 });
      const refusal = answer.statusCode < 300 ? undefined : replyOf(call, answer, await readWhole(answer.body));
      return new Stream({
        request: `${call.method} ${call.path}`,
        status: answer.statusCode,
        headers: Object.fromEntries(headerPairs(answer.headers)),
        started: sent.started,
        body: answer.body,
        patience: this.streamPatience,
        ...(refusal === undefined ? {} : { refusal }),
        ...(call.cutAfter === undefined ? {} : { cutAfter: call.cutAfter }),
      });
    } catch (cause) {
      throw this.#noAnswer(sent, cause, deadline);
    }
  }

  async close(): Promise<void> {
    const made = [...this.#connections.values()];
    await Promise.all(made.flatMap(({ requests, streams }) => [requests.destroy(), streams.destroy()]));
  }

  #begin(call: Call): Sent {
    const credential = call.as === 'none' ? {} : (call.as ?? this.#own);
    const headers = headersOf(credential, call.headers);
    return { call, connections: this.#connectionsOf(credential), headers, started: Date.now() };
  }

  #connectionsOf(credential: Credential): Connections {
    const shown = credential.certificate ?? '';
    const connections = this.#connections.get(shown) ?? connectionsTo(this.target, credential);
    this.#connections.set(shown, connections);
    return connections;
  }

  #request({ method, path, body, deadline = patience }: Call, { headers }: Sent) {
    return {
      method: method as Dispatcher.HttpMethod,
      path,
      headers,
      body: body ?? null,
      headersTimeout: deadline,
    };
  }

  #noAnswer(sent: Sent, cause: unknown, deadline: number): NoAnswer {
    const why = reasonOf(cause, deadline);
    this.#note(sent, { error: why });
    return new NoAnswer(`${sent.call.method} ${sent.call.path}: no answer: ${why}`);
  }

  /** Writes down an exchange. */
  #note({ call, connections, headers, started }: Sent, { reply, head, events, error }: Seen): void {
    const response = head ?? (reply && { status: reply.status, headers: Object.entries(reply.headers) });
    this.#sink.push(
      record(
        this.redactor,
        {
          type: 'exchange',
          id: randomUUID(),
          at: new Date(started).toISOString(),
          milliseconds: Date.now() - started,
          request: { method: call.method, url: this.target.url + call.path, headers: Object.entries(headers) },
          ...(response === undefined ? {} : { response }),
          ...(events === undefined ? {} : { events }),
          ...(connections.tls === undefined ? {} : { tls: connections.tls }),
          ...(error === undefined ? {} : { error }),
        },
        call.body,
        reply,
      ),
    );
  }
}

function replyOf({ method, path }: Call, answer: Dispatcher.ResponseData, bytes: Buffer): Reply {
  return new Reply(`${method} ${path}`, answer.statusCode, Object.fromEntries(headerPairs(answer.headers)), bytes);
}
