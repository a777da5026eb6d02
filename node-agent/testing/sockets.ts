// Connections over loopback: the two sockets of one, and the socket of an upgrade.
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

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

/** Sends an upgrade request. Resolves with the text of a refusal, or with the socket of a 101. */
export function requestUpgrade(
  port: number,
  target: string,
  headers: Record<string, string | string[]>,
  method = 'POST',
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text?: string; socket?: Socket }>(
    (resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: target, method, headers });
      sent.on('error', reject);
      sent.on('upgrade', (response, socket) => resolve({ status: 101, headers: response.headers, socket }));
      sent.on('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: await text(response) });
      });
      sent.end();
    },
  );
}
