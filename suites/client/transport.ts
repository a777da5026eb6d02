// The connections of the client: pools, bodies that are read whole, and the reasons of failures.
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { constants, createGunzip } from 'node:zlib';
import { buildConnector, errors, Pool } from 'undici';
import { defined } from '../../matrix/api/index.js';
import type { Credential, Exchange, Header, Target } from '../requirements/index.js';
import { dial, type Verification, verificationOf } from './route.js';
import { afterRunning } from './runningTime.js';

type TlsFacts = NonNullable<Exchange['tls']>;

/** The options of a connection to a target: its authority, and a client certificate if there is one. */
export interface TlsOptions extends Verification {
  readonly cert?: string;
  readonly key?: string;
  /** Set if the connection does not go to the address in the URL. */
  readonly createConnection?: () => Socket;
}

/** Connections to a target that present the same client certificate, or none. */
export interface Connections {
  readonly options: TlsOptions;
  requests: Pool;
  /** Streams have a pool of their own, because a stream holds its connection and requests would wait for it. */
  readonly streams: Pool;
  /** Abandons the pool of requests, with the requests that wait in it, and makes a new pool. */
  renew(): void;
  /** Returns the same connections with one new connection for requests, which the caller destroys. */
  alone(): Connections;
  /** Facts about the last TLS handshake. All handshakes of a pool are alike. */
  tls?: TlsFacts;
}

export class AllConnections {
  /** By the certificate that the connections present; empty for none. */
  readonly #made = new Map<string, Connections>();

  constructor(readonly target: Target) {}

  /** Returns the connections that present the certificate of the credential, or none. */
  showing(credential: Credential): Connections {
    const shown = credential.certificate ?? '';
    const connections = this.#made.get(shown) ?? connectionsTo(this.target, credential);
    this.#made.set(shown, connections);
    return connections;
  }

  /** Closes all connections. Later calls of `showing` make new ones. */
  async close(): Promise<void> {
    const made = [...this.#made.values()];
    this.#made.clear();
    await Promise.all(made.flatMap(({ requests, streams }) => [requests.destroy(), streams.destroy()]));
  }
}

/** Milliseconds that an aborted exchange has to end. An exchange that waits for a connection ignores the abort. */
export const abortGrace = 500;

/**
 * Runs `act` on a pool within a deadline. Throws Late if `act` is not done in time, and abandons a pool that does not
 * abort the exchange.
 */
export async function withinDeadline<T>(
  deadline: number,
  connections: Connections,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const cancelEnd = afterRunning(deadline, () => ending.abort(new Late(deadline)));
  let cancelLeft = (): void => undefined;
  const stuck = new Promise<never>((_, reject) => {
    cancelLeft = afterRunning(deadline + abortGrace, () => {
      connections.renew();
      reject(new Late(deadline));
    });
  });
  try {
    return await Promise.race([act(ending.signal), stuck]);
  } finally {
    cancelEnd();
    cancelLeft();
  }
}

function connectionsTo(target: Target, { certificate, key }: Credential): Connections {
  const { url, route } = target;
  const shown = certificate !== undefined && key !== undefined ? { cert: certificate, key } : {};
  const options: TlsOptions = {
    ...verificationOf(target),
    ...shown,
    ...(route?.relay !== undefined && { createConnection: () => dial(target, shown) }),
  };
  const relay = route?.relay === undefined ? {} : { socketPath: route.relay };
  const verification = verificationOf(target);
  const isPlain = url.startsWith('http:');
  let connect: buildConnector.connector | undefined;
  const connecting: buildConnector.connector = (options, callback) => {
    // Made once: each watch has a connection of its own, and a context of its own would read the authority again.
    connect ??= buildConnector({
      ...{ timeout: 10_000, ...verification, ...shown, ...relay },
      ...(!isPlain && { secureContext: createSecureContext({ ...defined({ ca: verification.ca }), ...shown }) }),
    });
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      if (socket instanceof TLSSocket) made.tls = factsOf(socket);
      callback(...outcome);
    });
  };
  const pool = (connections: number | null): Pool =>
    new Pool(new URL(url).origin, { connections, connect: connecting });
  const renew = (): void => {
    made.requests.destroy().catch(() => undefined);
    made.requests = pool(8);
  };
  const alone = (): Connections => {
    const renewAlone = (): void => {
      one.requests.destroy().catch(() => undefined);
      one.requests = pool(1);
    };
    const one: Connections = { ...made, requests: pool(1), renew: renewAlone };
    return one;
  };
  const made: Connections = { options, requests: pool(8), streams: pool(null), renew, alone };
  return made;
}

/** The maximum size of one response, and of all responses that are being read, in bytes. */
const maxAnswer = 64 * 1024 * 1024;
const maxAnswers = 2 * maxAnswer;
let beingRead = 0;

/** Returns the body of a stream without its compression. What the server has flushed can be read at once. */
export function plainBody(headers: Readonly<Record<string, unknown>>, body: Readable): Readable {
  if (headers['content-encoding'] !== 'gzip') return body;
  // Either end closes the other, and the stream sees the errors of both.
  return pipeline(body, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), () => undefined);
}

/** Reads a whole body. Throws if the body is too long, or incomplete after `deadline` milliseconds. */
export async function readWhole(body: Readable, deadline?: number): Promise<Buffer> {
  const received = new Received();
  const cancel = deadline === undefined ? undefined : afterRunning(deadline, () => body.destroy(new Late(deadline)));
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) received.push(chunk);
  } finally {
    cancel?.();
    received.release();
  }
  return received.whole();
}

/** The bytes of a response that is being read. */
export class Received {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** Adds bytes. Throws if the response, or all responses that are being read, are too long. */
  push(chunk: Buffer): void {
    this.#size += chunk.length;
    beingRead += chunk.length;
    if (this.#size > maxAnswer) throw new TooLarge(`the answer is larger than ${maxAnswer} bytes`);
    if (beingRead > maxAnswers) throw new TooLarge(`the answers at a time are larger than ${maxAnswers} bytes`);
    this.#chunks.push(chunk);
  }

  get size(): number {
    return this.#size;
  }

  whole(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
  }

  /** Ends the reading: the bytes no longer count as being read. */
  release(): void {
    beingRead -= this.#size;
    this.#size = 0;
  }
}

/** The client stopped reading a response. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** The deadline of a response has passed. */
export class Late extends Error {
  override readonly name = 'Late';

  constructor(deadline: number, message = `not complete after ${deadline} ms`) {
    super(message);
  }
}

/** Reports whether no response arrived because of a timeout, and not because the connection failed. */
export function isTimeout(cause: unknown): boolean {
  return (
    [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError, Late].some(
      (kind) => cause instanceof kind,
    ) ||
    (cause instanceof DOMException && cause.name === 'TimeoutError') ||
    // the timeout of a WebSocket handshake has no error type of its own
    (cause instanceof Error && cause.message === 'Opening handshake has timed out')
  );
}

/** Returns headers as pairs; several headers of one name are joined. */
export function headerPairs(headers: Record<string, string | string[] | undefined>): Header[] {
  return Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
}

/** Returns the reason why no response arrived, in words. */
export function reasonOf(cause: unknown, deadline: number): string {
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError)
    return `nothing came for ${deadline} ms`;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return `not complete after ${deadline} ms`;
  const code = (cause as { code?: unknown }).code;
  if (code === 'UND_ERR_SOCKET') return 'the server closed the connection';
  const message = cause instanceof Error ? cause.message : String(cause);
  return typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message;
}

function factsOf(socket: TLSSocket): TlsFacts {
  const own = socket.getCertificate();
  const subject = own !== null && 'subject' in own ? own.subject?.CN : undefined;
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    authorized: socket.authorized,
    ...(subject === undefined ? {} : { clientCertificate: String(subject) }),
  };
}
