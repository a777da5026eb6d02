// Finds free ports for servers that need a port number.
import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';

/**
 * Ports below the ranges that systems assign to connections and to servers without a fixed port (from 32768 on Linux,
 * from 49152 elsewhere), and below node ports, so that no other program gets the port before the server starts.
 */
const [first, end] = [10_000, 30_000];

/**
 * Returns a free port on this address, which is held until this process ends. Rejects with the socket's error for an
 * invalid address.
 */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
    const hold = await held(port, address);
    if (hold === undefined) continue;
    const probe = createServer().listen(port, address);
    if (await begins(probe)) {
      probe.close();
      await once(probe, 'close');
      return port;
    }
    hold.close();
  }
}

/**
 * Keeps a port from being chosen by `freePort`, in other processes too, until this process ends. Returns false if
 * another process holds it.
 */
export const holdPort = async (port: number, address = '127.0.0.1'): Promise<boolean> =>
  (await held(port, address)) !== undefined;

/**
 * Takes the UDP port of this number, which says that the TCP port is chosen: the server that listens there later does
 * not need it, and the system frees it at the end of the process.
 */
async function held(port: number, address: string): Promise<Socket | undefined> {
  const hold = createSocket(isIPv6(address) ? 'udp6' : 'udp4').unref();
  hold.bind(port, address);
  if (await begins(hold)) return hold;
  hold.close();
  return undefined;
}

/** Waits until a socket listens. Returns false if its port is in use. */
async function begins(socket: EventEmitter): Promise<boolean> {
  return once(socket, 'listening').then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return false;
    },
  );
}
