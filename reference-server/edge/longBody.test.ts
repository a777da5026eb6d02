import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ask, dial, startStandIn } from '../testing/standIn.js';
import { beginningOf, writeParts } from './longBody.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server that responds to every request with a function. Returns its port. */
async function serve(answer: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const part = (length: number, index: number) => Buffer.alloc(length, 97 + (index % 26));
const kilobyte = 1024;

test.each([
  ['nothing', []],
  ['small parts', Array.from({ length: 3000 }, (_, index) => part(1 + (index % 300), index))],
  ['a part of a piece', [part(64 * kilobyte, 0), part(1, 1)]],
  ['large parts among small ones', [part(10, 0), part(300 * kilobyte, 1), part(0, 2), part(20, 3), part(70_000, 4)]],
])('writes %s unchanged', async (_, parts) => {
  const port = await serve((response) => void writeParts(response, parts).then(() => response.end()));
  const asked = request({ host: '127.0.0.1', port, agent: false }).end();
  const [response] = await once(asked, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(Buffer.concat(parts))).toBe(true);
});

test.each([
  ['is gone', 60_000, true],
  ['takes nothing', 50, false],
])('ends for a client that %s', async (_, patience, leaves) => {
  const parts = Array.from({ length: 5000 }, (_, index) => part(10 * kilobyte, index));
  let answered: (response: ServerResponse) => void = () => {};
  const ended = new Promise<ServerResponse>((resolve) => {
    answered = resolve;
  });
  const port = await serve((response) => void writeParts(response, parts, patience).then(() => answered(response)));
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  if (leaves) socket.destroy();
  expect((await ended).destroyed).toBe(true);
});

test('a slow reader of a long list delays no other client, and gets the whole list', async () => {
  const text = 'x'.repeat(8 * 1024 * kilobyte);
  const body = { encode: () => [Buffer.from('{"text":"'), Buffer.from(text), Buffer.from('"}\n')] };
  const server = await startStandIn({ list: () => ({ status: 200, body }) });
  closing.push(() => server.close());
  const socket = await dial(server);
  socket.write(
    `GET /api/v1/namespaces/ns/configmaps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`,
  );
  await once(socket, 'readable');
  expect((await ask(server, '/healthz')).text).toBe('ok');
  let received = '';
  for await (const chunk of socket) received += chunk;
  expect(received).toContain('Transfer-Encoding: chunked\r\n');
  const chunks = received.slice(received.indexOf('\r\n\r\n') + 4);
  expect(chunks.replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, '')).toBe(`{"text":"${text}"}\n\r\n`);
});

test.each([
  ['that a cache keeps has its length', 8, true, (bytes: number) => `Content-Length: ${bytes}`],
  ['that a cache keeps has none if it is very long', 20, true, () => 'Transfer-Encoding: chunked'],
  ['that is made for one client has none', 8, false, () => 'Transfer-Encoding: chunked'],
])('a list of megabytes %s', async (_, megabytes, areKept, header) => {
  const pieces = Array.from({ length: megabytes * kilobyte }, (_, index) => part(kilobyte, index));
  const body = { encode: () => ({ areKept, [Symbol.iterator]: () => pieces.values() }) };
  const server = await startStandIn({ list: () => ({ status: 200, body }) });
  closing.push(() => server.close());
  const socket = await dial(server);
  socket.write(
    `GET /api/v1/namespaces/ns/configmaps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const received = Buffer.concat(chunks).toString();
  expect(received).toContain(`${header(megabytes * kilobyte * kilobyte)}\r\n`);
  const framed = received.slice(received.indexOf('\r\n\r\n') + 4);
  expect(framed.replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, '').trimEnd() === Buffer.concat(pieces).toString()).toBe(true);
});

test('only what a client has read is made of a long body', async () => {
  let made = 0;
  function* parts(): Generator<Buffer> {
    for (; made < 20_000; made += 1) yield part(10 * kilobyte, made);
  }
  const server = await startStandIn({ list: () => ({ status: 200, body: { encode: parts } }) });
  closing.push(() => server.close());
  const socket = await dial(server);
  closing.push(() => socket.destroy());
  const head = `Host: x\r\nAuthorization: Bearer ${server.token}`;
  socket.write(`GET /api/v1/namespaces/ns/configmaps HTTP/1.1\r\n${head}\r\n\r\n`);
  await once(socket, 'readable');
  const isStill = async (): Promise<boolean> => {
    const before = made;
    await ask(server, '/healthz');
    return made === before;
  };
  await expect.poll(isStill).toBe(true);
  expect(made).toBeLessThan(10_000);
});

test('a megabyte waits of a long body that a cache may have dropped', async () => {
  let made = 0;
  const kept = {
    areKept: true,
    *[Symbol.iterator]() {
      for (made = 0; made < 40; made += 1) yield part(kilobyte * kilobyte, made);
    },
  };
  const { parts, length } = await beginningOf(kept);
  expect(length).toBe(undefined);
  expect(made).toBeLessThan(4);
  const seen = [...parts].map(([letter]) => letter);
  expect(seen).toEqual([...kept].map(([letter]) => letter));
});

test('the beginning of a long body is made in turns', async () => {
  const order: string[] = [];
  function* parts(): Generator<Buffer> {
    for (const end = performance.now() + 10_000; order.length === 0 && performance.now() < end; ) yield part(0, 0);
  }
  const made = beginningOf(parts()).then(() => order.push('list'));
  setImmediate(() => order.push('other'));
  await made;
  expect(order).toEqual(['other', 'list']);
});
