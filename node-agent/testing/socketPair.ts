// Makes the two sockets of a real connection over loopback.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Returns two sockets that keep a half-open connection open, like those of an HTTP server. */
export async function socketPair(): Promise<{ readonly client: Socket; readonly server: Socket }> {
  const listener = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const accepted = once(listener, 'connection');
  const client = connect({ port: (listener.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const [server] = (await accepted) as [Socket];
  listener.close();
  return { client, server };
}
