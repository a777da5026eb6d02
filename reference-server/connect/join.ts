// The response of a backend as the answer of a handler, and the joining of two upgraded connections.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { type Duplex, Writable } from 'node:stream';
import type { Answer } from '../request.js';
import type { Reply } from './backend.js';
import { endToEnd } from './headers.js';

/** The time limit for the end of one connection after the other has closed, in milliseconds. */
const lingering = 1000;

/** Sends the client the upgrade response, then joins it with the backend until one of the connections closes. */
function joinUpgraded(
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
    const writes = oneByOne(to).on('error', end);
    from.on('error', end);
    from.once('close', () => leave(to, writes));
    from.pipe(writes);
  }
}

/**
 * Writes each chunk by itself. Node.js joins writes that wait for each other to one TLS record, and a client that asks
 * its socket whether there is more does not see what its TLS has already read.
 */
function oneByOne(socket: Duplex): Writable {
  return new Writable({
    write: (chunk, _, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
  });
}

/**
 * Ends a socket after its pending writes, and keeps reading: closing a socket with unread bytes would lose the writes.
 */
function leave(socket: Duplex, writes: Writable): void {
  const late = setTimeout(() => socket.destroy(), lingering);
  socket.once('close', () => clearTimeout(late));
  writes.end();
  socket.resume();
}

function switching(response: IncomingMessage): string {
  const { statusCode = 101, headers } = response;
  const fields = endToEnd(response.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const upgrade = `Connection: Upgrade\r\nUpgrade: ${headers.upgrade ?? ''}\r\n`;
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${upgrade}${fields.join('')}\r\n`;
}

/** Joins an upgraded connection with the client's. Any other response passes with its status, headers and body. */
export function answerOf(reply: Reply, signal: AbortSignal, headers = endToEnd(reply.response.rawHeaders)): Answer {
  if ('socket' in reply) {
    return { relay: (_request, client, early) => joinUpgraded(reply, client, early, signal) };
  }
  const { response } = reply;
  const { statusCode = 502, statusMessage } = response;
  const reason = statusMessage && isReason.test(statusMessage) ? { reason: statusMessage } : {};
  return { status: statusCode, ...reason, headers, stream: response };
}

/** A reason phrase (RFC 9112, 4), without characters that a status line cannot hold. */
const isReason = /^[\t\x20-\x7e\x80-\xff]+$/;
