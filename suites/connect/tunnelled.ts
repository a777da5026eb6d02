// HTTP through a forwarded connection: a request, and a WebSocket that returns each message.
import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Client } from '../client/client.js';
import { afterRunning } from '../client/runningTime.js';
import { Changes } from '../client/streams/changes.js';
import { readWhole } from '../client/transport.js';
import { piecesOf, whileMoving } from './moving.js';

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

/** Sends bytes in messages and returns the replies of the echo as far as they came. Throws Unchecked over a slow link. */
export async function echoed(client: Client, stream: Duplex, bytes: Buffer): Promise<Buffer> {
  const socket = new WebSocket('ws://pod/', { createConnection: () => stream as Socket, perMessageDeflate: false });
  socket.binaryType = 'nodebuffer';
  const changes = new Changes();
  const received: Buffer[] = [];
  let isOver = false;
  const size = () => received.reduce((sum, { length }) => sum + length, 0);
  socket.on('message', (message: Buffer) => {
    received.push(message);
    changes.happened();
  });
  socket
    .once('error', () => undefined)
    .once('close', () => {
      isOver = true;
      changes.happened();
    });
  socket.once('open', () => {
    for (const piece of piecesOf(bytes)) socket.send(piece);
  });
  try {
    const isWhole = () => size() >= bytes.length;
    await whileMoving(client, (milliseconds) => changes.until(isWhole, () => isOver, milliseconds), size);
    return Buffer.concat(received);
  } finally {
    stream.destroy();
  }
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
