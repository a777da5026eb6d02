// Long lists by many clients, of which one reads nothing and one reads a byte a second: the others get theirs whole, and
// the server does not keep a list for each. `LIST_OBJECTS`, `LIST_KILOBYTES` and `LIST_CLIENTS` make it larger, such as
// 20000, 10 and 100.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import type { RunningServer } from '../server.js';
import { ask, dial } from '../testing/standIn.js';
import { startFullServer } from './index.js';

const objects = Number(process.env.LIST_OBJECTS ?? 300);
const kilobytes = Number(process.env.LIST_KILOBYTES ?? 10);
const clients = Number(process.env.LIST_CLIENTS ?? 20);
const maps = '/api/v1/namespaces/default/configmaps';
const megabytes = (): number => Math.round(process.memoryUsage().rss / 1e6);

/** Asks for the list on a connection of which nothing is read by itself. */
async function unread(server: RunningServer): Promise<TLSSocket> {
  const socket = await dial(server);
  socket.on('error', () => {});
  socket.pause().write(`GET ${maps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
  return socket;
}

/** Reads the list and forgets it. Returns the bytes of it. */
async function read(server: RunningServer): Promise<number> {
  const sent = request({
    ...{ port: server.port, host: '127.0.0.1', ca: server.caCertificate, agent: false, path: maps },
    headers: { authorization: `Bearer ${server.token}` },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

test(`${clients} lists of ${objects} objects of ${kilobytes} KB`, async () => {
  await using server = await startFullServer();
  const filler = 'x'.repeat(kilobytes * 1000);
  let made = 0;
  const fill = async (): Promise<void> => {
    for (; made < objects; ) {
      made += 1;
      const body = JSON.stringify({ metadata: { name: `m${made}` }, data: { filler } });
      expect((await ask(server, maps, { method: 'POST', body })).status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 8 }, fill));
  const before = megabytes();
  const slow = [await unread(server), await unread(server)] as const;
  const drip = setInterval(() => slow[1].read(1), 1_000);
  const began = performance.now();
  let [most, longest] = [0, 0];
  let reading = true;
  const probing = (async () => {
    while (reading) {
      const asked = performance.now();
      expect((await ask(server, `${maps}/m1`)).status).toBe(200);
      longest = Math.max(longest, performance.now() - asked);
      most = Math.max(most, megabytes());
    }
  })();
  const lengths = await Promise.all(Array.from({ length: clients }, () => read(server)));
  reading = false;
  await probing;
  clearInterval(drip);
  for (const socket of slow) socket.destroy();
  expect(new Set(lengths).size).toBe(1);
  expect(lengths[0]).toBeGreaterThan(objects * kilobytes * 1000);
  const all = (clients * objects * kilobytes) / 1000;
  process.stdout.write(`${all} MB in ${((performance.now() - began) / 1000).toFixed(1)} s; the process of both sides `);
  process.stdout.write(`had ${before}, at most ${most} MB; a get took at most ${longest.toFixed(0)} ms\n`);
  // Two lists, and room for the garbage between two collections.
  expect(most - before).toBeLessThan((2 * objects * kilobytes) / 1000 + 500);
});
