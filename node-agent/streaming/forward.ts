// One forwarded connection: bytes in both directions between the client's data stream and a port of the pod.
import type { Duplex, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Connects to a port of the pod. Its error is sent to the client. */
export type DialPort = (port: number) => Promise<Duplex>;

export interface ForwardTiming {
  /**
   * The time limit for the rest of the client's bytes after the pod has ended its half, in milliseconds. The default is
   * 1,000, as in containerd.
   */
  readonly halfClosedTimeout?: number;
}

/**
 * Forwards a connection. Resolves when both directions have ended, or the pod's direction and then the time for the
 * other one. If the connection fails, the reason is sent on `error`.
 */
export async function forward(
  port: number,
  dial: DialPort,
  data: Duplex,
  error: Writable,
  timing: ForwardTiming,
): Promise<void> {
  try {
    await relay(await dial(port), data, () => error.end(), timing);
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
async function relay(
  connection: Duplex,
  data: Duplex,
  onResponse: () => void,
  { halfClosedTimeout = 1_000 }: ForwardTiming,
): Promise<void> {
  let fault: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  connection.on('error', (error) => {
    if (!data.destroyed) fault = error;
  });
  const down = pipeline(connection, data).then(() => {
    // Clients wait for the end of the error stream after the whole response.
    onResponse();
    // A pod that has closed its socket looks like one that has ended its half: only time tells.
    timer = setTimeout(() => connection.destroy(), halfClosedTimeout);
  });
  await Promise.allSettled([down, pipeline(data, connection)]);
  clearTimeout(timer);
  connection.destroy();
  if (fault !== undefined) throw fault;
}
