// HTTP requests over connections of the virtual network.
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

export interface HttpCall {
  readonly url: URL;
  readonly method?: string;
  /** Names and values in the order in which they are sent. Without a `Host`, the host of the URL is sent. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
  /** Ends the request, and the response if it is not read yet. */
  readonly signal: AbortSignal;
}

/** The port of a URL. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/**
 * Sends a request over a connection, with TLS for `https:` and any certificate. Resolves when the headers of the
 * response have arrived; the connection ends with the response. Rejects with Error, or with the reason of the signal.
 */
export function sendHttp(connection: Duplex, call: HttpCall): Promise<IncomingMessage> {
  const { url, method = 'GET', headers = [], body, signal } = call;
  const socket = url.protocol === 'https:' ? connectTls({ socket: connection, rejectUnauthorized: false }) : connection;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const all: (readonly [string, string])[] = [
    ...(names.has('host') ? [] : [['Host', url.host] as const]),
    ...headers,
    ...(body === undefined ? [] : [['Content-Length', String(body.length)] as const]),
    ['Connection', 'close'],
  ];
  return new Promise((resolve, reject) => {
    const sent = request({
      method,
      path: url.pathname + url.search,
      headers: all.flat(),
      setHost: false,
      signal,
      createConnection: () => socket as never,
    });
    sent.once('response', resolve).on('error', (error) => {
      connection.destroy();
      reject(signal.aborted ? signal.reason : error);
    });
    sent.end(body);
  });
}

/** Reads a body, up to so many bytes. A longer body is cut, and its connection ends. */
export async function readUpTo(response: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}
