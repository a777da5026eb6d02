// Other ways to send a request than whole on a connection of the client: in chunks, after 100 Continue, over HTTP/2.

import { type IncomingMessage, request as plainRequest } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { request as secureRequest } from 'node:https';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { dial, type Reachable } from './route.js';
import { afterRunning } from './runningTime.js';
import { type Connections, Late, Received, readWhole } from './transport.js';
import { askWhole, type Transport } from './whole.js';

type Request = Parameters<Transport>[1];

const bytesOf = ({ body }: Request): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from((body as Uint8Array | null) ?? '');

/** Returns the transport that sends a body in chunks of a size, without its length. */
export const inChunks =
  (size: number): Transport =>
  (connections, request, deadline) => {
    const bytes = bytesOf(request);
    const count = Math.ceil(bytes.length / size);
    const chunks = Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
    return askWhole(connections, { ...request, body: Readable.from(chunks, { objectMode: true }) }, deadline);
  };

/** Sends requests with `Expect: 100-continue`, and each body when the target permits it. */
export class Expecting {
  /** Whether the target permitted the body. */
  isPermitted = false;

  constructor(readonly target: Reachable) {}

  /** Sends the body after half of the time at the latest, as clients must that get no permission (RFC 9110, 10.1.1). */
  readonly transport: Transport = ({ options }, asked, deadline) => {
    const { origin, protocol } = new URL(this.target.url);
    const open = protocol === 'https:' ? secureRequest : plainRequest;
    const body = bytesOf(asked);
    const headers = {
      ...(asked.headers as Record<string, string>),
      'content-length': String(body.length),
      expect: '100-continue',
    };
    return new Promise((resolve, reject) => {
      const method = asked.method;
      const own = options.createConnection === undefined ? { agent: false } : {};
      const request = open(origin + asked.path, { ...options, ...own, method, headers });
      const sendBody = setTimeout(() => request.end(body), deadline / 2);
      const cancel = afterRunning(deadline, () => request.destroy(new Late(deadline)));
      request.once('close', () => {
        clearTimeout(sendBody);
        cancel();
      });
      request.on('error', reject);
      request.once('continue', () => {
        this.isPermitted = true;
        clearTimeout(sendBody);
        request.end(body);
      });
      request.once('response', (response: IncomingMessage) => {
        const { statusCode = 0, headers } = response;
        readWhole(response, deadline)
          .then((bytes) => resolve({ statusCode, headers, bytes }), reject)
          .finally(() => request.destroy());
      });
      // Otherwise the head waits for the first bytes of the body.
      request.flushHeaders();
    });
  };
}

/** Reports whether the target offers HTTP/2 in the TLS handshake. */
export function offersHttp2(target: Reachable, deadline: number): Promise<boolean> {
  if (!target.url.startsWith('https:')) return Promise.resolve(false);
  const socket = dial(target, { ALPNProtocols: ['h2', 'http/1.1'] });
  return new Promise((resolve) => {
    const end = (offers: boolean): void => {
      cancel();
      socket.destroy();
      resolve(offers);
    };
    const cancel = afterRunning(deadline, () => end(false));
    socket.once('secureConnect', () => end(socket instanceof TLSSocket && socket.alpnProtocol === 'h2'));
    socket.once('error', () => end(false));
  });
}

/**
 * A connection over HTTP/2, which carries all requests of its transport, until the target asks for another one (GOAWAY) or
 * for no more at once (SETTINGS_MAX_CONCURRENT_STREAMS).
 */
export class OverHttp2 {
  /** Each with the number of its open streams. The first one that takes another carries the next request. */
  readonly #sessions = new Map<ClientHttp2Session, number>();

  constructor(readonly target: Reachable) {}

  readonly transport: Transport = (connections, asked, deadline) => this.#ask(connections, asked, deadline);

  /** Returns a transport that ends a response when its bytes so far are enough, such as the events of a watch. */
  until(isEnough: (bytes: Buffer) => boolean): Transport {
    return (connections, asked, deadline) => this.#ask(connections, asked, deadline, isEnough);
  }

  #ask(
    connections: Connections,
    asked: Request,
    deadline: number,
    isEnough?: (bytes: Buffer) => boolean,
  ): ReturnType<Transport> {
    const session = this.#connected(connections.options);
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const { method, path } = asked;
      const body = bytesOf(asked);
      const headers = { ...(asked.headers as Record<string, string>), ':method': method, ':path': path };
      const stream = session.request(headers, { endStream: body.length === 0 });
      this.#count(session, 1);
      const received = new Received();
      let head: { readonly statusCode: number; readonly headers: Record<string, string> } | undefined;
      const cancel = afterRunning(deadline, () => stream.destroy(new Late(deadline)));
      stream.once('response', ({ ':status': status = 0, ...rest }) => {
        const entries = Object.entries(rest).map(([name, value]) => [name, String(value)] as const);
        head = { statusCode: Number(status), headers: Object.fromEntries(entries) };
      });
      stream.on('data', (chunk: Buffer) => {
        received.push(chunk);
        if (isEnough?.(received.whole())) stream.close(constants.NGHTTP2_CANCEL);
      });
      let failure = new Error('the stream was closed without a response');
      stream.once('error', (error) => {
        failure = error;
      });
      stream.once('close', () => {
        cancel();
        received.release();
        this.#count(session, -1);
        // The target has not looked at the request, and left it to another connection (RFC 9113, 8.7).
        if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM)
          resolve(this.#ask(connections, asked, deadline - (performance.now() - began), isEnough));
        else if (head === undefined || stream.errored) reject(failure);
        else resolve({ ...head, bytes: received.whole() });
      });
      if (body.length > 0) stream.end(body);
    });
  }

  close(): void {
    for (const session of this.#sessions.keys()) session.destroy();
  }

  #count(session: ClientHttp2Session, change: 1 | -1): void {
    this.#sessions.set(session, (this.#sessions.get(session) ?? 0) + change);
  }

  #connected({ cert, key }: Connections['options']): ClientHttp2Session {
    for (const [known, streams] of this.#sessions) {
      const most = known.remoteSettings?.maxConcurrentStreams ?? Number.POSITIVE_INFINITY;
      if (!known.closed && streams < most) return known;
    }
    const shown = cert !== undefined && key !== undefined ? { cert, key } : {};
    const session = connectHttp2(new URL(this.target.url).origin, {
      createConnection: () => dial(this.target, { ...shown, ALPNProtocols: ['h2'] }),
    });
    // Each stream reports the error too.
    session.on('error', () => undefined);
    this.#sessions.set(session, 0);
    return session;
  }
}

/** One connection of its own, which carries all requests of its transport. */
export class OwnConnection {
  #own: Connections | undefined;

  readonly transport: Transport = (connections, asked, deadline, headersOnly) => {
    this.#own ??= connections.alone();
    return askWhole(this.#own, asked, deadline, headersOnly);
  };

  async close(): Promise<void> {
    await this.#own?.requests.destroy();
  }
}
