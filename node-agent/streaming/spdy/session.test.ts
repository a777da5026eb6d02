// Tests SPDY sessions: streams, windows, resets, and clients that violate the protocol.
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { socketPair } from '../../testing/sockets.js';
import { encodeFrame, type Frame, FrameDecoder } from './frame.js';
import { HeaderCompressor } from './headerBlock.js';
import { SpdySession } from './session.js';
import type { SpdyStream } from './stream.js';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function pair() {
  const { client, server } = await socketPair();
  sockets.push(client, server);
  return { client, server };
}

/** Returns a client session and a server session. `accept` belongs to the server. */
async function sessions(accept: (stream: SpdyStream) => boolean) {
  const { client, server } = await pair();
  return {
    client: new SpdySession(client, { role: 'client' }),
    server: new SpdySession(server, { role: 'server', accept }),
    transport: client,
  };
}

/**
 * Returns a session and a client of plain bytes: `send` writes frames, and `receive` reads frames up to one of a kind.
 */
async function bare(accept: (stream: SpdyStream) => boolean) {
  const { client, server } = await pair();
  const session = new SpdySession(server, { role: 'server', accept });
  const compressor = new HeaderCompressor();
  const decoder = new FrameDecoder();
  const received: Frame[] = [];
  client.on('data', (bytes: Buffer) => received.push(...decoder.decode(bytes)));
  const receive = async (type: Frame['type']) => {
    await expect.poll(() => received.some((frame) => frame.type === type)).toBe(true);
    return received.find((frame) => frame.type === type);
  };
  const send = (frame: Frame) => client.write(encodeFrame(frame, compressor));
  return { session, client, server, send, receive, received };
}

const open = (streamId: number): Frame => ({
  type: 'synStream',
  streamId,
  fin: false,
  unidirectional: false,
  headers: new Map([['streamtype', 'data']]),
});
const data = (streamId: number, bytes: Buffer | string, fin = false): Frame => ({
  type: 'data',
  streamId,
  fin,
  data: Buffer.from(bytes),
});
const echo = (stream: SpdyStream) => {
  void pipeline(stream, stream).catch(() => {});
  return true;
};

it('carries streams in both directions at once, each with its own end', async () => {
  const { client, server } = await sessions(echo);
  const inputs = [Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(1_000_000, 'abc'), Buffer.alloc(3_000_000, 'xy')];
  const outputs = inputs.map((input) => {
    const stream = client.open(new Map([['streamtype', 'data']]));
    stream.end(input);
    return buffer(stream);
  });
  for (const [index, output] of (await Promise.all(outputs)).entries())
    expect(output.equals(inputs[index] as Buffer)).toBe(true);
  await Promise.all([client.close(), server.close()]);
});

it('passes the headers to `accept`, and sends the reply first', async () => {
  const seen: unknown[] = [];
  const { send, receive, received } = await bare((stream) => {
    seen.push(stream.id, stream.headers.get('streamtype'));
    stream.write('hello');
    return true;
  });
  send(open(1));
  await receive('data');
  expect(seen).toEqual([1, 'data']);
  expect(received.map(({ type }) => type)).toEqual(['synReply', 'data']);
});

it('refuses a stream if `accept` does, and goes on', async () => {
  const { send, receive, received } = await bare((stream) => stream.id !== 1 && echo(stream));
  send(open(1));
  send(data(1, 'was on its way'));
  send(open(3));
  send(data(3, 'hello'));
  expect(await receive('data')).toEqual(data(3, 'hello'));
  expect(received).toContainEqual({ type: 'rstStream', streamId: 1, status: 3 });
});

it.each([
  ['answers a ping of the client', 7, true],
  ['does not answer what answers a ping of its own', 8, false],
])('%s', async (_, id, isAnswered) => {
  const { send, receive, received } = await bare(echo);
  send({ type: 'ping', id });
  send(open(1));
  await receive('synReply');
  expect(received.filter((frame) => frame.type === 'ping')).toEqual(isAnswered ? [{ type: 'ping', id }] : []);
});

it('resets data of an unknown stream', async () => {
  const { send, receive } = await bare(echo);
  send(data(5, 'lost'));
  expect(await receive('rstStream')).toEqual({ type: 'rstStream', streamId: 5, status: 2 });
});

it('resets a stream with data after its end', async () => {
  const { send, receive } = await bare(() => true);
  send(open(1));
  send(data(1, 'all', true));
  send(data(1, 'more'));
  expect(await receive('rstStream')).toEqual({ type: 'rstStream', streamId: 1, status: 5 });
});

it('sends window updates for the bytes that were read, and no more', async () => {
  let stream: SpdyStream | undefined;
  const { send, receive, received } = await bare((opened) => {
    stream = opened;
    return true;
  });
  send(open(1));
  send(data(1, Buffer.alloc(64 * 1024)));
  send({ type: 'ping', id: 1 });
  await receive('ping');
  const granted = () => received.reduce((sum, frame) => sum + (frame.type === 'windowUpdate' ? frame.delta : 0), 0);
  expect(granted()).toBeLessThan(64 * 1024);
  stream?.resume();
  await expect.poll(granted).toBeGreaterThan(48 * 1024);
});

it('accepts window updates of a stream and of the session', async () => {
  const { send, receive } = await bare(echo);
  send(open(1));
  for (const streamId of [0, 1]) send({ type: 'windowUpdate', streamId, delta: 65_536 });
  send(data(1, 'all'));
  expect(await receive('data')).toMatchObject({ streamId: 1, data: Buffer.from('all') });
});

it('pauses for a client that ignores windows, until the stream is read', async () => {
  let stream: SpdyStream | undefined;
  const { server, send } = await bare((opened) => {
    stream = opened;
    return true;
  });
  send(open(1));
  for (let count = 0; count < 256; count++) send(data(1, Buffer.alloc(64 * 1024)));
  send(data(1, '', true));
  await expect.poll(() => server.isPaused()).toBe(true);
  expect(stream?.readableLength).toBeLessThan(512 * 1024);
  expect((await buffer(stream as SpdyStream)).length).toBe(256 * 64 * 1024);
});

it('fails the open streams when the connection is lost', async () => {
  const streams: SpdyStream[] = [];
  const { client, server, transport } = await sessions((stream) => streams.push(stream) > 0);
  client.open(new Map());
  await expect.poll(() => streams.length).toBe(1);
  const failed = new Promise((resolve) => streams[0]?.once('close', resolve));
  transport.destroy();
  await failed;
  await server.closed;
  expect(streams[0]?.errored?.message).toBe('the connection was lost');
  await new Promise<void>((resolve) => streams[0]?.write('too late', () => resolve()));
});

it('fails a stream that the client resets, and no other', async () => {
  const streams: SpdyStream[] = [];
  const { send } = await bare((stream) => streams.push(stream) > 0);
  for (const id of [1, 3]) send(open(id));
  send({ type: 'rstStream', streamId: 1, status: 5 });
  await expect.poll(() => streams[0]?.destroyed).toBe(true);
  expect(streams[1]?.destroyed).toBe(false);
});

it('sends all writes before GOAWAY', async () => {
  const { session, client, send, received } = await bare((stream) => {
    stream.write(Buffer.alloc(500_000));
    return true;
  });
  send(open(1));
  await expect.poll(() => received.length).toBeGreaterThan(0);
  client.once('end', () => client.end());
  await session.close();
  const bytes = received.reduce((sum, frame) => sum + (frame.type === 'data' ? frame.data.length : 0), 0);
  expect(bytes).toBe(500_000);
  expect(received.slice(-2).map((frame) => frame.type)).toEqual(['data', 'goAway']);
});

it.each<[string, (streamId: number) => Frame]>([
  ['opens a stream with an even id', () => open(2)],
  ['opens a stream with an id that it has used', () => open(1)],
])('ends the session if a client %s', async (_, frame) => {
  const { session, client, send, receive } = await bare(echo);
  send(open(1));
  await receive('synReply');
  send(frame(1));
  expect(await receive('goAway')).toEqual({ type: 'goAway', lastStreamId: 1, status: 1 });
  client.end();
  await session.closed;
});

it('ends only the session, for any bytes', async () => {
  const good = encodeFrame(open(1), new HeaderCompressor());
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.uint8Array({ maxLength: 300 }), async (isOpen, bytes) => {
      const { client, server } = await pair();
      const session = new SpdySession(server, { role: 'server', accept: echo });
      client.resume();
      client.end(Buffer.concat([isOpen ? good : Buffer.alloc(0), bytes]));
      await session.closed;
    }),
    { numRuns: 100 },
  );
});
