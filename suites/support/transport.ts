// What the client asks of undici: pools of connections, bodies read whole, and why no answer came.
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { buildConnector, type Dispatcher, errors, Pool } from 'undici';
import type { Credential, Exchange, Header, Target } from '../../matrix/requirements/index.js';
import { dial, type Verification, verificationOf } from './route.js';

type TlsFacts = NonNullable<Exchange['tls']>;

/** What a connection to a target is made with: its authority, and a client certificate if one is shown. */
export interface TlsOptions extends Verification {
  readonly cert?: string;
  readonly key?: string;
  /** Where the URL does not say what is dialled. */
  readonly createConnection?: () => Socket;
}

/** Connections to a target that show the same client certificate, or none. */
export interface Connections {
  readonly options: TlsOptions;
  requests: Pool;
  /** A stream keeps its connection for itself, so it must not take one that a request waits for. */
  readonly streams: Pool;
  /** Leaves the pool of requests, with those that wait in it, and makes another. */
  renew(): void;
  /** What the last handshake showed; all of them are made alike. */
  tls?: TlsFacts;
}

/** The connections of one client. */
export class AllConnections {
  /** By the certificate that they show; empty for none. */
  readonly #made = new Map<string, Connections>();

  constructor(readonly target: Target) {}

  /** Those that show the certificate of the credential, or none. */
  showing(credential: Credential): Connections {
    const shown = credential.certificate ?? '';
    const connections = this.#made.get(shown) ?? connectionsTo(this.target, credential);
    this.#made.set(shown, connections);
    return connections;
  }

  /** Ends all of them; what is asked later makes new ones. */
  async close(): Promise<void> {
    const made = [...this.#made.values()];
    this.#made.clear();
    await Promise.all(made.flatMap(({ requests, streams }) => [requests.destroy(), streams.destroy()]));
  }
}

/** Milliseconds more in which an exchange that is told to end does so; one that waits for a connection does not hear it. */
const grace = 500;

/** Does something with a pool in bounded time. Throws Late where it is not done; a pool that does not let go is left. */
export async function bounded<T>(
  deadline: number,
  connections: Connections,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Late(deadline)), deadline);
  let left: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_, reject) => {
    left = setTimeout(() => {
      connections.renew();
      reject(new Late(deadline));
    }, deadline + grace);
  });
  try {
    return await Promise.race([act(ending.signal), stuck]);
  } finally {
    clearTimeout(timer);
    clearTimeout(left);
  }
}

/** Makes connections that show the certificate of the credential, if it has one. */
function connectionsTo(target: Target, { certificate, key }: Credential): Connections {
  const { url, route } = target;
  const shown = certificate !== undefined && key !== undefined ? { cert: certificate, key } : {};
  const options: TlsOptions = {
    ...verificationOf(target),
    ...shown,
    ...(route?.relay !== undefined && { createConnection: () => dial(target, shown) }),
  };
  const relay = route?.relay === undefined ? {} : { socketPath: route.relay };
  const connect = buildConnector({ timeout: 10_000, ...verificationOf(target), ...shown, ...relay });
  const connecting: typeof connect = (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      if (socket instanceof TLSSocket) made.tls = factsOf(socket);
      callback(...outcome);
    });
  const pool = (connections: number | null): Pool =>
    new Pool(new URL(url).origin, { connections, connect: connecting });
  const renew = (): void => {
    made.requests.destroy().catch(() => undefined);
    made.requests = pool(8);
  };
  const made: Connections = { options, requests: pool(8), streams: pool(null), renew };
  return made;
}

/** Bytes of the longest answer that is read, and of all answers that are being read. */
const maxAnswer = 64 * 1024 * 1024;
const maxAnswers = 2 * maxAnswer;
let beingRead = 0;

/** Ends an answer of which only the head matters. */
export function hangUp(body: Dispatcher.ResponseData['body']): Buffer {
  body.once('error', () => undefined).destroy();
  return Buffer.alloc(0);
}

/** Reads a body to its end. Throws where it is too long, or not whole after so many milliseconds. */
export async function readWhole(body: Readable, deadline?: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const late = deadline === undefined ? undefined : setTimeout(() => body.destroy(new Late(deadline)), deadline);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      beingRead += chunk.length;
      if (size > maxAnswer) throw new Error(`the answer is larger than ${maxAnswer} bytes`);
      if (beingRead > maxAnswers) throw new Error(`the answers at a time are larger than ${maxAnswers} bytes`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
    beingRead -= size;
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** The time for an answer is over. */
export class Late extends Error {
  override readonly name = 'Late';

  constructor(deadline: number) {
    super(`not complete after ${deadline} ms`);
  }
}

/** Whether no answer came because the target kept silent, and not because the connection failed. */
export function isTimeout(cause: unknown): boolean {
  return (
    [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError, Late].some(
      (kind) => cause instanceof kind,
    ) ||
    (cause instanceof DOMException && cause.name === 'TimeoutError') ||
    // that of the WebSocket has no type of its own
    (cause instanceof Error && cause.message === 'Opening handshake has timed out')
  );
}

/** Headers as lines; several of one name are joined. */
export function headerPairs(headers: Record<string, string | string[] | undefined>): Header[] {
  return Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
}

/** Why no answer came, in words. */
export function reasonOf(cause: unknown, deadline: number): string {
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError)
    return `nothing came for ${deadline} ms`;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return `not complete after ${deadline} ms`;
  const code = (cause as { code?: unknown }).code;
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
