// Handshakes in turns: when many clients connect at once, the server handles requests between their handshakes.
import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/** The number of handshakes to start at once; each takes about a millisecond. */
const together = 4;

/**
 * Makes the server start the handshakes of new connections a few at a time, in order. A waiting connection keeps the
 * bytes of its client, and is dropped if it closes.
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
