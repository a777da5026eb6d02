// Handles the requests of a connection one after the other, as real servers do: pipelined requests for large objects would
// otherwise have all their responses in memory at once.
import type { Socket } from 'node:net';
import type { Middleware } from './locals.js';

/** The most requests that wait for their turn before the connection is read no further. */
const mostWaiting = 32;

/** The number of waiting requests of a connection. */
const waiting = new WeakMap<Socket, number>();
/** The connections that are not read because of it. Node.js has reasons of its own for others. */
const paused = new WeakSet<Socket>();

/**
 * Lets a pipelined request wait until the responses before its own have ended: then its response gets the connection. It
 * is never handled if the connection closes before.
 */
export const oneByOne: Middleware = ({ socket }, response, next) => {
  if (response.socket !== null) return next();
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  if (count === mostWaiting) {
    paused.add(socket);
    socket.pause();
  }
  response.once('socket', () => {
    const left = (waiting.get(socket) ?? 1) - 1;
    waiting.set(socket, left);
    if (left === 0 && paused.delete(socket)) socket.resume();
    // Requests of other connections come between two of them.
    setImmediate(next);
  });
};
