// What the client asks of undici: pools of connections, bodies read whole, and why no answer came.
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { buildConnector, type Dispatcher, errors, Pool } from 'undici';
import type { Exchange, Header, Target } from '../../matrix/requirements/index.js';

type TlsFacts = NonNullable<Exchange['tls']>;

/** Makes pools of so many connections, or of any number, to a target; `shown` is told what each handshake showed. */
export function connectionsTo(target: Target, shown: (facts: TlsFacts) => void): (connections: number | null) => Pool {
  const connect = buildConnector({ timeout: 5_000, ...tlsOptionsOf(target) });
  const connecting: typeof connect = (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      if (socket instanceof TLSSocket) shown(factsOf(socket));
      callback(...outcome);
    });
  return (connections) => new Pool(new URL(target.url).origin, { connections, connect: connecting });
}

/** What a connection to a target is made with: its authority, and the client certificate if there is one. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export function tlsOptionsOf({ ca, credentials }: Target): TlsOptions {
  const { certificate, key } = credentials.clientCertificate ?? {};
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate && key ? { cert: certificate, key } : {}),
  };
}

/** Bytes of the longest answer that is read. */
const maxAnswer = 64 * 1024 * 1024;

/** Ends an answer of which only the head matters. */
export function hangUp(body: Dispatcher.ResponseData['body']): Buffer {
  body.once('error', () => undefined).destroy();
  return Buffer.alloc(0);
}

/** Reads a body to its end. Throws where it is too long. */
export async function readWhole(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswer) throw new Error(`the answer is larger than ${maxAnswer} bytes`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
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

function factsOf(socket: TLSSocket): NonNullable<Exchange['tls']> {
  const own = socket.getCertificate();
  const subject = own !== null && 'subject' in own ? own.subject?.CN : undefined;
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    authorized: socket.authorized,
    ...(subject === undefined ? {} : { clientCertificate: String(subject) }),
  };
}
