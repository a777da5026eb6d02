// Bytes that no server should send: each row is one kind, on a socket that waits for a reply.
import type { Duplex } from 'node:stream';
import type { Random } from '../../objects/random.js';

type Way = (socket: Duplex, random: Random) => void;

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const object = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}';
const event =
  '{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1"}}}\n';
const statuses = [
  100, 101, 103, 200, 201, 204, 206, 301, 302, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503, 599, 999,
];

/** Writes without end, as fast as the client reads. */
function pour(socket: Duplex, bytes: Buffer | string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.writable && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

/** Writes a byte per interval. */
function drip(socket: Duplex, text: string, milliseconds: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) return clearInterval(timer);
    socket.write(text[at]);
    at += 1;
  }, milliseconds);
  socket.once('close', () => clearInterval(timer));
}

const end = (socket: Duplex, text: string | Buffer): void => void socket.end(text);

export const rawAnswers = {
  'does not respond': () => undefined,
  'closes the connection': (socket) => end(socket, ''),
  'resets the connection': (socket) =>
    'resetAndDestroy' in socket ? (socket as Duplex & { resetAndDestroy(): void }).resetAndDestroy() : socket.destroy(),
  'sends half a head': (socket) => end(socket, ok.slice(0, 20)),
  'sends half a head, and waits': (socket) => void socket.write(ok.slice(0, 30)),
  'sends a head, and waits': (socket) => void socket.write(`${ok}content-length: 100\r\n\r\n`),
  'sends half a body': (socket) => end(socket, `${ok}content-length: 500\r\n\r\n${object}`),
  'sends more than its Content-Length': (socket) => void socket.write(`${ok}content-length: 5\r\n\r\n${object}`),
  'sends an invalid length': (socket, random) =>
    end(
      socket,
      `${ok}content-length: ${random.of(['-1', 'many', '1e9', '0x10', '99999999999999999999'])}\r\n\r\n${object}`,
    ),
  'sends two lengths': (socket) => end(socket, `${ok}content-length: 5\r\ncontent-length: 6\r\n\r\n${object}`),
  'sends its head slowly': (socket) => drip(socket, `${ok}content-length: ${object.length}\r\n\r\n${object}`, 40),
  'sends its body slowly': (socket) => {
    socket.write(`${ok}content-length: ${object.length}\r\n\r\n`);
    drip(socket, object, 100);
  },
  'sends a huge header': (socket) => end(socket, `${ok}x-huge: ${'y'.repeat(2_000_000)}\r\n\r\n`),
  'sends headers without end': (socket) => {
    socket.write(ok);
    pour(socket, `x-more: ${'y'.repeat(1_000)}\r\n`);
  },
  'sends invalid headers': (socket, random) =>
    end(socket, Buffer.concat([Buffer.from(ok), random.bytes(60), Buffer.from(`\r\n\r\n${object}`)])),
  'sends invalid chunks': (socket) => end(socket, `${chunked}zz\r\n${object}\r\n0\r\n\r\n`),
  'sends a chunk, and waits': (socket) => void socket.write(`${chunked}${object.length.toString(16)}\r\n${object}\r\n`),
  'sends chunks without end': (socket) => {
    socket.write(chunked);
    pour(socket, `1000\r\n${'x'.repeat(4096)}\r\n`);
  },
  'sends events without end': (socket) => {
    socket.write(chunked);
    pour(socket, `${event.length.toString(16)}\r\n${event}\r\n`);
  },
  'does not speak HTTP': (socket) => end(socket, '+OK ready\r\n'),
  'sends garbage': (socket, random) => end(socket, random.bytes(1 + random.below(2_000))),
  'sends garbage as JSON': (socket, random) => {
    const body = random.bytes(random.below(2_000));
    end(socket, Buffer.concat([Buffer.from(`${ok}content-length: ${body.length}\r\n\r\n`), body]));
  },
  'claims a compression that it does not use': (socket, random) =>
    end(socket, `${ok}content-encoding: ${random.of(['gzip', 'br', 'deflate'])}\r\ncontent-length: 4\r\n\r\nabcd`),
  'responds twice': (socket) => {
    const whole = `${ok}content-length: ${object.length}\r\n\r\n${object}`;
    socket.write(whole + whole);
  },
  'responds with any status': (socket, random) => {
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', message: 'a\nb', code: 'x' });
    const more = random.of([
      '',
      'retry-after: 1\r\n',
      'retry-after: -5\r\n',
      'location: http://[::1\r\n',
      'location: /\r\n',
    ]);
    const status = `HTTP/1.1 ${random.of(statuses)} ${random.of(['OK', '', 'ä'])}`;
    end(socket, `${status}\r\ncontent-type: application/json\r\n${more}content-length: ${body.length}\r\n\r\n${body}`);
  },
  'sends 100 Continue without end': (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'nests without end': (socket) => end(socket, `${ok}content-length: 300000\r\n\r\n${'[{"a":'.repeat(50_000)}`),
  'ends its half of the connection': (socket) => {
    socket.write(`${ok}connection: keep-alive\r\ncontent-length: ${object.length}\r\n\r\n${object}`);
    socket.end();
  },
  'sends invalid protobuf': (socket, random) => {
    const body = Buffer.concat([Buffer.from('k8s\0'), random.bytes(300)]);
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/vnd.kubernetes.protobuf\r\ncontent-length: ${body.length}\r\n\r\n`;
    end(socket, Buffer.concat([Buffer.from(head), body]));
  },
} as const satisfies Readonly<Record<string, Way>>;

const upgraded = (protocol: string, more = ''): string =>
  `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${protocol}\r\n${more}\r\n`;

export const upgradeAnswers = {
  'does not respond to an upgrade': () => undefined,
  'closes on an upgrade': (socket) => end(socket, ''),
  'upgrades to WebSocket without a key': (socket) => void socket.write(upgraded('websocket')),
  'upgrades to WebSocket with a wrong key': (socket) =>
    void socket.write(upgraded('websocket', 'sec-websocket-accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n')),
  'upgrades to SPDY and waits': (socket) => void socket.write(upgraded('SPDY/3.1')),
  'upgrades to SPDY and sends garbage': (socket, random) => {
    socket.write(upgraded('SPDY/3.1', 'x-stream-protocol-version: v4.channel.k8s.io\r\n'));
    socket.write(random.bytes(500));
  },
  'upgrades to SPDY and sends bytes without end': (socket) => {
    socket.write(upgraded('SPDY/3.1', 'x-stream-protocol-version: v4.channel.k8s.io\r\n'));
    pour(socket, Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0x10, 0]), Buffer.alloc(0x1000, 0x78)]));
  },
  'upgrades to an unknown protocol': (socket) => void socket.write(upgraded('something')),
  'refuses an upgrade with an endless response': (socket) =>
    void socket.write('HTTP/1.1 403 No\r\ncontent-length: 100\r\n\r\nno'),
  'responds to an upgrade with a stream': (socket) => {
    socket.write(chunked);
    pour(socket, `${event.length.toString(16)}\r\n${event}\r\n`);
  },
  'responds to an upgrade with garbage': (socket, random) => end(socket, random.bytes(200)),
} as const satisfies Readonly<Record<string, Way>>;

/** The first bytes of a connection, instead of TLS or of a request. */
export const wrongRecords = {
  'never begins': () => undefined,
  'ends a connection at once': (socket) => end(socket, ''),
  'begins with garbage': (socket, random) => end(socket, random.bytes(100)),
  'begins with an alert': (socket) => end(socket, Buffer.from([21, 3, 3, 0, 2, 2, 40])),
  'begins with a record without end': (socket) => void socket.write(Buffer.from([22, 3, 3, 0x40, 0, 2, 0])),
  'begins with a record of an unknown type': (socket) =>
    void socket.write(Buffer.from([99, 9, 9, 0xff, 0xff, 1, 2, 3])),
} as const satisfies Readonly<Record<string, Way>>;
