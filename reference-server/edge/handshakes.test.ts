// Many connections at once: their order, what is served between them, and those that leave while they wait.
import { EventEmitter } from 'node:events';
import type { Server } from 'node:https';
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { beginInTurns } from './handshakes.js';

/** A server that notes which connections it begins. */
function noting(): { readonly server: Server; readonly begun: Socket[] } {
  const server = new EventEmitter() as Server;
  const begun: Socket[] = [];
  server.on('connection', (socket: Socket) => begun.push(socket));
  beginInTurns(server);
  return { server, begun };
}

test('handshakes begin in the order of their connections, and other work is done between them', async () => {
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
  await vi.waitUntil(() => begun.length === sockets.length);
  expect(begun).toEqual(sockets);
  expect(between.size).toBeGreaterThan(10);
});

test('a client that leaves while it waits is left out, and its error harms nobody', async () => {
  const { server, begun } = noting();
  const sockets = Array.from({ length: 10 }, () => new Socket());
  for (const socket of sockets) server.emit('connection', socket);
  const [, , , , , gone] = sockets;
  gone?.destroy(new Error('ECONNRESET'));
  await vi.waitUntil(() => begun.length === 9);
  expect(begun).toEqual(sockets.filter((socket) => socket !== gone));
  server.emit('connection', new Socket());
  await vi.waitUntil(() => begun.length === 10);
});
