// Responses to pipelined requests, which get the connection when the earlier responses have ended.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses that wait for a connection. */
const queues = new WeakMap<Socket, Set<ServerResponse>>();

/** Ends a response that has no connection yet when the connection closes: Node.js does so only for the first one. */
export function endWithConnection(response: ServerResponse): void {
  const { socket } = response.req;
  const queue = queues.get(socket) ?? queueOf(socket);
  queue.add(response);
  response.once('close', () => queue.delete(response));
}

function queueOf(socket: Socket): Set<ServerResponse> {
  const queue = new Set<ServerResponse>();
  queues.set(socket, queue);
  socket.once('close', () => {
    for (const response of queue) {
      // The connection of a response that has got it ends the response.
      if (response.socket === null) response.destroy().emit('close');
    }
  });
  return queue;
}
