// One forwarded connection: bytes both ways between the client's data stream and a port of the pod.
import type { Duplex, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Reaches a port of the pod; its error is told to the client. */
export type DialPort = (port: number) => Promise<Duplex>;

/** Resolves when both directions are over. A port that cannot be reached, or that breaks off, is told on `error`. */
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

/** Each direction ends for itself, as between sockets. Rejects where the port broke off, not where the client did. */
async function relay(connection: Duplex, data: Duplex, answered: () => void): Promise<void> {
  let fault: Error | undefined;
  connection.on('error', (error) => {
    if (!data.destroyed) fault = error;
  });
  // clients wait for the end of the error stream as soon as the port has said everything
  const down = pipeline(connection, data).then(answered);
  await Promise.allSettled([down, pipeline(data, connection)]);
  connection.destroy();
  if (fault !== undefined) throw fault;
}
