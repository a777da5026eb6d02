// One forwarded connection: bytes in both directions between the client's data stream and a port of the pod.
import type { Duplex, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Connects to a port of the pod. Its error is sent to the client. */
export type DialPort = (port: number) => Promise<Duplex>;

/**
 * Forwards a connection. Resolves when both directions have ended. If the connection fails, the reason is sent on
 * `error`.
 */
export async function forward(port: number, dial: DialPort, data: Duplex, error: Writable): Promise<void> {
  try {
    await relay(await dial(port), data, () => error.end());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (!error.writableEnded) error.end(`error forwarding port ${port}: ${reason}`);
  } finally {
    if (!data.writableEnded) data.end();
    if (!error.writableEnded) error.end();
  }
}

/**
 * Ends each direction separately, as sockets do. Rejects if the pod's connection fails, but not if the client's does.
 */
async function relay(connection: Duplex, data: Duplex, onResponse: () => void): Promise<void> {
  let fault: Error | undefined;
  connection.on('error', (error) => {
    if (!data.destroyed) fault = error;
  });
  // Clients wait for the end of the error stream after the whole response.
  const down = pipeline(connection, data).then(onResponse);
  await Promise.allSettled([down, pipeline(data, connection)]);
  connection.destroy();
  if (fault !== undefined) throw fault;
}
