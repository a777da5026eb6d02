// Waits for a connection.
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Resolves with a socket after its event. Destroys the socket, and rejects, if an error or the signal comes first. */
export async function connected<Made extends Socket>(socket: Made, event: string, signal: AbortSignal): Promise<Made> {
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
