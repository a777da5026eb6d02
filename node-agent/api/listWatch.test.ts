// Tests following a collection, with a server that closes connections, expires versions and refuses requests.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient, isStatus } from './apiClient.js';
import { listAndWatch } from './listWatch.js';
import type { ApiObject } from './types.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let client: ApiClient;
let answers: Answer[];
let asked: string[];
let events: string[];
let troubles: string[];
let stop: AbortController;

beforeEach(async () => {
  [answers, asked, events, troubles, stop] = [[], [], [], [], new AbortController()];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    // After the script, the response stays open.
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

/** Follows a collection until the script has run and `last` is received. */
async function play(last: string, ...script: readonly Answer[]): Promise<void> {
  answers.push(...script);
  const following = listAndWatch<ApiObject>(
    client,
    { path: '/things', query: { fieldSelector: 'a=b' } },
    {
      replaced: (items) => events.push(`list ${items.map(({ metadata }) => metadata.name)}`),
      updated: ({ metadata }) => events.push(`+${metadata.name}`),
      deleted: ({ metadata }) => events.push(`-${metadata.name}`),
    },
    stop.signal,
    ({ message }) => troubles.push(message),
  );
  await expect.poll(() => events.at(-1)).toBe(last);
  await expect.poll(() => answers.length).toBe(0);
  stop.abort();
  await following;
}

test('a list, then its changes', async () => {
  await play(
    '-a',
    list('5', 'a', 'b'),
    stream(event('ADDED', 'c', '6'), event('MODIFIED', 'a', '7'), event('DELETED', 'a', '8')),
  );
  expect(events).toEqual(['list a,b', '+c', '+a', '-a']);
  expect(asked[0]).toBe('/things?fieldSelector=a%3Db');
  expect(asked[1]).toMatch(/fieldSelector=a%3Db&resourceVersion=5&watch=true/);
});

test('a watch that ends continues from its last version; a bookmark sets the version', async () => {
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
  expect(events).toEqual(['list ', '+c', '+d']);
});

test.each<[string, Answer]>([
  [
    'an event',
    stream(`${JSON.stringify({ type: 'ERROR', object: { code: 410, metadata: {}, message: 'too old' } })}\n`),
  ],
  ['the status', (_, response) => response.writeHead(410).end('{"reason":"Expired","message":"too old"}')],
])('a version that is too old leads to a new list: %s', async (_, tooOld) => {
  await play('list b', list('5', 'a'), tooOld, list('20', 'b'));
  expect(events).toEqual(['list a', 'list b']);
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
  expect(events).toEqual(['list ', '+ä', '+b']);
});

test('an error or an invalid response is tried again, and no token is shown', async () => {
  const refuse: Answer = (_, response) => response.writeHead(403).end('{"reason":"Forbidden","message":"no"}');
  const nonsense: Answer = (_, response) => response.end('<html>');
  await play('list a', refuse, nonsense, (request) => request.socket.destroy(), list('5', 'a'));
  expect(troubles).toHaveLength(3);
  expect(troubles[0]).toContain('403: no');
  expect(troubles.join()).not.toContain('secret-token');
});

test('an error has its status', async () => {
  answers.push((_, response) => response.writeHead(409).end('{"reason":"Conflict","message":"changed"}'));
  const error = await client.replace('/things/a', {}).catch((reason: unknown) => reason);
  expect(isStatus(error, 404, 409)).toBe(true);
  expect(isStatus(error, 404)).toBe(false);
});
