// Channels of a WebSocket: the bytes of each message in both forms, against a real server.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Target } from '../../requirements/index.js';
import { Client } from '../client.js';
import { Reply } from '../reply.js';
import { type ChannelForm, Channels, splitMessage } from './channels.js';

/** The messages that the server received: texts, and bytes in hex. */
const came: string[] = [];
const said: Readonly<Record<string, readonly (Buffer | string)[]>> = {
  '/binary': [Buffer.from('\x01out'), Buffer.from('\x02'), Buffer.from('\x02err'), Buffer.from('\x01more')],
  '/base64': [
    `1${Buffer.from('out').toString('base64')}`,
    '2',
    `2${Buffer.from('err').toString('base64')}`,
    '1bW9yZQ==',
  ],
  '/mistaken': ['\x01out', Buffer.from('\x01more')],
  '/listening': [],
};
let server: WebSocketServer;
let client: Client;
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket, { url = '' }) => {
    socket.on('message', (data: Buffer, binary) => came.push(binary ? data.toString('hex') : String(data)));
    for (const message of said[url] ?? []) socket.send(message);
    if (url !== '/listening') socket.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new Client({ url, credentials: {} } as unknown as Target);
});
afterAll(async () => {
  await client.close();
  server.close();
});

function channelsAt<T>(path: string, form: ChannelForm, ends: boolean, read: (channels: Channels) => Promise<T>) {
  return client.webSocket({ path, channels: form }, async (opened) => {
    if (opened instanceof Reply) throw new Error(`${opened.status}`);
    return await read(new Channels(opened, form, ends));
  });
}
const never = () => false;
const timeout = inject('deadline') / 2;

it.each([
  ['/binary', 'binary', 0],
  ['/base64', 'base64', 0],
  ['/mistaken', 'binary', 1],
] as const)('decodes the messages of %s', async (path, form, mistaken) => {
  await channelsAt(path, form, false, async (channels) => {
    const [first, second] = [channels.channel(1), channels.channel(2)];
    await channels.changes.until(() => channels.closed, never, timeout);
    expect([first.text, second.text]).toEqual(['outmore', path === '/mistaken' ? '' : 'err']);
    expect([channels.mistaken, first.end]).toEqual([mistaken, 'gone']);
  });
});

it.each([
  ['binary', true, ['00' + '6162', 'ff00']],
  ['binary', false, ['006162']],
  ['base64', false, ['0YWI=']],
] as const)('sends in the %s form, with an end: %s', async (form, ends, messages) => {
  came.length = 0;
  await channelsAt('/listening', form, ends, async (channels) => {
    channels.channel(0).sending.write(Buffer.from('ab'));
    channels.channel(0).sending.end();
    await expect.poll(() => came).toEqual(messages);
  });
});

it('sends long data in several messages', async () => {
  came.length = 0;
  await channelsAt('/listening', 'binary', false, async (channels) => {
    channels.channel(4).sending.write(Buffer.alloc(70_000, 'x'));
    await expect.poll(() => came.length).toBe(3);
    expect(came.every((message) => message.startsWith('04'))).toBe(true);
    expect(came.reduce((sum, message) => sum + message.length / 2 - 1, 0)).toBe(70_000);
  });
});

it('delivers messages that arrived before the listener', async () => {
  await channelsAt('/binary', 'binary', false, async (channels) => {
    await channels.changes.until(() => channels.closed, never, timeout);
    const heard: (string | undefined)[] = [];
    channels.channel(1).listen((content) => heard.push(content?.toString()));
    expect(heard).toEqual(['outmore', undefined]);
  });
});

it.each([
  ['binary', Buffer.from('\x03{}'), 3, '{}'],
  ['base64', Buffer.from('3e30='), 3, '{}'],
  ['binary', Buffer.alloc(0), 0, ''],
] as const)('splits a message of the %s form', (form, message, channel, content) => {
  expect(splitMessage(form, message)).toEqual({ channel, content: Buffer.from(content) });
});
