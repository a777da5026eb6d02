// Tests many connections at once: their order, other work between them, and connections that close while they wait.
import { EventEmitter } from 'node:events';
import type { Server } from 'node:https';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { beginInTurns } from './handshakes.js';

/** Returns a server that records the connections it begins. */
function noting(): { readonly server: Server; readonly begun: Socket[] } {
  const server = new EventEmitter() as Server;
  const begun: Socket[] = [];
  server.on('connection', (socket: Socket) => begun.push(socket));
  beginInTurns(server);
  return { server, begun };
}

test('handshakes begin in the order of their connections, with other work between them', async () => {
  const { server, begun } = noting();
  const sockets = Array.from({ length: 50 }, () => new Socket());
  for (const socket of sockets) server.emit('connection', socket);
  expect(begun).toEqual([]);
  const between = new Set<number>();
  const look = (): void => {
    between.add(begun.length);
    if (begun.length < sockets.length) setImmediate(look);
  };
  setImmediate(look);
  await expect.poll(() => begun.length).toBe(sockets.length);
  expect(begun).toEqual(sockets);
  expect(between.size).toBeGreaterThan(10);
});

test('a client that leaves while it waits is skipped, and its error affects no other', async () => {
  const { server, begun } = noting();
  const sockets = Array.from({ length: 10 }, () => new Socket());
  for (const socket of sockets) server.emit('connection', socket);
  const [, , , , , gone] = sockets;
  gone?.destroy(new Error('ECONNRESET'));
  await expect.poll(() => begun.length).toBe(9);
  expect(begun).toEqual(sockets.filter((socket) => socket !== gone));
  server.emit('connection', new Socket());
  await expect.poll(() => begun.length).toBe(10);
});
