// Tests how the messages of channels are written.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { makeServerCertificates } from '../../test-certs/index.js';
import { Channels } from './channels.js';

let stop: () => void;
let client: WebSocket;
let channels: Channels;
beforeAll(async () => {
  const { ca, server } = await makeServerCertificates('127.0.0.1');
  const listener = createServer({ cert: server.certificate, key: server.key });
  const sockets = new WebSocketServer({ server: listener });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  client = new WebSocket(`wss://127.0.0.1:${port}`, { ca: ca.certificate });
  const [accepted] = await once(sockets, 'connection');
  if (client.readyState !== WebSocket.OPEN) await once(client, 'open');
  channels = new Channels(accepted, 'binary');
  stop = () => {
    client.terminate();
    listener.close();
  };
});
afterAll(() => stop());

// What a TLS socket emits at a time is from one record.
it('each message has a TLS record of its own, whichever channel it is on', async () => {
  const records: number[] = [];
  let messages = 0;
  (client as unknown as { _socket: NodeJS.EventEmitter })._socket.prependListener('data', ({ length }: Buffer) => {
    records.push(length);
  });
  client.on('message', () => {
    messages += 1;
  });
  const writables = [0, 1, 2].map((channel) => channels.writable(channel));
  for (let round = 0; round < 20; round += 1) for (const writable of writables) writable.write('x');
  await expect.poll(() => messages).toBe(60);
  // Two bytes of the frame, the number of the channel, and the content.
  expect(records).toEqual(Array(60).fill(4));
});
