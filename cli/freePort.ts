// Finds ports for servers that have to be told theirs.
import { createServer } from 'node:net';

/** A port that was free on this address a moment ago. Rejects with the socket's error for a strange address. */
export function freePort(address = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, address, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}
