// The suite's SPDY against the node agent's: two independent codecs, over a real connection.
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, expect, inject, it } from 'vitest';
import { SpdySession as PeerSession } from '../../../../node-agent/streaming/spdy/session.js';
import type { SpdyStream } from '../../../../node-agent/streaming/spdy/stream.js';
import { socketPair } from '../../../../node-agent/testing/sockets.js';
import { Redactor } from '../../evidence/redaction.js';
import { FrameLog } from '../../evidence/writer.js';
import { SpdySession } from './session.js';

const timeout = inject('deadline') / 2;
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function sessionTo(connected: (server: Socket) => void) {
  const { client, server } = await socketPair();
  connected(server);
  const log = new FrameLog(Date.now());
  const session = new SpdySession(client, log);
  open.push(
    () => session.cut(),
    () => server.destroy(),
  );
  const until = (settled: () => boolean) => session.changes.until(settled, () => session.closed, timeout);
  return { session, log, server, until };
}

const other = (accept: (stream: SpdyStream) => boolean) => (socket: Socket) =>
  void new PeerSession(socket, { role: 'server', accept });
const echo = other((stream) => {
  stream.pipe(stream);
  return true;
});

it('carries megabytes in both directions, in order, to the end', async () => {
  const { session, until } = await sessionTo(echo);
  const channel = await session.open({ streamtype: 'data' });
  const bytes = randomBytes(3_000_000);
  channel.sending.write(bytes);
  channel.sending.end();
  expect(await until(() => channel.end !== undefined)).toBe(true);
  expect([channel.end, channel.bytes.equals(bytes), session.accepted(channel)]).toEqual(['whole', true, true]);
  expect(session.fault).toBeUndefined();
});

it('keeps streams and their headers separate', async () => {
  const headers: string[] = [];
  const { session, until } = await sessionTo(
    other((stream) => {
      headers.push(stream.headers.get('streamtype') ?? '');
      stream.end(`this is ${headers.at(-1)}`);
      return true;
    }),
  );
  const channels = [await session.open({ streamtype: 'error' }), await session.open({ streamtype: 'stdout' })];
  await until(() => channels.every(({ end }) => end === 'whole'));
  expect(channels.map(({ text }) => text)).toEqual(['this is error', 'this is stdout']);
  expect(headers).toEqual(['error', 'stdout']);
});

it('reports a refused stream', async () => {
  const { session, until } = await sessionTo(other(() => false));
  const channel = await session.open({ streamtype: 'nothing' });
  await until(() => channel.end !== undefined);
  expect([channel.end, session.accepted(channel)]).toEqual(['reset', false]);
});

it('reports a lost connection', async () => {
  const { session, server, until } = await sessionTo(echo);
  const channel = await session.open({ streamtype: 'data' });
  server.destroy();
  await until(() => channel.end !== undefined);
  expect([channel.end, session.closed]).toEqual(['gone', true]);
});

it.each([
  ['speaks another version', '80020006 00000004 00000002', 'version 2'],
  ['says that the protocol was broken', '80030007 00000008 00000000 00000001', 'the protocol was broken: 1'],
])('reports a peer that %s', async (_, bytes, fault) => {
  const { session, until } = await sessionTo((socket) => socket.write(Buffer.from(bytes.replaceAll(' ', ''), 'hex')));
  await until(() => session.fault !== undefined);
  expect(session.fault).toContain(fault);
});

it('answers the pings of the peer, and no others', async () => {
  const came: Buffer[] = [];
  const { until } = await sessionTo((socket) => {
    socket.on('data', (bytes: Buffer) => came.push(bytes));
    for (const id of ['00000001', '00000002']) socket.write(Buffer.from(`8003000600000004${id}`, 'hex'));
  });
  await expect.poll(() => Buffer.concat(came).toString('hex')).toBe('800300060000000400000002');
  expect(await until(() => true)).toBe(true);
});

it('keeps its frames for the evidence', async () => {
  const { session, log, until } = await sessionTo(echo);
  const channel = await session.open({ streamtype: 'data' });
  channel.sending.write(Buffer.from('a word'));
  await until(() => channel.text === 'a word');
  const frames = log.recorded(new Redactor()).map(({ direction, data }) => `${direction} ${data.text}`);
  expect(frames).toEqual(['sent {"streamtype":"data"}', 'sent a word', 'received {}', 'received a word']);
});
