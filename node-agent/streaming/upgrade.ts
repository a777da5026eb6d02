// Upgrades of HTTP/1.1: the request headers, and the responses that accept or refuse an upgrade.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** An upgrade request with its connection. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
}

/** Reports whether the request asks for an upgrade to this protocol. */
export function asksFor(request: IncomingMessage, protocol: string): boolean {
  return (
    tokens(request.headers.connection).some((token) => token.toLowerCase() === 'upgrade') &&
    tokens(request.headers.upgrade).some((token) => token.toLowerCase() === protocol.toLowerCase())
  );
}

/** Returns the tokens of a header, in the client's order. */
export function tokens(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

/**
 * Returns the first offered protocol that is known, undefined if the client offers none, or `refused` if none is known.
 */
export function negotiate<Protocol extends string>(
  offered: readonly string[],
  known: readonly Protocol[],
): Protocol | undefined | 'refused' {
  if (offered.length === 0) return undefined;
  return offered.map((name) => known.find((each) => each === name)).find((name) => name !== undefined) ?? 'refused';
}

/** Sends an error response in plain text and closes the connection. */
export function refuse(socket: Duplex, status: number, text: string, headers: readonly string[] = []): void {
  const body = Buffer.from(`${text}\n`);
  const fixed = [
    'Content-Type: text/plain; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([responseHead(status, [...headers, ...fixed]), body]));
  // Read and drop later bytes, because a reset of the connection could drop the response.
  socket.resume();
  setTimeout(() => socket.destroy(), 1000).unref();
}

/** Accepts the upgrade: from now on the socket uses the protocol. */
export function switchProtocols(socket: Duplex, protocol: string, headers: readonly string[] = []): void {
  socket.write(responseHead(101, ['Connection: Upgrade', `Upgrade: ${protocol}`, ...headers]));
}

function responseHead(status: number, headers: readonly string[]): Buffer {
  return Buffer.from([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', ''].join('\r\n'), 'latin1');
}
