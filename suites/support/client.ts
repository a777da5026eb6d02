// The suite's HTTP client: sends one request, records the exchange, believes nothing of the answer.
import { randomUUID } from 'node:crypto';
import type { Dispatcher, Pool } from 'undici';
import type { Credential, Exchange, Frame, StreamEvent, Target } from '../../matrix/requirements/index.js';
import type { Call, SocketCall, StreamCall } from './calls.js';
import { decode, mediaTypeOf } from './decoders.js';
import { record } from './evidence.js';
import { at, brief } from './json.js';
import { Redactor } from './redaction.js';
import { Stream } from './stream.js';
import { connectionsTo, hangUp, headerPairs, readWhole, reasonOf, tlsOptionsOf } from './transport.js';
import { type Socket, type Upgraded, upgrade } from './webSocket.js';

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
  readonly headers: Readonly<Record<string, string>>;
  /** Of `Date.now()`. */
  readonly started: number;
}

/** What came of it: an answer, or the head and the events of a stream, or an error. */
interface Seen {
  readonly reply?: Reply;
  readonly head?: NonNullable<Exchange['response']>;
  readonly events?: readonly StreamEvent[];
  readonly frames?: readonly Frame[];
  readonly error?: string;
}

/** Milliseconds that an answer may take. */
const patience = 15_000;

/** A connection pool to one target, with its credentials. */
export class Client {
  readonly redactor = new Redactor();
  readonly #pool: Pool;
  readonly #streams: Pool;
  readonly #authorization: string | undefined;
  /** What the last handshake showed; all connections of a client are made alike. */
  #tls: Exchange['tls'];
  #sink: Exchange[] = [];

  /** `streamPatience`: milliseconds that the reader of a stream waits for what must come at once. */
  constructor(
    readonly target: Target,
    readonly streamPatience = 10_000,
  ) {
    const open = connectionsTo(target, (facts) => {
      this.#tls = facts;
    });
    this.#pool = open(8);
    // A stream keeps its connection for itself, so it must not take one that a request waits for.
    this.#streams = open(null);
    for (const credential of Object.values(target.credentials)) {
      this.redactor.add(credential.token);
      this.redactor.add(credential.password);
      this.redactor.add(credential.key);
    }
    const own =
      target.credentials.staticToken ?? target.credentials.serviceAccountToken ?? target.credentials.staticPassword;
    this.#authorization = own && authorizationOf(own);
  }

  /** The exchanges since the last call of this function; the caller owns them from then on. */
  takeExchanges(): Exchange[] {
    const taken = this.#sink;
    this.#sink = [];
    return taken;
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
      const answer = await this.#pool.request({
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

  /**
   * Opens a WebSocket, hands it to `read`, and cuts it when that is done. Where the target refuses, `read` gets the
   * answer instead. Throws NoAnswer where none came in time.
   */
  async webSocket<T>(call: SocketCall, read: (opened: Socket | Reply) => Promise<T>): Promise<T> {
    const { protocols = [] } = call;
    const asked = protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') };
    const begun = this.#begin({ ...call, method: 'GET' });
    const sent = { ...begun, headers: { ...begun.headers, upgrade: 'websocket', ...asked } };
    const upgraded = await this.#upgrade(call, begun);
    const { status, headers } = upgraded;
    if (!('socket' in upgraded)) {
      const reply = replyOf(sent.call, { statusCode: status, headers }, upgraded.body);
      this.#note(sent, { reply });
      return read(reply);
    }
    const { socket } = upgraded;
    try {
      return await read(socket);
    } finally {
      socket.cut();
      this.#note(sent, { head: { status, headers: headerPairs(headers) }, frames: socket.recorded(this.redactor) });
    }
  }

  async #upgrade({ path, protocols = [], deadline = patience }: SocketCall, sent: Sent): Promise<Upgraded> {
    try {
      return await upgrade({
        url: this.target.url + path,
        headers: sent.headers,
        protocols,
        tls: tlsOptionsOf(this.target),
        started: sent.started,
        deadline,
        patience: this.streamPatience,
      });
    } catch (cause) {
      throw this.#noAnswer(sent, cause, deadline);
    }
  }

  async #open(call: StreamCall, sent: Sent): Promise<Stream> {
    const deadline = call.deadline ?? patience;
    try {
      const answer = await this.#streams.request({ ...this.#request(call, sent), bodyTimeout: 0 });
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
    await Promise.all([this.#pool.destroy(), this.#streams.destroy()]);
  }

  #begin(call: Call): Sent {
    return { call, headers: this.#headersOf(call), started: Date.now() };
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
  #note({ call, headers, started }: Sent, { reply, head, events, frames, error }: Seen): void {
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
          ...(frames === undefined ? {} : { frames }),
          ...(this.#tls === undefined ? {} : { tls: this.#tls }),
          ...(error === undefined ? {} : { error }),
        },
        call.body,
        reply,
      ),
    );
  }

  #headersOf(call: Call): Record<string, string> {
    const authorization =
      call.as === undefined ? this.#authorization : call.as === 'none' ? undefined : authorizationOf(call.as);
    return {
      ...(authorization === undefined ? {} : { authorization }),
      'user-agent': 'kube-api-conformance',
      ...call.headers,
    };
  }
}

function authorizationOf(credential: Credential): string | undefined {
  if (credential.token !== undefined) return `Bearer ${credential.token}`;
  if (credential.username === undefined) return undefined;
  return `Basic ${Buffer.from(`${credential.username}:${credential.password ?? ''}`).toString('base64')}`;
}

type Head = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

function replyOf({ method, path }: Call, answer: Head, bytes: Buffer): Reply {
  return new Reply(`${method} ${path}`, answer.statusCode, Object.fromEntries(headerPairs(answer.headers)), bytes);
}
