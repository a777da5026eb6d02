// The gRPC connection, on a server of HTTP/2 that answers as a member of an etcd may: whole, in parts, late or not at all.
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../../../matrix/api/freePort.js';
import { type CallFailed, Connection, codes } from './connection.js';
import { framed, MessageReader } from './frames.js';
import type { Method } from './messages.js';

const echo: Method<string, string> = {
  path: '/test.Echo/Say',
  encode: (text) => Buffer.from(text),
  decode: (bytes) => bytes.toString(),
};

let server: Http2Server | undefined;
let connection: Connection | undefined;

afterEach(() => {
  connection?.close();
  server?.close();
});

/** Connects to a server that answers every request so. */
async function connected(answer: (stream: ServerHttp2Stream) => void): Promise<Connection> {
  server = createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    answer(stream);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
  connection = new Connection(`127.0.0.1:${port}`, undefined);
  return connection;
}

/** Answers with the bytes in parts, and then with the trailers. */
const answered =
  (parts: readonly Buffer[], trailers: Record<string, string>) =>
  (stream: ServerHttp2Stream): void => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    for (const part of parts) stream.write(part);
    stream.end();
  };

const ok = { 'grpc-status': '0' };
const failureOf = (calling: Promise<unknown>) =>
  calling.then(
    () => undefined,
    (error: CallFailed) => error,
  );

describe('a call', () => {
  it('returns the message, whatever the parts in which it comes', async () => {
    const frame = framed(Buffer.from('hello'));
    const call = await connected(answered([frame.subarray(0, 3), frame.subarray(3, 7), frame.subarray(7)], ok));
    expect(await call.call(echo, 'hi', inject('deadline'))).toBe('hello');
  });

  it.each([
    ['in trailers', answered([], { 'grpc-status': '11', 'grpc-message': 'etcdserver: mvcc: a%20b %' })],
    [
      'in a head alone',
      (stream: ServerHttp2Stream) =>
        stream.respond(
          { ':status': 200, 'grpc-status': '11', 'grpc-message': 'etcdserver: mvcc: a%20b %' },
          { endStream: true },
        ),
    ],
  ])('fails with the status of gRPC %s', async (_, answer) => {
    const failure = await failureOf((await connected(answer)).call(echo, 'hi', inject('deadline')));
    expect([failure?.code, failure?.message, failure?.isUnsent]).toEqual([11, 'etcdserver: mvcc: a%20b %', false]);
  });

  it.each<[string, (stream: ServerHttp2Stream) => void, number]>([
    ['another status of HTTP', (stream) => stream.respond({ ':status': 503 }, { endStream: true }), codes.unavailable],
    ['no trailers', (stream) => stream.close(2), codes.unavailable],
    ['a compressed message', answered([Buffer.from([1, 0, 0, 0, 0])], ok), codes.unavailable],
    ['no message', answered([], ok), codes.internal],
    ['the end of the connection', (stream) => stream.session?.destroy(), codes.unavailable],
  ])('fails for %s', async (_, answer, code) => {
    const failure = await failureOf((await connected(answer)).call(echo, 'hi', inject('deadline')));
    expect([failure?.code, failure?.isUnsent]).toEqual([code, false]);
  });

  it('fails after its time, and the next one is answered', async () => {
    let requests = 0;
    const call = await connected((stream) => {
      requests += 1;
      if (requests > 1) answered([framed(Buffer.from('hello'))], ok)(stream);
    });
    expect(await failureOf(call.call(echo, 'hi', 200))).toMatchObject({
      code: codes.deadlineExceeded,
      isUnsent: false,
    });
    expect(await call.call(echo, 'hi', inject('deadline'))).toBe('hello');
  });

  it('is unsent where nothing listens, and connects again', async () => {
    const call = await connected(answered([framed(Buffer.from('hello'))], ok));
    const [, port] = call.address.split(':');
    await new Promise((resolve) => server?.close(resolve));
    expect(await failureOf(call.call(echo, 'hi', inject('deadline')))).toMatchObject({ isUnsent: true });
    await new Promise<void>((resolve) => server?.listen(Number(port), '127.0.0.1', resolve));
    expect(await call.call(echo, 'hi', inject('deadline'))).toBe('hello');
  });
});

describe('a stream', () => {
  it('tells its messages and its end once, and nothing after it is cancelled', async () => {
    const call = await connected((stream) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(ok));
      stream.on('data', (frame: Buffer) => stream.write(frame));
      stream.on('end', () => stream.end());
    });
    const told: string[] = [];
    const reader = { data: (text: string) => void told.push(text), end: () => void told.push('end') };
    const first = call.open(echo, reader);
    first.write('one');
    await vi.waitFor(() => expect(told).toEqual(['one']), inject('deadline') / 2);
    first.cancel();
    const second = call.open(echo, reader);
    second.write('two');
    await vi.waitFor(() => expect(told).toEqual(['one', 'two']), inject('deadline') / 2);
    call.close();
    await vi.waitFor(() => expect(told).toEqual(['one', 'two', 'end']), inject('deadline') / 2);
  });
});

it('frames of several messages are read in every division', () => {
  const bytes = Buffer.concat(['', 'a', 'bc'.repeat(300)].map((text) => framed(Buffer.from(text))));
  for (let size = 1; size <= bytes.length; size += 1) {
    const [reader, read] = [new MessageReader(), [] as string[]];
    for (let start = 0; start < bytes.length; start += size)
      read.push(...reader.push(bytes.subarray(start, start + size)).map(String));
    expect(read).toEqual(['', 'a', 'bc'.repeat(300)]);
  }
});
