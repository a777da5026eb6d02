// Requests to upgrade: what they ask for, and the answers by which one is granted or refused.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** True where the request asks to go on in this protocol. */
export function asksFor(request: IncomingMessage, protocol: string): boolean {
  return (
    tokens(request.headers.connection).some((token) => token.toLowerCase() === 'upgrade') &&
    tokens(request.headers.upgrade).some((token) => token.toLowerCase() === protocol.toLowerCase())
  );
}

/** The protocols that a header offers, in the client's order. */
export function tokens(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

/** Answers in plain text and hangs up. */
export function refuse(socket: Duplex, status: number, text: string, headers: readonly string[] = []): void {
  const body = Buffer.from(`${text}\n`);
  const fixed = [
    'Content-Type: text/plain; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([head(status, [...headers, ...fixed]), body]));
  // what still comes is read and dropped, so that the answer is not lost to a reset
  socket.resume();
  setTimeout(() => socket.destroy(), 1000).unref();
}

/** Grants the upgrade; from here on the socket speaks the protocol. */
export function switchProtocols(socket: Duplex, protocol: string, headers: readonly string[] = []): void {
  socket.write(head(101, ['Connection: Upgrade', `Upgrade: ${protocol}`, ...headers]));
}

function head(status: number, headers: readonly string[]): Buffer {
  return Buffer.from([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', ''].join('\r\n'), 'latin1');
}
