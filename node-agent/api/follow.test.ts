// Following a collection, on a server that breaks off, forgets and refuses.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient, type ApiObject, isStatus } from './apiClient.js';
import { follow } from './follow.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let client: ApiClient;
let answers: Answer[];
let asked: string[];
let told: string[];
let troubles: string[];
let stop: AbortController;

beforeEach(async () => {
  [answers, asked, told, troubles, stop] = [[], [], [], [], new AbortController()];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    // where nothing is scripted, the answer stays open
    answers.shift()?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  client = new ApiClient({ url: `http://127.0.0.1:${port}`, token: 'secret-token' });
});
afterEach(async () => {
  stop.abort();
  client.close();
  server.closeAllConnections();
  server.close();
});

const named = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
const event = (type: string, name: string, version: string) =>
  `${JSON.stringify({ type, object: named(name, version) })}\n`;
const list =
  (version: string, ...names: readonly string[]): Answer =>
  (_, response) =>
    response.end(
      JSON.stringify({ metadata: { resourceVersion: version }, items: names.map((name) => named(name, '1')) }),
    );
const stream =
  (...chunks: readonly string[]): Answer =>
  (_, response) => {
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };

/** Follows until the script is played and `last` was told. */
async function play(last: string, ...script: readonly Answer[]): Promise<void> {
  answers.push(...script);
  const following = follow<ApiObject>(
    client,
    { path: '/things', query: { fieldSelector: 'a=b' } },
    {
      replaced: (items) => told.push(`list ${items.map(({ metadata }) => metadata.name)}`),
      changed: ({ metadata }) => told.push(`+${metadata.name}`),
      removed: ({ metadata }) => told.push(`-${metadata.name}`),
    },
    stop.signal,
    ({ message }) => troubles.push(message),
  );
  await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBe(last);
  await expect.poll(() => answers.length).toBe(0);
  stop.abort();
  await following;
}

test('a list, then changes after it', async () => {
  await play(
    '-a',
    list('5', 'a', 'b'),
    stream(event('ADDED', 'c', '6'), event('MODIFIED', 'a', '7'), event('DELETED', 'a', '8')),
  );
  expect(told).toEqual(['list a,b', '+c', '+a', '-a']);
  expect(asked[0]).toBe('/things?fieldSelector=a%3Db');
  expect(asked[1]).toMatch(/fieldSelector=a%3Db&resourceVersion=5&watch=true/);
});

test('a watch that ends goes on where it was; a bookmark moves that', async () => {
  const broken: Answer = (request, response) => {
    response.write(event('BOOKMARK', '', '9'), () => request.socket.destroy());
  };
  await play('+d', list('5'), stream(event('ADDED', 'c', '6')), broken, stream(event('ADDED', 'd', '10')));
  expect(asked.map((url) => new URL(url, 'http://x').searchParams.get('resourceVersion'))).toEqual([
    null,
    '5',
    '6',
    '9',
  ]);
  expect(told).toEqual(['list ', '+c', '+d']);
});

test.each<[string, Answer]>([
  [
    'an event',
    stream(`${JSON.stringify({ type: 'ERROR', object: { code: 410, metadata: {}, message: 'too old' } })}\n`),
  ],
  ['the status', (_, response) => response.writeHead(410).end('{"reason":"Expired","message":"too old"}')],
])('a version that is too old is read anew: %s', async (_, tooOld) => {
  await play('list b', list('5', 'a'), tooOld, list('20', 'b'));
  expect(told).toEqual(['list a', 'list b']);
  expect(troubles).toEqual([]);
});

test('an event may come in pieces, several in one', async () => {
  const text = event('ADDED', 'ä', '6') + event('ADDED', 'b', '7');
  const bytes = Buffer.from(text);
  const pieces: Answer = async (_, response) => {
    for (const byte of bytes) response.write(Buffer.of(byte));
    response.end();
  };
  await play('+b', list('5'), pieces);
  expect(told).toEqual(['list ', '+ä', '+b']);
});

test('a server that refuses, or answers nonsense, is tried again, and no token is told', async () => {
  const refuse: Answer = (_, response) => response.writeHead(403).end('{"reason":"Forbidden","message":"no"}');
  const nonsense: Answer = (_, response) => response.end('<html>');
  await play('list a', refuse, nonsense, (request) => request.socket.destroy(), list('5', 'a'));
  expect(troubles).toHaveLength(3);
  expect(troubles[0]).toContain('403: no');
  expect(troubles.join()).not.toContain('secret-token');
});

test('a refusal says its status', async () => {
  answers.push((_, response) => response.writeHead(409).end('{"reason":"Conflict","message":"changed"}'));
  const error = await client.replace('/things/a', {}).catch((reason: unknown) => reason);
  expect(isStatus(error, 404, 409)).toBe(true);
  expect(isStatus(error, 404)).toBe(false);
});
