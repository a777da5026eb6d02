// The suite's HTTP client: sends one request, records the exchange, believes nothing of the answer.
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Credential, Exchange, Frame, StreamEvent, Target } from '../../matrix/requirements/index.js';
import { eventSeenAs, placeOf, type Renaming, replySeenAs, sentAs } from './aliases.js';
import type { Call, SocketCall, SpdyCall, StreamCall } from './calls.js';
import { headersOf, ownCredential } from './carried.js';
import { record } from './evidence.js';
import { Unjudged } from './expect.js';
import { Redactor } from './redaction.js';
import { NoAnswer, type Reply, replyOf } from './reply.js';
import type { SpdySession } from './spdy/session.js';
import { type SpdyAnswer, upgradeToSpdy } from './spdy/upgrade.js';
import { Stream } from './stream.js';
import { type Connections, connectionsTo, hangUp, headerPairs, readWhole, reasonOf } from './transport.js';
import { type Socket, type Upgraded, upgrade } from './webSocket.js';

/** A request under way. */
interface Sent<C extends Call = Call> {
  readonly call: C;
  readonly connections: Connections;
  /** Where the request went to another version than the call says. */
  readonly renaming?: Renaming;
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
  /** The version in which the target serves what the requests are about; undefined where that is the document's. */
  alias: string | undefined;
  /** By the certificate that they show; empty for none. */
  readonly #connections = new Map<string, Connections>();
  /** What the client's own requests carry. */
  readonly #own: Credential;
  #sink: Exchange[] = [];
  readonly #carried = new WeakMap<Exchange, Credential>();

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

  /** The credential that an exchange carried in the place of the client's own. */
  carriedBy(exchange: Exchange): Credential | undefined {
    return this.#carried.get(exchange);
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
        ...this.#request(sent),
        bodyTimeout: deadline,
        signal: AbortSignal.timeout(deadline),
      });
      const bytes = call.headersOnly ? hangUp(answer.body) : await readWhole(answer.body);
      const reply = replyOf(sent.call, answer, bytes);
      this.#note(sent, { reply });
      return sent.renaming === undefined ? reply : replySeenAs(reply, sent.renaming);
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
    const stream = await this.#open(sent);
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
    const upgraded = await this.#upgrade(protocols, begun);
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

  async #upgrade(protocols: readonly string[], sent: Sent): Promise<Upgraded> {
    const { path, deadline = patience } = sent.call;
    const { renaming } = sent;
    try {
      return await upgrade({
        url: this.target.url + path,
        headers: sent.headers,
        protocols,
        tls: sent.connections.options,
        started: sent.started,
        deadline,
        patience: this.streamPatience,
        ...(renaming === undefined ? {} : { rename: (bytes) => eventSeenAs('application/json', bytes, renaming) }),
      });
    } catch (cause) {
      throw this.#noAnswer(sent, cause, deadline);
    }
  }

  async #open(sent: Sent<StreamCall>): Promise<Stream> {
    const { call, renaming } = sent;
    const deadline = call.deadline ?? patience;
    try {
      const answer = await sent.connections.streams.request({ ...this.#request(sent), bodyTimeout: 0 });
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
        ...(renaming === undefined ? {} : { rename: (type, bytes) => eventSeenAs(type, bytes, renaming) }),
      });
    } catch (cause) {
      throw this.#noAnswer(sent, cause, deadline);
    }
  }

  async close(): Promise<void> {
    const made = [...this.#connections.values()];
    await Promise.all(made.flatMap(({ requests, streams }) => [requests.destroy(), streams.destroy()]));
  }

  #begin<C extends Call>(asked: C): Sent<C> {
    if (this.target.readOnly && asked.method !== 'GET' && asked.method !== 'HEAD') {
      throw new Unjudged('not-run', `this run only reads: ${asked.method} ${asked.path} was not sent`);
    }
    const { call, renaming } = this.#placed(asked);
    const credential = call.as === 'none' ? {} : (call.as ?? this.#own);
    const headers = headersOf(credential, call.headers);
    const connections = this.#connectionsOf(credential);
    return { call, connections, headers, started: Date.now(), ...(renaming === undefined ? {} : { renaming }) };
  }

  /** The call as it goes out: to the version in which the target serves what it is about. */
  #placed<C extends Call>(call: C): Pick<Sent<C>, 'call' | 'renaming'> {
    const { alias, target } = this;
    const place = alias === undefined ? undefined : placeOf(target.aliases ?? [], alias, call.path);
    if (place === undefined) return { call };
    const { path, renaming } = place;
    const body = call.body === undefined ? {} : { body: sentAs(call.body, renaming) };
    return { call: { ...call, path, ...body }, renaming };
  }

  #connectionsOf(credential: Credential): Connections {
    const shown = credential.certificate ?? '';
    const connections = this.#connections.get(shown) ?? connectionsTo(this.target, credential);
    this.#connections.set(shown, connections);
    return connections;
  }

  #request({ call: { method, path, body, deadline = patience }, headers }: Sent) {
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
    const exchange = record(
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
    );
    if (call.as !== undefined && call.as !== 'none') this.#carried.set(exchange, call.as);
    this.#sink.push(exchange);
  }
}
