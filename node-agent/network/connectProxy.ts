// An HTTP CONNECT proxy on a Unix socket. It connects only to virtual addresses.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, lstat, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';

/** The path of the Unix socket is unusable. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
}

/** Finds what listens on an address and port, which may be those of a service; undefined if nothing does. */
export type FindListener = (host: string, port: number) => Promise<((connection: Duplex) => void) | undefined>;

/**
 * Listens on the socket, which only its owner can use, and replaces a stale socket file. Resolves with a function that
 * closes the proxy and all its connections. Rejects with EgressError.
 */
export async function startConnectProxy(path: string, find: FindListener): Promise<() => Promise<void>> {
  await clearStale(path);
  const open = new Set<Duplex>();
  const server = createServer((_, response) => {
    response.writeHead(405, { 'content-type': 'text/plain; charset=utf-8' }).end('only CONNECT is served here\n');
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('connect', async (request, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(request.url ?? '') ?? [];
    const accept = await find(host, Number(port));
    if (accept === undefined) {
      const text = `nobody listens on ${host}:${port}\n`;
      socket.end(`HTTP/1.1 502 Bad Gateway\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    accept(socket);
  });
  server.listen(path);
  try {
    await once(server, 'listening');
    await chmod(path, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EgressError(
      existsSync(dirname(path)) ? `cannot listen on ${path}: ${code}` : `${dirname(path)} is not there: make it first`,
    );
  }
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
}

async function clearStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new EgressError(`${path} is there already, and is not a socket`);
  const probe = connect(path);
  const alive = await once(probe, 'connect').then(
    () => true,
    () => false,
  );
  probe.destroy();
  if (alive) throw new EgressError(`another process listens on ${path}`);
  await rm(path, { force: true });
}
