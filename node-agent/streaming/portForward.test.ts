// Tests port forwarding over SPDY and WebSockets, with clients that send plain frames.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createWebSocketStream, WebSocket } from 'ws';
import { type StreamServer, startStreamServer } from '../testing/streamServer.js';
import { SpdySession } from './spdy/session.js';
import type { SpdyStream } from './spdy/stream.js';

let dialled: Socket[] = [];
let echo: Server;
/** A server that closes a connection at the word `quit`, and one that first writes and ends, and then reads. */
let quitting: Server;
let halfClosing: Server;
let heard = '';
let server: StreamServer;
beforeAll(async () => {
  echo = createServer({ allowHalfOpen: true }, (socket) => void pipeline(socket, socket).catch(() => {}));
  quitting = createServer((socket) => {
    socket.on('data', (bytes) => (String(bytes) === 'quit' ? socket.end('bye') : socket.write(bytes)));
    socket.on('error', () => {});
  });
  halfClosing = createServer({ allowHalfOpen: true }, (socket) => {
    socket.end('bye');
    socket.on('data', (bytes) => {
      heard += bytes;
    });
    socket.on('error', () => {});
  });
  for (const listener of [echo, quitting, halfClosing]) {
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  }
  server = await startStreamServer({ dial });
});
beforeEach(() => {
  dialled = [];
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const listener of [echo, quitting, halfClosing]) listener.close();
});

/**
 * Connects to an echo server on ports below 900, to the closing servers on 900 to 902. Port 1000 fails at the first
 * byte; other ports refuse connections.
 */
async function dial(port: number): Promise<Socket> {
  if (port > 1000) throw new Error(`connect to ${port}: refused`);
  const listener = port === 902 ? halfClosing : port === 900 || port === 901 ? quitting : echo;
  const { port: local } = listener.address() as { port: number };
  const socket = connect({ port: local, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  if (port === 1000) socket.once('data', () => socket.destroy(new Error('broken off')));
  dialled.push(socket);
  return socket;
}

function openSpdy(port = server.port): Promise<SpdySession> {
  const headers = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'portforward.k8s.io' };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/portforward', method: 'POST', headers });
    sent.on('error', reject);
    sent.on('upgrade', (_response, socket) => resolve(new SpdySession(socket, { role: 'client' })));
    sent.end();
  });
}

async function openTunnel(): Promise<SpdySession> {
  // `ws` rejects a subprotocol with a slash, in the request and in the response.
  const name = 'SPDY/3.1+portforward.k8s.io';
  const webSocket = new WebSocket(`ws://127.0.0.1:${server.port}/portforward`, {
    headers: { 'Sec-WebSocket-Protocol': name },
  });
  webSocket.once('upgrade', ({ headers }) => {
    expect(headers['sec-websocket-protocol']).toBe(name);
    delete headers['sec-websocket-protocol'];
  });
  await once(webSocket, 'open');
  return new SpdySession(createWebSocketStream(webSocket), { role: 'client' });
}

function openPair(session: SpdySession, port: number | string, id?: string) {
  const common: [string, string][] = [
    ['port', String(port)],
    ...(id === undefined ? [] : [['requestid', id] as [string, string]]),
  ];
  const error = session.open(new Map([['streamtype', 'error'], ...common]));
  error.end();
  return { error, data: session.open(new Map([['streamtype', 'data'], ...common])) };
}

describe.each([
  ['SPDY', openSpdy],
  ['SPDY inside of a WebSocket', openTunnel],
])('over %s', (_, open) => {
  it('concurrent connections carry bytes in both directions', async () => {
    const session = await open();
    const inputs = ['', 'hello', 'x'.repeat(2_000_000)];
    const outputs = inputs.map(async (input, index) => {
      const { data, error } = openPair(session, 80 + index, String(index));
      data.end(input);
      return [(await text(data)) === input, await text(error)];
    });
    expect(await Promise.all(outputs)).toEqual(inputs.map(() => [true, '']));
    await session.close();
    await server.served.at(-1);
    expect(dialled.every((socket) => socket.destroyed)).toBe(true);
  });

  it('a refused connection is reported on the error stream, and others continue', async () => {
    const session = await open();
    const [bad, good] = [openPair(session, 1001, '0'), openPair(session, 80, '1')];
    good.data.end('hello');
    expect(await text(bad.error)).toBe('error forwarding port 1001: connect to 1001: refused');
    expect(await text(bad.data)).toBe('');
    expect(await text(good.data)).toBe('hello');
    await session.close();
  });

  it('a connection that the pod closes ends alone', async () => {
    const session = await open();
    const [closing, other] = [openPair(session, 900, '0'), openPair(session, 80, '1')];
    closing.data.write('quit');
    expect([await text(closing.data), await text(closing.error)]).toEqual(['bye', '']);
    await expect.poll(() => dialled.map((socket) => socket.destroyed)).toEqual([true, false]);
    other.data.end('hello');
    expect(await text(other.data)).toBe('hello');
    await session.close();
  });

  it('the connections of a lost client are closed', async () => {
    const session = await open();
    const { data } = openPair(session, 80, '0');
    data.write('hello');
    await once(data, 'data');
    void session.close();
    await server.served.at(-1);
    expect(dialled[0]?.destroyed).toBe(true);
  });
});

describe('over SPDY', () => {
  it('a pair without an id is known by the ids of its streams', async () => {
    const session = await openSpdy();
    const { data, error } = openPair(session, 80);
    data.end('hello');
    expect([await text(data), await text(error)]).toEqual(['hello', '']);
    await session.close();
  });

  it('a broken connection is reported on the error stream', async () => {
    const session = await openSpdy();
    const { data, error } = openPair(session, 1000, '0');
    data.write('hello');
    expect(await text(error)).toBe('error forwarding port 1000: broken off');
    await session.close();
  });

  it('the reset of a stream closes its connection, and no other', async () => {
    const session = await openSpdy();
    const [one, other] = [openPair(session, 80, '0'), openPair(session, 81, '1')];
    for (const { data } of [one, other]) {
      data.write('hello');
      await once(data, 'data');
    }
    one.data.destroy();
    await expect.poll(() => dialled.map((socket) => socket.destroyed)).toEqual([true, false]);
    await session.close();
  });

  it.each([
    ['without a port', { streamtype: 'data' }],
    ['with port 0', { streamtype: 'data', port: '0' }],
    ['with a port beyond the last', { streamtype: 'data', port: '65536' }],
    ['with a port that is not a number', { streamtype: 'data', port: '80x' }],
    ['without a type', { port: '80' }],
    ['of another type', { streamtype: 'stdin', port: '80' }],
  ])('a stream %s is refused', async (_, headers) => {
    const session = await openSpdy();
    const stream: SpdyStream = session.open(new Map(Object.entries(headers)));
    await expect.poll(() => stream.errored?.message).toBe('the peer reset the stream');
    await session.close();
  });

  it('a pair with one stream times out, and the client gets an error', async () => {
    await using impatient = await startStreamServer({ dial, streamCreationTimeout: 20 });
    const session = await openSpdy(impatient.port);
    const error = session.open(
      new Map([
        ['streamtype', 'error'],
        ['port', '80'],
        ['requestid', '4'],
      ]),
    );
    expect(await text(error)).toContain('(request=4) timed out waiting for streams');
    await session.close();
  });
});

async function openChannels(ports: readonly number[], protocol: string | undefined, serverPort = server.port) {
  const query = ports.map((port) => `port=${port}`).join('&');
  const webSocket = new WebSocket(
    `ws://127.0.0.1:${serverPort}/portforward?${query}`,
    protocol === undefined ? [] : [protocol],
  );
  const isText = protocol?.includes('base64') === true;
  const received = new Map<number, Buffer>();
  webSocket.on('message', (message: Buffer) => {
    const channel = (message[0] ?? 0) - (isText ? 0x30 : 0);
    const content = isText ? Buffer.from(message.toString('latin1', 1), 'base64') : message.subarray(1);
    received.set(channel, Buffer.concat([received.get(channel) ?? Buffer.alloc(0), content]));
  });
  await once(webSocket, 'open');
  const send = (channel: number, bytes: string) => {
    if (isText) webSocket.send(String.fromCharCode(0x30 + channel) + Buffer.from(bytes).toString('base64'));
    else webSocket.send(Buffer.concat([Buffer.of(channel), Buffer.from(bytes)]));
  };
  const on = (channel: number) => received.get(channel)?.toString('latin1') ?? '';
  return { webSocket, send, on };
}

describe.each(['v4.channel.k8s.io', 'v4.base64.channel.k8s.io', undefined])('over channels of %s', (protocol) => {
  it('both channels of a port start with its number, little endian', async () => {
    const { webSocket, send, on } = await openChannels([80, 258, 1001], protocol);
    send(0, 'to the first');
    send(2, 'to the second');
    await expect.poll(() => [on(0), on(1)]).toEqual(['\x50\x00to the first', '\x50\x00']);
    await expect.poll(() => [on(2), on(3)]).toEqual(['\x02\x01to the second', '\x02\x01']);
    const refusal = '\xe9\x03error forwarding port 1001: connect to 1001: refused';
    await expect.poll(() => [on(4), on(5)]).toEqual(['\xe9\x03', refusal]);
    webSocket.close();
    await server.served.at(-1);
    expect(dialled.every((socket) => socket.destroyed)).toBe(true);
  });

  it('the connection ends when the pod has closed all ports, and not before', async () => {
    const { webSocket, send, on } = await openChannels([900, 901], protocol);
    const closed = once(webSocket, 'close');
    send(0, 'quit');
    await expect.poll(() => on(0)).toBe('\x84\x03bye');
    await expect.poll(() => dialled.map((socket) => socket.destroyed)).toEqual([true, false]);
    send(2, 'hello');
    await expect.poll(() => on(2)).toBe('\x85\x03hello');
    send(2, 'quit');
    expect((await closed)[0]).toBe(1000);
    expect([on(1), on(2), on(3)]).toEqual(['\x84\x03', '\x85\x03hellobye', '\x85\x03']);
    await server.served.at(-1);
  });

  it('a pod that has ended its half still reads for a while', async () => {
    await using patient = await startStreamServer({ dial, halfClosedTimeout: inject('deadline') });
    const { webSocket, send, on } = await openChannels([902], protocol, patient.port);
    await expect.poll(() => on(0)).toBe('\x86\x03bye');
    heard = '';
    send(0, 'late');
    await expect.poll(() => heard).toBe('late');
    webSocket.close();
    await patient.served.at(-1);
  });

  it('a pod that has ended its half is closed after that time', async () => {
    await using impatient = await startStreamServer({ dial, halfClosedTimeout: 20 });
    const { webSocket } = await openChannels([902], protocol, impatient.port);
    expect((await once(webSocket, 'close'))[0]).toBe(1000);
    expect(dialled[0]?.destroyed).toBe(true);
  });

  it('the connection ends with the last of its ports', async () => {
    const { webSocket } = await openChannels([1001], protocol);
    await once(webSocket, 'close');
    await server.served.at(-1);
  });
});

it.each([
  ['without a port', '', 'v4.channel.k8s.io', 400],
  ['with more ports than channels', `?${'port=80&'.repeat(128)}`, 'v4.channel.k8s.io', 400],
  ['with an unknown subprotocol', '?port=80', 'chat', 403],
])('a WebSocket %s is refused', async (_, query, protocol, status) => {
  const webSocket = new WebSocket(`ws://127.0.0.1:${server.port}/portforward${query}`, [protocol]);
  const [, response] = await once(webSocket, 'unexpected-response');
  expect(response.statusCode).toBe(status);
  await buffer(response);
});
