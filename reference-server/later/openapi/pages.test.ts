// The pages of the OpenAPI documents, as clients read them: media types, tags, hashes, compression.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { type Ask, ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';
import { decodeGnostic } from '../testing/gnostic.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(() => server.close());

const get = (path: string, headers: Ask['headers'] = {}) => ask(server, path, { headers });
const jsonOf = async (path: string): Promise<AnyShape> => JSON.parse((await get(path)).text);
const [jsonType, typeV2, typeV3] = [
  'application/json',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
];

describe('OpenAPI 2', () => {
  it.each(['/openapi/v2', '/swagger.json'])('%s', async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, headers['content-type'], headers.vary]).toEqual([200, jsonType, 'Accept, Accept-Encoding']);
    expect(JSON.parse(text)).toMatchObject({ swagger: '2.0', info: { version: 'v1.36.0' } });
  });

  it.each([typeV2, typeV2.replace('v2.v1', 'v2@v1')])('as %s', async (accept) => {
    const { headers, bytes } = await get('/openapi/v2', { accept });
    expect(headers['content-type']).toBe(typeV2);
    expect(decodeGnostic('v2', bytes)).toEqual(await jsonOf('/openapi/v2'));
  });

  it('is JSON for a client that prefers it, and 406 for one that wants neither', async () => {
    expect((await get('/openapi/v2', { accept: `${typeV2};q=0.5, ${jsonType}` })).headers['content-type']).toBe(
      jsonType,
    );
    expect((await get('/openapi/v2', { accept: 'text/html' })).status).toBe(406);
  });
});

it.each([
  ['1.23', 404],
  ['1.24', 200],
])('OpenAPI 3 is there since 1.24: %s', async (kubeVersion, status) => {
  await using own = await startFullServer({ kubeVersion });
  for (const path of ['/openapi/v3', '/openapi/v3/api/v1']) expect((await ask(own, path)).status).toBe(status);
  expect((await ask(own, '/openapi/v2')).status).toBe(200);
  const { paths } = JSON.parse((await ask(own, '/')).text);
  expect(paths.includes('/openapi/v3')).toBe(status === 200);
});

describe('OpenAPI 3', () => {
  it('has an index of its documents, with their hashes', async () => {
    const { paths } = await jsonOf('/openapi/v3');
    const served = ['api', 'api/v1', 'apis', 'apis/batch', 'apis/batch/v1', 'apis/extensions/v1beta1', 'version'];
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(served));
    for (const [path, { serverRelativeURL }] of Object.entries<AnyShape>(paths)) {
      expect(serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]{128}$`));
      const { status, headers, text } = await get(serverRelativeURL);
      expect([status, headers['cache-control'], headers.expires]).toEqual([
        200,
        'public, immutable',
        expect.stringContaining('GMT'),
      ]);
      expect(JSON.parse(text)).toMatchObject({ openapi: '3.0.0' });
    }
  });

  it('sends a client with another hash to the present one, and caches nothing without a hash', async () => {
    const { paths } = await jsonOf('/openapi/v3');
    const { status, headers } = await get('/openapi/v3/api/v1?hash=ABC');
    expect([status, headers.location]).toEqual([301, paths['api/v1'].serverRelativeURL]);
    expect((await get('/openapi/v3/api/v1')).headers['cache-control']).toBe('no-cache, private');
  });

  it('is served as protobuf', async () => {
    const { headers, bytes } = await get('/openapi/v3/apis/batch/v1', { accept: typeV3 });
    expect(headers['content-type']).toBe(typeV3);
    expect(decodeGnostic('v3', bytes)).toEqual(await jsonOf('/openapi/v3/apis/batch/v1'));
  });

  it.each(['/openapi/v3/apis/nothing/v1', '/openapi/v3/apis/authentication.k8s.io/v1beta1', '/openapi/v1'])(
    '%s is 404',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('tags and compression', () => {
  it.each(['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1', '/swagger.json'])('of %s', async (path) => {
    const { headers, bytes } = await get(path);
    const tag = String(headers.etag);
    expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const same = await get(path, { 'if-none-match': known });
      expect([same.status, same.bytes.length, same.headers.etag]).toEqual([304, 0, tag]);
      expect(same.headers['content-length']).toBeUndefined();
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    const compressed = await get(path, { 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.bytes)).toEqual(bytes);
    expect((await get(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  });
});

it('are as the server is: below its base path, with its group versions and its version', async () => {
  await using other = await startFullServer({
    basePath: '/k8s/c1',
    kubeVersion: '1.36',
    without: ['group:batch'],
    runtimeConfig: 'authentication.k8s.io/v1beta1=true',
  });
  const read = async (path: string): Promise<AnyShape> => JSON.parse((await ask(other, `/k8s/c1${path}`)).text);
  const { paths } = await read('/openapi/v3');
  expect(Object.keys(paths)).toContain('apis/authentication.k8s.io/v1beta1');
  expect(Object.keys(paths)).not.toContain('apis/batch/v1');
  expect(paths['api/v1'].serverRelativeURL).toMatch(/^\/k8s\/c1\/openapi\/v3\/api\/v1\?hash=/);
  const { info, definitions } = await read('/openapi/v2');
  expect(info.version).toBe('v1.36.0');
  expect(Object.keys(definitions)).not.toContain('io.k8s.api.batch.v1.Job');
});
