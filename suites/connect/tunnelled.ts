// HTTP through a connection that was forwarded: a request, and a WebSocket that gives back what it is sent.
import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Client } from '../support/client.js';
import { readWhole } from '../support/transport.js';

/** The body of the answer to a GET; empty where none came in time. */
export async function httpGet(client: Client, stream: Duplex, path: string): Promise<string> {
  const asked = request({ path, headers: { connection: 'close' }, createConnection: () => stream as Socket });
  return await within(client, stream, '', async () => {
    const body = new Promise<Buffer>((resolve, reject) => {
      asked.once('error', reject).once('response', (response) => readWhole(response).then(resolve, reject));
    });
    asked.end();
    return (await body).toString('utf8');
  });
}

/** What an echo gives back of some bytes, sent as one message; empty where nothing came in time. */
export async function echoed(client: Client, stream: Duplex, bytes: Buffer): Promise<Buffer> {
  const socket = new WebSocket('ws://pod/', { createConnection: () => stream as Socket, perMessageDeflate: false });
  socket.binaryType = 'nodebuffer';
  return await within(
    client,
    stream,
    Buffer.alloc(0),
    () =>
      new Promise((resolve, reject) => {
        // a connection that is lost once it is open is no error, only a close
        socket.once('error', reject).once('close', reject).once('message', resolve);
        socket.once('open', () => socket.send(bytes));
      }),
  );
}

async function within<T>(client: Client, stream: Duplex, otherwise: T, act: () => Promise<T>): Promise<T> {
  const patience = client.streamPatience;
  const timer = setTimeout(() => {
    client.health.missed('what a forwarded connection must carry', patience);
    stream.destroy(new Error('too late'));
  }, patience);
  try {
    return await act();
  } catch {
    return otherwise;
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}
