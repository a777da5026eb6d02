// HTTP through a forwarded connection: a request, and a WebSocket that returns each message.
import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Client } from '../client/client.js';
import { afterRunning } from '../client/runningTime.js';
import { readWhole } from '../client/transport.js';

/** Returns the body of the response to a GET; empty if none arrived in time. */
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

/** Sends bytes as one message and returns the reply of the echo; empty if none arrived in time. */
export async function echoed(client: Client, stream: Duplex, bytes: Buffer): Promise<Buffer> {
  const socket = new WebSocket('ws://pod/', { createConnection: () => stream as Socket, perMessageDeflate: false });
  socket.binaryType = 'nodebuffer';
  return await within(
    client,
    stream,
    Buffer.alloc(0),
    () =>
      new Promise((resolve, reject) => {
        // a failure after the socket has opened only closes it
        socket.once('error', reject).once('close', reject).once('message', resolve);
        socket.once('open', () => socket.send(bytes));
      }),
  );
}

async function within<T>(client: Client, stream: Duplex, otherwise: T, act: () => Promise<T>): Promise<T> {
  const timeout = client.streamTimeout;
  const cancel = afterRunning(timeout, () => {
    client.health.timedOut('what a forwarded connection must carry', timeout);
    stream.destroy(new Error('too late'));
  });
  try {
    return await act();
  } catch {
    return otherwise;
  } finally {
    cancel();
    stream.destroy();
  }
}
