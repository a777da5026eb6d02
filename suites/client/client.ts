// The suite's HTTP client: sends one request, records the exchange, and trusts nothing in the response.

import type { Dispatcher } from 'undici';
import { defined } from '../../matrix/api/index.js';
import { eventSeenAs, replySeenAs } from './aliases.js';
import { Backoff } from './backoff.js';
import type { Call, SocketCall, SpdyCall, StreamCall } from './calls.js';
import type { SentRequest } from './evidence/exchangeLog.js';
import { Exchanging } from './exchanging.js';
import { isDenied, NoAnswer, type Reply, replyOf } from './reply.js';
import { basePathOf } from './route.js';
import type { SpdySession } from './streams/spdy/session.js';
import { type SpdyAnswer, upgradeToSpdy } from './streams/spdy/upgrade.js';
import { Stream } from './streams/stream.js';
import { type Socket, type Upgraded, upgrade } from './streams/webSocket.js';
import { headerPairs, readWhole, withinDeadline } from './transport.js';
import { askWhole } from './whole.js';

/** Reports whether a request can be repeated without writing anything. A review writes nothing. */
const isRepeatable = ({ method, path }: Call): boolean => method === 'GET' || /reviews$/.test(path);

/** Reports whether no process listens at the address. */
const isRefused = ({ message }: NoAnswer): boolean => message.includes('ECONNREFUSED');

/**
 * Reports whether the server returns an error of its etcd, or gave up a request for lack of time. The case is tried
 * again, as after a lost response.
 */
const couldNotAnswer = (reply: Reply): boolean =>
  reply.status === 504 || (reply.status >= 500 && /^"(?:rpc error: code = |etcdserver: )/.test(reply.excerpt()));

/**
 * Reports whether a pod was refused because the namespace is new: its default service account, or the token of that
 * account, does not exist yet. The server asks to try again.
 */
const isInNewNamespace = ({ method, path }: Call, reply: Reply): boolean =>
  method === 'POST' &&
  /\/pods(?:$|\?)/.test(path) &&
  (reply.status === 403 || reply.status === 500) &&
  /service ?account[^,:]*\bdefault\b/i.test(reply.excerpt());

/** Milliseconds between two tries, and after which a request is not sent again. */
const beforeNextTry = 250;
const lastTry = 30_000;

/** The connections to one target, with the target's credentials. */
export class Client extends Exchanging {
  readonly #backoff = new Backoff();
  readonly #basePath = basePathOf(this.target.url);
  #hasAnswered = false;
  /** Whether the service account of a new namespace may still come. */
  #accountsCome = true;

  /**
   * Sends a request and reads the whole response. Sends the request again if the target is busy and returns a
   * Retry-After, or if a pod's namespace is not ready. Throws NoAnswer if no response arrived in time.
   */
  async send(call: Call): Promise<Reply> {
    const began = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#sendUntilAnswered(call);
      if (this.#accountsCome && isInNewNamespace(call, reply)) {
        // Without a controller that creates the accounts, only one pod waits.
        this.#accountsCome = Date.now() - began < this.fullTimeout;
        await new Promise((resolve) => setTimeout(resolve, beforeNextTry));
        continue;
      }
      if (!(await this.#awaitsTurn(reply.status, reply.headers, attempt))) return this.#believed(call, reply);
    }
  }

  async #sendUntilAnswered(call: Call): Promise<Reply> {
    const { recoveryTimeout = 0, tries: most = 1 } = this.rules;
    const isSafe = isRepeatable(call) || (this.rules.repeatsWrites === true && call.method !== 'POST');
    const tries = isSafe ? most : 1;
    const began = Date.now();
    for (let count = 1; ; count += 1) {
      try {
        const reply = await this.#sendOnce(call);
        this.#hasAnswered = true;
        return reply;
      } catch (error) {
        if (!(error instanceof NoAnswer) || this.health.stop !== undefined || tries === 1) throw error;
        const waits = Date.now() - began;
        const mayRecover = this.#hasAnswered && isRefused(error) && waits < recoveryTimeout;
        if (!mayRecover && (count >= tries || waits > lastTry)) throw error;
        await new Promise((resolve) => setTimeout(resolve, beforeNextTry));
      }
    }
  }

  async #sendOnce(call: Call): Promise<Reply> {
    const deadline = this.deadlineOf(call);
    const sent = this.begin(call);
    try {
      const asked = { ...this.#request(sent, deadline), bodyTimeout: deadline };
      const answer = await (call.over ?? askWhole)(sent.connections, asked, deadline, call.headersOnly);
      const reply = replyOf(sent.call, answer, answer.bytes);
      this.log.note(sent, { reply });
      this.health.responded(Date.now() - sent.started);
      if (sent.renaming !== undefined) return replySeenAs(reply, sent.renaming);
      this.rules.observe?.(sent.call, reply);
      return reply;
    } catch (cause) {
      throw this.noAnswer(sent, cause, deadline);
    }
  }

  /**
   * Opens a stream, passes it to `read`, and closes the connection when `read` is done. A response of 300 or more is
   * read whole and is the stream's `refusal`. Throws NoAnswer if no head arrived in time.
   */
  async stream<T>(call: StreamCall, read: (stream: Stream) => Promise<T>): Promise<T> {
    const { stream, sent } = await this.#opened(call);
    try {
      return await read(stream);
    } finally {
      stream.cut();
      const events = stream.recorded(this.redactor);
      const { how, why } = stream.end ?? {};
      const { status, headers, refusal } = stream;
      this.log.note(sent, {
        ...(refusal === undefined ? { head: { status, headers: Object.entries(headers) } } : { reply: refusal }),
        ...(events.length === 0 ? {} : { events }),
        ...(how === 'broken' ? { error: why ?? 'the connection failed' } : {}),
      });
    }
  }

  /**
   * Opens a WebSocket, passes it to `read`, and cuts the connection when `read` is done. If the target refuses, `read`
   * gets the response instead. Throws NoAnswer if no response arrived in time.
   */
  async webSocket<T>(call: SocketCall, read: (opened: Socket | Reply) => Promise<T>): Promise<T> {
    const { protocols = [] } = call;
    const asked = protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') };
    const begun = this.begin({ ...call, method: 'GET' });
    const sent = { ...begun, headers: { ...begun.headers, upgrade: 'websocket', ...asked } };
    const upgraded = await this.#upgrade(protocols, begun);
    const { status, headers } = upgraded;
    if (!('socket' in upgraded)) {
      const reply = replyOf(sent.call, { statusCode: status, headers }, upgraded.body);
      this.log.note(sent, { reply });
      return read(reply);
    }
    const { socket } = upgraded;
    try {
      return await read(socket);
    } finally {
      socket.cut();
      this.log.note(sent, {
        head: { status, headers: headerPairs(headers) },
        frames: socket.recorded(this.redactor, call.channels),
      });
    }
  }

  /**
   * Opens a SPDY/3.1 connection, passes it to `read`, and cuts the connection when `read` is done. If the target
   * refuses, `read` gets the response instead. Throws NoAnswer if no response arrived in time.
   */
  async spdy<T>(call: SpdyCall, read: (opened: SpdySession | Reply, protocol: string) => Promise<T>): Promise<T> {
    const asked = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': call.protocols.join(', ') };
    const begun = this.begin(call);
    const sent = { ...begun, headers: { ...begun.headers, ...asked } };
    const answer = await this.#upgradeToSpdy(call, begun);
    const { status, headers } = answer;
    if (!('session' in answer)) {
      const reply = replyOf(call, { statusCode: status, headers }, answer.body);
      this.log.note(sent, { reply });
      return read(reply, '');
    }
    const { session, log } = answer;
    try {
      return await read(session, String(headers['x-stream-protocol-version'] ?? ''));
    } finally {
      session.cut();
      const head = { status, headers: headerPairs(headers) };
      const { fault: error } = session;
      this.log.note(sent, { head, frames: log.recorded(this.redactor), ...defined({ error }) });
    }
  }

  async #upgradeToSpdy(call: SpdyCall, { headers, connections, started }: SentRequest): Promise<SpdyAnswer> {
    const { method, path, protocols } = call;
    const deadline = this.deadlineOf(call);
    const tls = connections.options;
    try {
      return await upgradeToSpdy({ method, url: this.target.url + path, headers, protocols, tls, started, deadline });
    } catch (cause) {
      throw this.noAnswer({ call, connections, headers, started }, cause, deadline);
    }
  }

  async #upgrade(protocols: readonly string[], sent: SentRequest): Promise<Upgraded> {
    const { call, renaming } = sent;
    const deadline = this.deadlineOf(call);
    try {
      return await upgrade({
        url: this.target.url + call.path,
        headers: sent.headers,
        protocols,
        tls: sent.connections.options,
        started: sent.started,
        deadline,
        timeout: this.streamTimeout,
        health: this.health,
        ...(renaming === undefined ? {} : { rename: (bytes) => eventSeenAs('application/json', bytes, renaming) }),
      });
    } catch (cause) {
      throw this.noAnswer(sent, cause, deadline);
    }
  }

  async #opened(call: StreamCall): Promise<{ readonly stream: Stream; readonly sent: SentRequest }> {
    for (let attempt = 1; ; attempt += 1) {
      const sent = this.begin(call);
      const stream = await this.#open(sent);
      if (!(await this.#awaitsTurn(stream.status, stream.headers, attempt))) {
        if (stream.refusal !== undefined) this.#believed(call, stream.refusal);
        return { stream, sent };
      }
      stream.cut();
      if (stream.refusal !== undefined) this.log.note(sent, { reply: stream.refusal });
    }
  }

  async #open(sent: SentRequest<StreamCall>): Promise<Stream> {
    const { call, renaming } = sent;
    const deadline = this.deadlineOf(call);
    try {
      const answer = await withinDeadline(deadline, sent.connections, (signal) =>
        sent.connections.streams.request({ ...this.#request(sent, deadline), bodyTimeout: 0, signal }),
      );
      const refusal =
        answer.statusCode < 300 ? undefined : replyOf(call, answer, await readWhole(answer.body, deadline));
      this.health.responded(Date.now() - sent.started);
      return new Stream({
        request: `${call.method} ${call.path}`,
        status: answer.statusCode,
        headers: Object.fromEntries(headerPairs(answer.headers)),
        started: sent.started,
        body: answer.body,
        timeout: this.streamTimeout,
        health: this.health,
        ...defined({ refusal, cutAfter: call.cutAfter, of: call.of }),
        ...(renaming === undefined ? {} : { rename: (type, bytes) => eventSeenAs(type, bytes, renaming) }),
      });
    } catch (cause) {
      throw this.noAnswer(sent, cause, deadline);
    }
  }

  /** Reports whether the request is to be sent again; waits first for the time that the target asked for. */
  async #awaitsTurn(status: number, headers: Reply['headers'], attempt: number): Promise<boolean> {
    const pause = this.#backoff.pause(status, headers['retry-after'], attempt);
    if (pause === undefined) return false;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return true;
  }

  /**
   * Records the response for the target's health: errors of etcd, timeouts, and responses to the target's own
   * credentials.
   */
  #believed(call: Call, reply: Reply): Reply {
    if (couldNotAnswer(reply)) this.health.lost(`${reply.request}: ${reply.status} ${reply.excerpt()}`);
    if (call.as === undefined && !call.isProbe) this.health.answered(reply.status, isDenied(reply));
    return reply;
  }

  #request({ call: { method, path, body }, headers }: SentRequest, deadline: number) {
    return {
      method: method as Dispatcher.HttpMethod,
      path: this.#basePath + path,
      headers,
      body: body ?? null,
      headersTimeout: deadline,
      // Otherwise undici closes the connection after a DELETE with a body, and the next request needs a handshake.
      ...(body !== undefined && { reset: false }),
    };
  }
}
