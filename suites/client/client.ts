// The suite's HTTP client: sends one request, records the exchange, and trusts nothing in the response.

import type { Dispatcher } from 'undici';
import { defined } from '../../matrix/api/index.js';
import { eventSeenAs, replySeenAs } from './aliases.js';
import { asksToWait, Busy } from './backoff.js';
import type { Call, SocketCall, SpdyCall, StreamCall } from './calls.js';
import type { SentRequest } from './evidence/exchangeLog.js';
import { Exchanging } from './exchanging.js';
import { at } from './json.js';
import { Readiness } from './readiness.js';
import { isDenied, NoAnswer, type Reply, refusedPermission, refusingPolicy, replyOf } from './reply.js';
import { basePathOf } from './route.js';
import type { SpdySession } from './streams/spdy/session.js';
import { type SpdyAnswer, upgradeToSpdy } from './streams/spdy/upgrade.js';
import { Stream } from './streams/stream.js';
import { type Socket, type Upgraded, upgrade } from './streams/webSocket.js';
import { headerPairs, isTimeout, Late, plainBody, readWhole, withinDeadline } from './transport.js';
import { askWhole } from './whole.js';

/** Reports whether a request can be repeated without writing anything. A review writes nothing. */
const isRepeatable = ({ method, path }: Call): boolean => method === 'GET' || /reviews$/.test(path);

/** Reports whether the response may take long for reasons of its own: it does not count among the requests at once. */
const isLong = ({ path, deadline, headersOnly, isStreamed }: Omit<Call, 'method'>): boolean =>
  deadline !== undefined ||
  headersOnly === true ||
  isStreamed === true ||
  /[?&](?:watch|follow)=|\/(?:watch|exec|attach|portforward|proxy|log)(?:[/?]|$)/.test(path);

/** Reports whether no process listens at the address. */
const isRefused = ({ message }: NoAnswer): boolean => message.includes('ECONNREFUSED');

/** The words of a server whose etcd failed, or which had no time, or whose webhook did not answer. */
const troubles =
  /^"(?:rpc error: code = |etcdserver: |context deadline exceeded|Internal error occurred: failed calling webhook )/;

/** Reports whether an internal error is no object of the API, as one of a gateway that fails now and then. */
const isForeign = (reply: Reply): boolean => reply.status === 500 && typeof at(reply.tryValue(), 'kind') !== 'string';

/**
 * Reports whether a gateway failed or did not reach the server, or the server is not available, returns an error of its
 * etcd or of a webhook, or gave up a request for lack of time. The case is tried again, as after a lost response.
 */
const couldNotAnswer = (reply: Reply): boolean =>
  (reply.status >= 502 && reply.status <= 504) ||
  (reply.status >= 500 && troubles.test(reply.excerpt())) ||
  isForeign(reply);

/** The number of times that a read or a create that prepares a check is sent. One that was done after all ends in 409. */
const triesOfPreparing = 3;
/** Milliseconds between two tries, and after which a request is not sent again. */
const beforeNextTry = 250;
const lastTry = 30_000;

/** The connections to one target, with the target's credentials. */
export class Client extends Exchanging {
  readonly #basePath = basePathOf(this.target.url);
  #hasAnswered = false;
  readonly #readiness = new Readiness();
  #lacking: string | undefined;
  #policy: string | undefined;

  /** Returns what the user of the run may not do of what was sent since the last call of this method: `cannot list …`. */
  takeLacking(): string | undefined {
    const lacking = this.#lacking;
    this.#lacking = undefined;
    return lacking;
  }

  /** Returns the name of an admission webhook or policy that refused a request since the last call of this method. */
  takePolicy(): string | undefined {
    const policy = this.#policy;
    this.#policy = undefined;
    return policy;
  }

  /**
   * Sends a request and reads the whole response. Sends the request again if the target is busy and returns a
   * Retry-After, or if it is not ready for the request yet. Throws NoAnswer if no response arrived in time.
   */
  async send(call: Call): Promise<Reply> {
    const began = Date.now();
    for (;;) {
      const reply = await this.untilAnswered(
        call,
        () => this.#sendUntilAnswered(call),
        (last) => last,
      );
      const pause = this.#readiness.pause(call, reply, Date.now() - began, this.fullTimeout);
      if (pause === undefined) return this.#believed(call, reply);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /**
   * Repeats an exchange until the target does not ask to wait. `replyOf` returns the response; undefined if there is
   * none. Throws Busy if the target asks for too long.
   */
  async untilAnswered<T>(
    call: Parameters<typeof isLong>[0] & Pick<Call, 'isProbe'>,
    exchange: () => Promise<T>,
    replyOf: (last: T) => Reply | undefined,
  ): Promise<T> {
    const { pace } = this;
    const began = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      let sent = began;
      const begun = (): Promise<T> => {
        sent = Date.now();
        return exchange();
      };
      const last = await (isLong(call) || call.isProbe ? begun() : pace.inTurn(begun));
      const reply = replyOf(last);
      if (reply === undefined) return last;
      if (call.isProbe) {
        // Any response shows that the target is there.
        if (!asksToWait(reply)) pace.answered();
        return last;
      }
      const pause = this.#pauseAfter(reply, attempt, began, sent);
      if (pause === undefined) {
        if (couldNotAnswer(reply)) this.health.lost(`${reply.request}: ${reply.status} ${reply.excerpt()}`);
        return last;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Returns how long to wait. A wait takes a case its time, so it counts as a loss: a failed case is tried again. */
  #pauseAfter(reply: Reply, ...tries: readonly [attempt: number, began: number, sent: number]): number | undefined {
    try {
      const pause = this.pace.pause(reply, ...tries);
      if (pause !== undefined && pause > 0) this.health.lost(`${reply.request}: ${reply.status} with Retry-After`);
      return pause;
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      this.health.lost(error.message);
      if (error.endsRun) this.health.end({ kind: 'busy', reason: error.message });
      throw error;
    }
  }

  async #sendUntilAnswered(call: Call): Promise<Reply> {
    const { recoveryTimeout = 0, tries: most = 1 } = this.rules;
    const isSafe = isRepeatable(call) || (this.rules.repeatsWrites === true && call.method !== 'POST');
    const tries = isSafe ? most : 1;
    const answers =
      call.isPreparing && (isRepeatable(call) || call.method === 'POST') ? Math.max(tries, triesOfPreparing) : tries;
    const began = Date.now();
    for (let count = 1; ; count += 1) {
      try {
        const reply = await this.#sendOnce(call);
        this.#hasAnswered = true;
        if (count >= answers || Date.now() - began > lastTry || !couldNotAnswer(reply)) return reply;
      } catch (error) {
        if (!(error instanceof NoAnswer) || this.health.stop !== undefined || tries === 1) throw error;
        const waits = Date.now() - began;
        const mayRecover = this.#hasAnswered && isRefused(error) && waits < recoveryTimeout;
        if (!mayRecover && (count >= tries || waits > lastTry)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, beforeNextTry));
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
      if (!asksToWait(reply)) this.rules.observe?.(sent.call, reply);
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
    const { sent, upgraded, reply } = await this.untilAnswered(
      { ...call, isStreamed: true },
      async () => {
        const begun = this.begin({ ...call, method: 'GET' });
        const sent = { ...begun, headers: { ...begun.headers, upgrade: 'websocket', ...asked } };
        const upgraded = await this.#upgrade(protocols, begun);
        return { sent, upgraded, reply: this.#refusal(sent, upgraded) };
      },
      ({ reply }) => reply,
    );
    if (!('socket' in upgraded)) return read(reply as Reply);
    const { socket, status, headers } = upgraded;
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
    const { sent, answer, reply } = await this.untilAnswered(
      { ...call, isStreamed: true },
      async () => {
        const begun = this.begin(call);
        const sent = { ...begun, headers: { ...begun.headers, ...asked } };
        const answer = await this.#upgradeToSpdy(call, begun);
        return { sent, answer, reply: this.#refusal(sent, answer) };
      },
      ({ reply }) => reply,
    );
    if (!('session' in answer)) return read(reply as Reply, '');
    const { session, log, status, headers } = answer;
    try {
      return await read(session, String(headers['x-stream-protocol-version'] ?? ''));
    } finally {
      session.cut();
      const head = { status, headers: headerPairs(headers) };
      const { fault: error } = session;
      this.log.note(sent, { head, frames: log.recorded(this.redactor), ...defined({ error }) });
    }
  }

  /** Returns and records the response of a target that did not upgrade; undefined if it did. */
  #refusal(sent: SentRequest, answer: Upgraded | SpdyAnswer): Reply | undefined {
    if (!('body' in answer)) return undefined;
    const reply = replyOf(sent.call, { statusCode: answer.status, headers: answer.headers }, answer.body);
    this.log.note(sent, { reply });
    if (sent.call.as === undefined) this.#noteLack(reply);
    return reply;
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
    let earlier: { readonly stream: Stream; readonly sent: SentRequest } | undefined;
    const opened = await this.untilAnswered(
      { ...call, isStreamed: true },
      async () => {
        if (earlier !== undefined) this.#endRefused(earlier);
        const sent = this.begin(call);
        earlier = { sent, stream: await this.#open(sent) };
        return earlier;
      },
      ({ stream }) => stream.refusal,
    );
    const { refusal } = opened.stream;
    if (refusal !== undefined) this.#believed(call, refusal);
    return opened;
  }

  /** Records a refused stream, after which the target is asked again. */
  #endRefused({ stream, sent }: { readonly stream: Stream; readonly sent: SentRequest }): void {
    stream.cut();
    if (stream.refusal !== undefined) this.log.note(sent, { reply: stream.refusal });
  }

  async #open(sent: SentRequest<StreamCall>): Promise<Stream> {
    const { call, renaming } = sent;
    const deadline = this.deadlineOf(call);
    try {
      const answer = await withinDeadline(deadline, sent.connections, (signal) =>
        sent.connections.streams.request({ ...this.#request(sent, deadline), bodyTimeout: 0, signal }),
      ).catch((cause: unknown) => {
        if (!isTimeout(cause)) throw cause;
        throw new Late(deadline, `no head of the response after ${deadline} ms; it comes before the first event`);
      });
      const refusal =
        answer.statusCode < 300 ? undefined : replyOf(call, answer, await readWhole(answer.body, deadline));
      this.health.responded(Date.now() - sent.started);
      return new Stream({
        request: `${call.method} ${call.path}`,
        status: answer.statusCode,
        headers: Object.fromEntries(headerPairs(answer.headers)),
        started: sent.started,
        body: plainBody(answer.headers, answer.body),
        timeout: this.streamTimeout,
        health: this.health,
        ...defined({ refusal, cutAfter: call.cutAfter, of: call.of }),
        ...(renaming === undefined ? {} : { rename: (type, bytes) => eventSeenAs(type, bytes, renaming) }),
      });
    } catch (cause) {
      throw this.noAnswer(sent, cause, deadline);
    }
  }

  /** Records the response to the target's own credentials for the target's health. */
  #believed(call: Call, reply: Reply): Reply {
    if (call.as === undefined && !call.isProbe) {
      this.health.answered(reply.status, isDenied(reply));
      this.#noteLack(reply);
    }
    return reply;
  }

  #noteLack(reply: Reply): void {
    this.#lacking ??= refusedPermission(reply);
    this.#policy ??= refusingPolicy(reply);
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
