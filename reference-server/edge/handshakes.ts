// Handshakes in turns: what many clients that connect at once cost is not paid in one piece, while requests wait.
import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/** How many handshakes begin before other connections are served again; each takes about a millisecond. */
const together = 4;

/**
 * Has the server begin the handshakes of new connections a few at a time, in their order. A connection that waits holds
 * up no other: what its client sends meanwhile is kept, and one that is gone is left out.
 */
export function beginInTurns(server: Server): void {
  const listeners = server.listeners('connection');
  const waiting: Socket[] = [];
  const begin = (): void => {
    for (const socket of waiting.splice(0, together)) {
      socket.off('error', ignore);
      if (!socket.destroyed) for (const listener of listeners) listener.call(server, socket);
    }
    if (waiting.length > 0) setImmediate(begin);
  };
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    waiting.push(socket.on('error', ignore));
    if (waiting.length === 1) setImmediate(begin);
  });
}

const ignore = (): void => {};
