// The suite's HTTP client: sends one request, records the exchange, believes nothing of the answer.
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Credential, Exchange, Frame, StreamEvent, Target } from '../../matrix/requirements/index.js';
import type { Call, SocketCall, SpdyCall, StreamCall } from './calls.js';
import { headersOf, ownCredential } from './carried.js';
import { record } from './evidence.js';
import { Unjudged } from './expect.js';
import { Redactor } from './redaction.js';
import { NoAnswer, Reply } from './reply.js';
import type { SpdySession } from './spdy/session.js';
import { type SpdyAnswer, upgradeToSpdy } from './spdy/upgrade.js';
import { Stream } from './stream.js';
import { type Connections, connectionsTo, hangUp, headerPairs, readWhole, reasonOf } from './transport.js';
import { type Socket, type Upgraded, upgrade } from './webSocket.js';

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
  readonly frames?: readonly Frame[];
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
      this.#note(sent, {
        head: { status, headers: headerPairs(headers) },
        frames: socket.recorded(this.redactor, call.channels),
      });
    }
  }

  /**
   * Opens a SPDY/3.1 connection, hands it to `read`, and cuts it when that is done. Where the target refuses, `read`
   * gets the answer instead. Throws NoAnswer where none came in time.
   */
  async spdy<T>(call: SpdyCall, read: (opened: SpdySession | Reply, protocol: string) => Promise<T>): Promise<T> {
    const asked = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': call.protocols.join(', ') };
    const begun = this.#begin(call);
    const sent = { ...begun, headers: { ...begun.headers, ...asked } };
    const answer = await this.#upgradeToSpdy(call, begun);
    const { status, headers } = answer;
    if (!('session' in answer)) {
      const reply = replyOf(call, { statusCode: status, headers }, answer.body);
      this.#note(sent, { reply });
      return read(reply, '');
    }
    const { session, log } = answer;
    try {
      return await read(session, String(headers['x-stream-protocol-version'] ?? ''));
    } finally {
      session.cut();
      const head = { status, headers: headerPairs(headers) };
      const { fault: error } = session;
      this.#note(sent, { head, frames: log.recorded(this.redactor), ...(error === undefined ? {} : { error }) });
    }
  }

  async #upgradeToSpdy(call: SpdyCall, { headers, connections, started }: Sent): Promise<SpdyAnswer> {
    const { method, path, protocols, deadline = patience } = call;
    const tls = connections.options;
    try {
      return await upgradeToSpdy({ method, url: this.target.url + path, headers, protocols, tls, started, deadline });
    } catch (cause) {
      throw this.#noAnswer({ call, connections, headers, started }, cause, deadline);
    }
  }

  async #upgrade({ path, protocols = [], deadline = patience }: SocketCall, sent: Sent): Promise<Upgraded> {
    try {
      return await upgrade({
        url: this.target.url + path,
        headers: sent.headers,
        protocols,
        tls: sent.connections.options,
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
        ...(call.of === undefined ? {} : { of: call.of }),
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
    if (this.target.readOnly && call.method !== 'GET' && call.method !== 'HEAD') {
      throw new Unjudged('not-run', `this run only reads: ${call.method} ${call.path} was not sent`);
    }
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
  #note({ call, connections, headers, started }: Sent, { reply, head, events, frames, error }: Seen): void {
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
          ...(connections.tls === undefined ? {} : { tls: connections.tls }),
          ...(error === undefined ? {} : { error }),
        },
        call.body,
        reply,
      ),
    );
  }
}

type Head = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

function replyOf({ method, path }: Call, answer: Head, bytes: Buffer): Reply {
  return new Reply(`${method} ${path}`, answer.statusCode, Object.fromEntries(headerPairs(answer.headers)), bytes);
}
