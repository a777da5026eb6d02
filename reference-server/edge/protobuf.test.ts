// Tests protobuf through the whole server, on real connections: bodies, responses, errors, lists, streams.
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { ApiObject } from '../codecs/codec.js';
import { type RunningServer, startServer } from '../server.js';
import { mediaType, protobuf, sendProtobuf } from '../testing/protobuf.js';
import { ask } from '../testing/standIn.js';

const maps = '/api/v1/namespaces/default/configmaps';
let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const send = (method: string, path: string, body?: ApiObject | Uint8Array, accept?: string) =>
  sendProtobuf(server, method, path, body, accept);

const map = (name: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });

describe('an error', () => {
  it('is a Status in the requested codec', async () => {
    const { status, type, object } = await send('GET', `${maps}/nobody`);
    expect([status, type]).toEqual([404, mediaType]);
    expect(object).toMatchObject({ apiVersion: 'v1', kind: 'Status', reason: 'NotFound', details: { name: 'nobody' } });
  });

  it.each([
    ['that is not protobuf', Buffer.from('{"metadata":{"name":"x"}}')],
    ['that ends early', protobuf.encode(map('x'), false).subarray(0, 25)],
    ['of another kind', protobuf.encode({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }, false)],
    ['of another version', protobuf.encode({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'x' } }, false)],
    ['that is empty', Buffer.alloc(0)],
  ])('is the response to a body %s', async (_, body) => {
    const { status, object } = await send('POST', maps, body);
    expect([status, object.kind, object.reason]).toEqual([400, 'Status', 'BadRequest']);
    expect((await send('GET', `${maps}/x`)).status).toBe(404);
  });

  it('is the response to a patch in protobuf', async () => {
    const { status, object } = await send('PATCH', `${maps}/x`, map('x'));
    expect([status, object.reason]).toEqual([415, 'UnsupportedMediaType']);
  });

  it('is the response for a path without objects, unless the client accepts JSON too', async () => {
    expect(await send('GET', '/version')).toMatchObject({ status: 406, object: { reason: 'NotAcceptable' } });
    const { type, object } = await send('GET', '/version', undefined, `${mediaType}, application/json`);
    expect([type, object.major]).toEqual(['application/json', '1']);
  });
});

it('bytes with damage anywhere get a response, without a crash', async () => {
  const container = { name: 'c', image: 'i', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } };
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container], restartPolicy: 'Never' } };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'broken' }, spec: { template } };
  const bytes = protobuf.encode(job, false);
  const codes = new Set<number>();
  const jobs = '/apis/batch/v1/namespaces/default/jobs?dryRun=All';
  for (let at = 0; at < bytes.length; at += 2) {
    const broken = Buffer.from(bytes);
    broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8));
    const { status, object } = await send('POST', jobs, broken);
    if (status !== 200) expect(object.kind).toBe('Status');
    codes.add(status);
  }
  expect([...codes].filter((code) => ![200, 400, 403, 422].includes(code))).toEqual([]);
  expect(codes).toContain(400);
  expect((await send('POST', jobs, job)).status).toBe(200);
});

it.each(['/api', '/apis', '/apis/batch', '/api/v1', '/apis/extensions/v1beta1'])('discovery: %s', async (path) => {
  const { object } = await send('GET', path, undefined, 'application/json');
  expect((await send('GET', path)).object).toEqual({ apiVersion: '', ...object });
});

/** Returns the events of a byte stream, up to a number. */
async function events(path: string, count: number): Promise<{ type: string; events: Uint8Array[] }> {
  const { port, caCertificate: ca, token } = server;
  const headers = { Authorization: `Bearer ${token}`, Accept: `${mediaType};stream=watch` };
  const request = httpsRequest({ host: '127.0.0.1', port, ca, agent: false, path, headers }).end();
  const [response] = await once(request, 'response');
  const found: Uint8Array[] = [];
  let bytes = Buffer.alloc(0);
  for await (const chunk of response) {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE()) {
      const end = 4 + bytes.readUInt32BE();
      found.push(bytes.subarray(4, end));
      bytes = bytes.subarray(end);
    }
    if (found.length >= count) break;
  }
  return { type: response.headers['content-type'], events: found };
}

function event(bytes: Uint8Array): [string, ApiObject] {
  const buffer = Buffer.from(bytes);
  const type = buffer.subarray(2, 2 + (buffer[1] ?? 0)).toString();
  return [type, protobuf.decode(buffer.subarray(buffer.indexOf('k8s\0'))) as ApiObject];
}

describe('a watch', () => {
  it('is framed events, also for an error', async () => {
    await send('POST', maps, map('w', { data: { a: 'b' } }));
    const { type, events: seen } = await events(`${maps}?watch=1&fieldSelector=metadata.name%3Dw`, 1);
    expect(type).toBe(`${mediaType};stream=watch`);
    const read = await send('GET', `${maps}/w`);
    expect(seen.map(event)).toEqual([['ADDED', read.object]]);
  });

  it('over a WebSocket is a binary message for each event, without a length', async () => {
    await send('POST', maps, map('ws'));
    const socket = new WebSocket(
      `${server.url.replace('https', 'wss')}${maps}?watch=1&fieldSelector=metadata.name%3Dws`,
      {
        ca: server.caCertificate,
        headers: { Authorization: `Bearer ${server.token}`, Accept: mediaType },
      },
    );
    const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
    expect(isBinary).toBe(true);
    expect(event(data)).toMatchObject(['ADDED', { kind: 'ConfigMap', metadata: { name: 'ws' } }]);
    socket.close();
    await once(socket, 'close');
  });
});

it('serves the media type of another vendor', async () => {
  await using other = await startServer({ vendor: 'example' });
  const asked = async (accept: string) =>
    (await ask(other, maps, { headers: { Accept: accept } })).headers['content-type'];
  expect(await asked('application/vnd.example.protobuf')).toBe('application/vnd.example.protobuf');
  expect(await asked(`${mediaType}, application/json`)).toBe('application/json');
  await expect(startServer({ vendor: 'a/b' })).rejects.toThrow('--vendor: "a/b" cannot be in a media type');
});
