// Small servers with bad responses: each row is one kind, on a socket that has received a whole request.
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type Misbehavior = (socket: Socket, request: { readonly head: string; readonly count: number }) => void;

export interface BadServer {
  readonly url: string;
  /** The first line and the headers of each request. */
  readonly heads: readonly string[];
  close(): Promise<void>;
}

const status = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const object = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}';
const whole = `${status}content-length: ${object.length}\r\n\r\n${object}`;
const chunk = Buffer.from(`10000\r\n${'x'.repeat(65536)}\r\n`);

/** Writes without end, as fast as the client reads. */
export function pour(socket: Socket, bytes: Buffer | string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

const streamed = `${status}transfer-encoding: chunked\r\n\r\n`;
const line = '{"type":"ADDED","object":{"metadata":{"name":"x"}}}\n';
const event = `${line.length.toString(16)}\r\n${line}\r\n`;

/** Servers that never send anything useful. */
export const useless = {
  'hangs at everything': () => undefined,
  'resets connections': (socket) => socket.resetAndDestroy(),
  'closes connections': (socket) => socket.end(),
  'sends half a head': (socket) => socket.end(status.slice(0, 20)),
  'sends half a head, and then nothing': (socket) => socket.write(status.slice(0, 20)),
  'sends half a body': (socket) => socket.end(whole.slice(0, -10)),
  'sends half a body, and then nothing': (socket) => socket.write(whole.slice(0, -10)),
  'does not speak HTTP': (socket) => socket.end('+OK ready\r\n'),
  'sends an invalid Content-Length': (socket) => socket.end(`${status}content-length: many\r\n\r\n${object}`),
  'sends invalid chunks': (socket) => socket.end(`${streamed}zz\r\nnothing\r\n`),
  'sends headers without end': (socket) => {
    socket.write(status);
    pour(socket, `x-more: ${'y'.repeat(1000)}\r\n`);
  },
} as const satisfies Readonly<Record<string, Misbehavior>>;

/** Servers that use HTTP and send nothing useful. */
export const endlessResponses = {
  'responds 200 without a body': (socket) => socket.end(`${status}content-length: 0\r\n\r\n`),
  'sends more than its Content-Length': (socket) => socket.end(`${status}content-length: 5\r\n\r\n${object}`),
  'sends invalid JSON': (socket) => socket.end(`${status}content-length: 5\r\n\r\n{"a":`),
  'sends HTML': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>'),
  'responds with a number': (socket) => socket.end(`${status}content-length: 2\r\n\r\n42`),
  'nests its response without end': (socket) =>
    socket.end(`${status}content-length: 200000\r\n\r\n${'['.repeat(200_000)}`),
  'responds 500 to everything': (socket) => socket.end('HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n'),
  'responds with an unknown status': (socket) => socket.end('HTTP/1.1 799 Odd\r\ncontent-length: 0\r\n\r\n'),
} as const satisfies Readonly<Record<string, Misbehavior>>;

/** A body that does not end. */
export const gigabytes: Misbehavior = (socket) => {
  socket.write(streamed);
  pour(socket, chunk);
};

/** Watches that repeat one event for ever, send an invalid line, or send an event without end. */
export const endlessWatches = {
  events: (socket) => {
    socket.write(streamed);
    pour(socket, event.repeat(500));
  },
  garbage: gigabytes,
  'an event without end': (socket) => {
    socket.write(streamed);
    socket.write('1\r\n{\r\n');
    pour(socket, Buffer.from(`10000\r\n${'['.repeat(65536)}\r\n`));
  },
  silence: (socket) => socket.write(streamed),
} as const satisfies Readonly<Record<string, Misbehavior>>;

/** Starts a server that responds to every request in this way. */
export async function startBadServer(misbehavior: Misbehavior): Promise<BadServer> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // a client may close the connection at any time
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    let got = '';
    socket.on('data', (bytes: Buffer) => {
      got += bytes.toString('latin1');
      const end = got.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = got.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (got.length < end + 4 + length) return;
      got = got.slice(end + 4 + length);
      heads.push(head);
      misbehavior(socket, { head, count: heads.length });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
