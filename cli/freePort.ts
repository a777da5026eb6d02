// Finds free ports for servers that need a port number.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below the ranges that systems assign to connections and to servers without a fixed port (from 32768 on Linux,
 * from 49152 elsewhere), and below node ports, so that no other program gets the port before the server starts.
 */
const [first, end] = [10_000, 30_000];
const used = new Set<number>();

/**
 * Returns a free port on this address, a different one for each call. Rejects with the socket's error for an invalid
 * address.
 */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
    if (used.has(port) || !(await isFree(port, address))) continue;
    used.add(port);
    return port;
  }
}

function isFree(port: number, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}
