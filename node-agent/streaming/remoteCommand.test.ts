// Tests remote commands over SPDY and WebSockets, in each version of the protocols.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { requestUpgrade } from '../testing/sockets.js';
import { type RemoteProgram, type StreamServer, startStreamServer } from '../testing/streamServer.js';
import { SpdySession } from './spdy/session.js';
import type { SpdyStream } from './spdy/stream.js';

const signals: AbortSignal[] = [];
const program: RemoteProgram =
  ([name, argument]) =>
  async ({ stdin, stdout, stderr, resize }, signal) => {
    signals.push(signal);
    if (name === 'exit') return { exitCode: Number(argument) };
    if (name === 'throw') throw new Error('out of order');
    if (name === 'cat' && stdin !== undefined) await pipeline(stdin, stdout);
    if (name === 'both') {
      stdout.write('out');
      stderr.write('err');
    }
    if (name === 'size') {
      for await (const { width, height } of resize) {
        stdout.write(`${width}x${height}`);
        return { exitCode: 0 };
      }
    }
    if (name === 'wait') {
      stdout.write('waiting');
      await once(signal, 'abort');
    }
    return { exitCode: 0 };
  };

let server: StreamServer;
beforeAll(async () => {
  server = await startStreamServer({ program });
});
afterAll(() => server[Symbol.asyncDispose]());

const path = (command: string, streams: string) =>
  `/exec?${command
    .split(' ')
    .map((word) => `command=${word}`)
    .join('&')}&${streams}`;
const nonZero = (code: number) => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: exit status ${code}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});
const broken = {
  metadata: {},
  status: 'Failure',
  message: 'Internal error occurred: error executing command in container: out of order',
  reason: 'InternalError',
  details: { causes: [{ message: 'error executing command in container: out of order' }] },
  code: 500,
};

const spdy = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1' };

async function openSpdy(target: string, version: string | undefined, types: readonly string[], port = server.port) {
  const offered = version === undefined ? {} : { 'X-Stream-Protocol-Version': version };
  const { socket, headers } = await requestUpgrade(port, target, { ...spdy, ...offered });
  const session = new SpdySession(socket as Socket, { role: 'client' });
  const streams = Object.fromEntries(types.map((type) => [type, session.open(new Map([['streamtype', type]]))]));
  return { session, headers, streams: streams as Record<string, SpdyStream> };
}

describe('over SPDY', () => {
  it.each<[string, string | undefined, string, unknown]>([
    ['v4.channel.k8s.io', 'v4.channel.k8s.io', 'exit 0', { metadata: {}, status: 'Success' }],
    ['v4.channel.k8s.io', 'v4.channel.k8s.io', 'exit 7', nonZero(7)],
    ['v4.channel.k8s.io', 'v4.channel.k8s.io', 'throw', broken],
    ['the first that is known', 'v9.channel.k8s.io, v3.channel.k8s.io,v4.channel.k8s.io', 'exit 7', nonZero(7).message],
    ['v2.channel.k8s.io', 'v2.channel.k8s.io', 'exit 7', nonZero(7).message],
    ['v2.channel.k8s.io', 'v2.channel.k8s.io', 'throw', broken.message],
    ['channel.k8s.io', 'channel.k8s.io', 'exit 0', ''],
    ['none', undefined, 'exit 7', nonZero(7).message],
  ])('a client of %s (%s) gets the outcome of %s', async (_, version, command, outcome) => {
    const { session, streams, headers } = await openSpdy(path(command, 'stdout=1'), version, ['error', 'stdout']);
    const heard = await text(streams.error as SpdyStream);
    expect(typeof outcome === 'string' ? heard : JSON.parse(heard)).toEqual(outcome);
    expect(headers['x-stream-protocol-version']).toBe(version?.includes('v3') ? 'v3.channel.k8s.io' : version);
    await session.closed;
  });

  it('stdin ends with its half, and stdout with the command', async () => {
    const { streams } = await openSpdy(path('cat', 'stdin=1&stdout=1'), 'v4.channel.k8s.io', [
      'error',
      'stdin',
      'stdout',
    ]);
    const bytes = Buffer.alloc(2_000_000, 'abc');
    streams.stdin?.end(bytes);
    expect((await buffer(streams.stdout as SpdyStream)).equals(bytes)).toBe(true);
    expect(JSON.parse(await text(streams.error as SpdyStream)).status).toBe('Success');
  });

  it.each([
    ['both outputs, each for itself', 'stdout=1&stderr=1', ['stdout', 'stderr'], ['out', 'err']],
    ['only what was asked for', 'stderr=1', ['stderr'], ['err']],
    ['one output with a terminal', 'stdout=1&stderr=1&tty=1', ['stdout', 'resize'], ['outerr', '']],
  ])('a client gets %s', async (_, query, types, outputs) => {
    const { streams } = await openSpdy(path('both', query), 'v4.channel.k8s.io', ['error', ...types]);
    expect(await Promise.all(types.map((type) => text(streams[type] as SpdyStream)))).toEqual(outputs);
  });

  it('the command gets the size of the terminal', async () => {
    const types = ['error', 'stdout', 'resize'];
    const { streams } = await openSpdy(path('size', 'stdout=1&tty=1'), 'v4.channel.k8s.io', types);
    streams.resize?.write('{"Width":132,"Height":43}\n');
    expect(await text(streams.stdout as SpdyStream)).toBe('132x43');
  });

  it('a client that does not open its streams gets an error', async () => {
    await using impatient = await startStreamServer({ program, streamCreationTimeout: 3_000 });
    const target = path('cat', 'stdin=1&stdout=1');
    const { session, streams } = await openSpdy(target, 'v4.channel.k8s.io', ['error'], impatient.port);
    expect(await text(streams.error as SpdyStream)).toContain('timed out waiting for client to create streams');
    await session.closed;
    await impatient.served[0];
  });

  it('the loss of the client aborts the command', async () => {
    const { session, streams } = await openSpdy(path('wait', 'stdout=1'), 'v4.channel.k8s.io', ['error', 'stdout']);
    await once(streams.stdout as SpdyStream, 'data');
    void session.close();
    await server.served.at(-1);
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it('a client may vanish before its streams are open', async () => {
    const { session } = await openSpdy(path('wait', 'stdout=1'), 'v4.channel.k8s.io', []);
    await session.close();
    await server.served.at(-1);
  });
});

interface Message {
  readonly channel: string;
  readonly content: string;
}

async function openWebSocket(target: string, protocols: readonly string[]) {
  const webSocket = new WebSocket(`ws://127.0.0.1:${server.port}${target}`, [...protocols]);
  const isText = protocols.some((name) => name.includes('base64'));
  const messages: Message[] = [];
  webSocket.on('message', (message: Buffer, isBinary) => {
    expect(isBinary).toBe(!isText);
    const content = message.subarray(1).toString();
    if (isText)
      messages.push({
        channel: String.fromCharCode(message[0] ?? 0),
        content: Buffer.from(content, 'base64').toString(),
      });
    else messages.push({ channel: String(message[0]), content });
  });
  const closed = once(webSocket, 'close');
  await once(webSocket, 'open');
  const on = (channel: number) =>
    messages
      .filter((each) => each.channel === `${channel}`)
      .map((each) => each.content)
      .join('');
  return { webSocket, messages, closed, on };
}

describe('over a WebSocket', () => {
  const status = { 0: { metadata: {}, status: 'Success' }, 7: nonZero(7) };
  it.each([
    ['v5.channel.k8s.io', 'exit 7', status[7]],
    ['v5.channel.k8s.io', 'exit 0', status[0]],
    ['v4.channel.k8s.io', 'exit 7', status[7]],
    ['v4.channel.k8s.io', 'throw', broken],
    ['v4.base64.channel.k8s.io', 'exit 7', status[7]],
    ['channel.k8s.io', 'exit 7', status[7].message],
    ['channel.k8s.io', 'exit 0', ''],
    ['base64.channel.k8s.io', 'exit 7', status[7].message],
    ['', 'exit 7', status[7].message],
  ])('a client of "%s" gets the outcome of %s', async (protocol, command, outcome) => {
    const { webSocket, closed, on } = await openWebSocket(path(command, 'stdout=1'), protocol === '' ? [] : [protocol]);
    expect(webSocket.protocol).toBe(protocol);
    const [code] = await closed;
    expect(code).toBe(1000);
    expect(typeof outcome === 'string' ? on(3) : JSON.parse(on(3))).toEqual(outcome);
  });

  it.each([
    ['stdout=1&stderr=1', '1', ['out', 'err']],
    ['stderr=1', '2', ['', 'err']],
    ['stdin=1', '3', ['', '']],
    ['stdout=1&stderr=1&tty=1', '1', ['outerr', '']],
  ])('of %s, channel %s is announced first', async (query, first, outputs) => {
    const { messages, closed, on } = await openWebSocket(path('both', query), ['v4.channel.k8s.io']);
    await closed;
    expect(messages[0]).toEqual({ channel: first, content: '' });
    expect([on(1), on(2)]).toEqual(outputs);
  });

  // Some kubectl loses what comes before it has made its streams.
  it('a client of version 5 has time before the first message, and its input is kept meanwhile', async () => {
    const before = performance.now();
    const { webSocket, messages, closed, on } = await openWebSocket(path('cat', 'stdin=1&stdout=1'), [
      'v5.channel.k8s.io',
    ]);
    webSocket.send(Buffer.from('\0early'));
    webSocket.send(Buffer.of(255, 0));
    await once(webSocket, 'message');
    expect(messages[0]).toEqual({ channel: '1', content: '' });
    // Timers may be a millisecond early.
    expect(performance.now() - before).toBeGreaterThan(48);
    await closed;
    expect(on(1)).toBe('early');
  });

  it('stdin ends with a message on channel 255', async () => {
    const { webSocket, closed, on } = await openWebSocket(path('cat', 'stdin=1&stdout=1'), ['v5.channel.k8s.io']);
    const bytes = Buffer.alloc(2_000_000, 'abc');
    for (let at = 0; at < bytes.length; at += 30_000)
      webSocket.send(Buffer.concat([Buffer.of(0), bytes.subarray(at, at + 30_000)]));
    webSocket.send(Buffer.of(255, 0));
    await closed;
    expect(on(1) === bytes.toString()).toBe(true);
    expect(JSON.parse(on(3)).status).toBe('Success');
  });

  it('the command gets the size of the terminal, in base64 too', async () => {
    const target = path('size', 'stdout=1&tty=1');
    const { webSocket, closed, on } = await openWebSocket(target, ['base64.channel.k8s.io']);
    webSocket.send(`4${Buffer.from('{"Width":132,"Height":43}').toString('base64')}`);
    await closed;
    expect(on(1)).toBe('132x43');
  });

  it('messages without a channel, and on unknown channels, are dropped', async () => {
    const { webSocket, closed, on } = await openWebSocket(path('cat', 'stdin=1&stdout=1'), ['v5.channel.k8s.io']);
    for (const message of ['', '\x01x', '\x09x', '\xc8x', '\x00good']) webSocket.send(Buffer.from(message, 'latin1'));
    webSocket.send(Buffer.of(255));
    webSocket.send(Buffer.of(255, 9));
    webSocket.send(Buffer.of(255, 0));
    webSocket.send(Buffer.from('\x00late'));
    await closed;
    expect(on(1)).toBe('good');
  });

  it.each(['v5.channel.k8s.io', 'base64.channel.k8s.io'])('any messages of %s are survived', async (protocol) => {
    const check = async (messages: readonly Uint8Array[]) => {
      const { webSocket, closed } = await openWebSocket(path('cat', 'stdin=1&stdout=1&tty=1'), [protocol]);
      for (const message of messages) webSocket.send(message);
      webSocket.close();
      await closed;
      await server.served.at(-1);
    };
    await fc.assert(fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), check), {
      numRuns: 50,
    });
  });

  it('a message that is not base64 ends the connection', async () => {
    const { webSocket, closed } = await openWebSocket(path('cat', 'stdin=1&stdout=1'), ['base64.channel.k8s.io']);
    webSocket.send('0no base64!');
    expect((await closed)[0]).toBe(1007);
    await server.served.at(-1);
  });

  it('the loss of the client aborts the command', async () => {
    const { webSocket, on } = await openWebSocket(path('wait', 'stdout=1'), ['v4.channel.k8s.io']);
    await expect.poll(() => on(1)).toBe('waiting');
    webSocket.terminate();
    await server.served.at(-1);
    expect(signals.at(-1)?.aborted).toBe(true);
  });
});
