// Joins two upgraded connections: bytes go both ways as they come, and nobody looks at them.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Reply } from './backend.js';
import { endToEnd } from './headers.js';

/** How long what is left of a connection may take to end once its other end is gone, in milliseconds. */
const lingering = 1000;

/** Tells the client that its connection is upgraded, and joins it with the other end's until either is gone. */
export function joinUpgraded(
  { response, socket, head }: Extract<Reply, { socket: unknown }>,
  client: Duplex,
  early: Uint8Array,
  signal: AbortSignal,
): void {
  client.write(switching(response), 'latin1');
  if (head.length > 0) client.write(head);
  if (early.length > 0) socket.write(early);
  const end = () => {
    client.destroy();
    socket.destroy();
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  for (const [from, to] of [
    [client, socket],
    [socket, client],
  ] as const) {
    from.on('error', end);
    from.once('close', () => leave(to));
    from.pipe(to);
  }
}

/** Writes what was read before the end, and reads on: a socket that is closed with unread bytes loses what it wrote. */
function leave(socket: Duplex): void {
  const late = setTimeout(() => socket.destroy(), lingering);
  socket.once('close', () => clearTimeout(late));
  socket.end();
  socket.resume();
}

function switching(response: IncomingMessage): string {
  const { statusCode = 101, headers } = response;
  const fields = endToEnd(response.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const upgrade = `Connection: Upgrade\r\nUpgrade: ${headers.upgrade ?? ''}\r\n`;
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${upgrade}${fields.join('')}\r\n`;
}
