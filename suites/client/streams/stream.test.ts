// Streams from a real connection: whole events for any boundaries of chunks, and every way to end.

import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { defined } from '../../../matrix/api/index.js';
import type { Target } from '../../requirements/index.js';
import { Client } from '../client.js';
import type { JsonObject } from '../json.js';
import { encodeObject } from '../protobuf/envelope.js';
import { delimitedField } from '../protobuf/wire.js';

const events = [1, 2, 3].map((n) => `{"type":"ADDED","object":{"metadata":{"name":"n${n}"}}}\n`);
const json = { 'content-type': 'application/json' };
const secret = { kind: 'Secret', data: { token: Buffer.from('a-token-of-a-secret').toString('base64') } };

const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf;stream=watch' };
const frame = (object: JsonObject): Buffer => {
  const event = Buffer.concat([delimitedField(1, 'ADDED'), delimitedField(2, delimitedField(1, encodeObject(object)))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
};
const named = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

const behaviours: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/whole': (response) => response.end(events.join('')),
  '/bytes': async (response) => {
    for (const byte of Buffer.from(events.join(''))) {
      if (!response.write(Buffer.of(byte))) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  },
  '/broken': (response) => response.write(`${events[0]}{"type":"ADD`, () => response.destroy()),
  '/open': (response) => response.write(events[0]),
  '/refused': (response) => response.writeHead(410, json).end('{"kind":"Status","message":"too old"}'),
  '/frames': (response) => {
    const bytes = Buffer.concat([frame(named('n1')), frame(named('n2'))]);
    response.writeHead(200, protobuf).write(bytes.subarray(0, 9), () => response.end(bytes.subarray(9)));
  },
  '/secret-frame': (response) => response.writeHead(200, protobuf).end(frame({ apiVersion: 'v1', ...secret })),
  '/secret': (response) => response.end(JSON.stringify({ type: 'ADDED', object: secret })),
};
const server = createServer((request, response) => behaviours[request.url ?? '']?.(response));
let client: Client;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  client = new Client({ url, credentials: {} } as unknown as Target, inject('deadline') / 2);
});
afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const open = (path: string, cutAfter?: number) =>
  client.stream({ method: 'GET', path, ...defined({ cutAfter }) }, async (stream) => {
    const end = await stream.ended();
    return { stream, end, texts: stream.events.map(({ bytes }) => `${bytes}\n`) };
  });

it.each(['/whole', '/bytes'])('%s: reads every event to a clean end', async (path) => {
  const { texts, end, stream } = await open(path);
  expect(texts).toEqual(events);
  expect(end).toMatchObject({ how: 'complete', rest: Buffer.alloc(0) });
  expect(stream.events.every(({ endsLine }) => endsLine)).toBe(true);
});

it('distinguishes a broken connection from a clean end, and keeps the partial last event', async () => {
  const { texts, end } = await open('/broken');
  expect(texts).toEqual(events.slice(0, 1));
  expect(end?.how).toBe('broken');
  expect(end?.rest.toString()).toBe('{"type":"ADD');
});

it('closes the connection after a number of bytes, also within an event', async () => {
  const { texts, end } = await open('/whole', (events[0]?.length ?? 0) + 10);
  expect(texts).toEqual(events.slice(0, 1));
  expect(end?.how).toBe('cut');
  expect(end?.rest).toHaveLength(10);
});

it('gives up on a silent stream', async () => {
  const end = await client.stream({ method: 'GET', path: '/open' }, async (stream) => {
    expect(await stream.until((come) => come.length > 0)).toBe(true);
    return await stream.ended(200);
  });
  expect(end).toBeUndefined();
});

it('reads a complete refusal', async () => {
  const { stream, end } = await open('/refused');
  expect(stream.refusal?.excerpt()).toContain('too old');
  expect(end?.how).toBe('complete');
});

it('reads the frames of a protobuf stream', async () => {
  const { stream, end } = await open('/frames');
  expect(stream.events.map(({ value }) => value)).toEqual([
    { type: 'ADDED', object: named('n1') },
    { type: 'ADDED', object: named('n2') },
  ]);
  expect(end).toMatchObject({ how: 'complete', rest: Buffer.alloc(0) });
});

it('records frames without their secrets', async () => {
  client.takeExchanges();
  await open('/secret-frame');
  const [event] = client.takeExchanges()[0]?.events ?? [];
  const written = Buffer.from(event?.data.base64 ?? '', 'base64').toString('latin1');
  expect(written).toContain('ADDED');
  expect(written).not.toContain('a-token-of-a-secret');
});

it('records events without their secrets', async () => {
  client.takeExchanges();
  await open('/secret');
  const [exchange] = client.takeExchanges();
  expect(exchange?.events).toHaveLength(1);
  expect(JSON.stringify(exchange)).not.toContain(secret.data.token);
});
