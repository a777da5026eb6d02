// The OpenAPI documents of other servers, within those of this one: what they say, and what bad ones cost.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeServerCertificates } from '../../../test-certs/index.js';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';
import { decodeGnostic } from '../testing/gnostic.js';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const services = '/api/v1/namespaces/kube-system/services';
const name = 'v1.shop.example.com';
const group = 'shop.example.com';
const api = `apis/${group}/v1`;

let front: RunningServer;
let tls: { certificate: string; key: string; ca: string };
let caBundle: string;
const { send, create, read } = sendingTo(() => front);

beforeAll(async () => {
  front = await startFullServer({ allowLoopbackWebhooks: true });
  const { ca, server } = await makeServerCertificates('127.0.0.1', { names: ['DNS:shop.kube-system.svc'] });
  tls = { ...server, ca: ca.certificate };
  caBundle = Buffer.from(ca.certificate).toString('base64');
});
afterEach(async () => {
  await send('DELETE', `${apiServices}/${name}`);
  await send('DELETE', `${services}/shop`);
});
afterAll(() => front.close());

async function register(port: number): Promise<void> {
  await create(services, { metadata: { name: 'shop' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
  const service = { namespace: 'kube-system', name: 'shop', port };
  const spec = { group, version: 'v1', service, caBundle, groupPriorityMinimum: 100, versionPriority: 100 };
  expect((await create(apiServices, { metadata: { name }, spec })).status).toBe(201);
}

const isAvailable = () =>
  expect.poll(async () => (await read(`${apiServices}/${name}`)).status?.conditions?.[0]?.status).toBe('True');
const urlV3 = async (): Promise<string> => (await read('/openapi/v3')).paths[api]?.serverRelativeURL ?? '';
const pathsV2 = async (): Promise<readonly string[]> =>
  Object.keys((await read('/openapi/v2')).paths).filter((path) => path.startsWith(`/${api}`));

const shirt = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'string', description: 'How big it is.' } } } },
};

/** Returns the definitions that a document refers to and lacks. */
function dangling(document: AnyShape): readonly string[] {
  const names = [...JSON.stringify(document).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, found]) => found ?? '');
  return [...new Set(names)].filter((each) => !Object.hasOwn(document.definitions, each));
}

describe('a server of the same kind, of another version', () => {
  let folder: string;
  let backend: RunningServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aggregated-'));
    const { data } = await read('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
    await writeFile(join(folder, 'ca.crt'), data['requestheader-client-ca-file']);
    backend = await startFullServer({
      tls,
      kubeVersion: '1.27',
      requestheaderClientCaFile: join(folder, 'ca.crt'),
      requestheaderAllowedNames: JSON.parse(data['requestheader-allowed-names']),
      requestheaderUsernameHeaders: JSON.parse(data['requestheader-username-headers']),
      requestheaderGroupHeaders: JSON.parse(data['requestheader-group-headers']),
    });
    const { send: tell } = sendingTo(() => backend);
    const names = { plural: 'shirts', singular: 'shirt', kind: 'Shirt' };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: shirt } }];
    await tell('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `shirts.${group}` },
      spec: { group, scope: 'Namespaced', names, versions },
    });
    const port = Number(new URL(backend.url).port);
    await register(port);
  });
  afterAll(async () => {
    await backend.close();
    await rm(folder, { recursive: true });
  });

  it('is in the documents of this one', async () => {
    await isAvailable();
    await expect.poll(urlV3).toMatch(new RegExp(`^/openapi/v3/${api}\\?hash=[0-9A-F]{128}$`));
    const v3 = await read(await urlV3());
    const schema = v3.components.schemas['com.example.shop.v1.Shirt'];
    expect(schema.properties.spec.properties.size.description).toBe('How big it is.');

    await expect.poll(pathsV2).toContain(`/${api}/namespaces/{namespace}/shirts`);
    const merged = await read('/openapi/v2');
    expect(merged.definitions['com.example.shop.v1.Shirt'].properties.metadata.$ref).toBe(
      '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    );
    expect(dangling(merged)).toEqual([]);
    expect(Object.keys(merged.paths)).toContain('/api/v1/pods');
    expect(await pathsV2()).not.toContain('/apis/apps/v1');
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    expect(decodeGnostic('v2', (await ask(front, '/openapi/v2', { headers: { accept } })).bytes)).toEqual(merged);

    await send('DELETE', `${apiServices}/${name}`);
    await expect.poll(urlV3).toBe('');
    expect(await pathsV2()).toEqual([]);
  });
});

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

async function startBackend(respond: Respond) {
  const backend = createServer({ cert: tls.certificate, key: tls.key }, (request, response) => {
    if (request.url !== `/${api}`) return respond(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ kind: 'APIResourceList', groupVersion: `${group}/v1`, resources: [] }));
  });
  await once(backend.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    backend.closeAllConnections();
    backend.close();
  };
  return { port: (backend.address() as AddressInfo).port, [Symbol.dispose]: close };
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const gvk = [{ group, version: 'v1', kind: 'Sock' }];
const reference = (to: string) => ({ $ref: `#/definitions/${to}` });
const oldDocument = {
  swagger: '2.0',
  info: { title: 'Socks', version: 'v0' },
  paths: {
    '/apis/other.example.com/v1/things': {
      get: { responses: { 200: { description: 'OK', schema: reference('Other') } } },
    },
    [`/${api}/socks`]: {
      get: {
        operationId: 'listSocks',
        produces: ['application/json'],
        parameters: [{ $ref: '#/parameters/limit' }],
        responses: { 200: { description: 'OK', schema: reference('Sock') } },
        'x-kubernetes-action': 'list',
        'x-kubernetes-group-version-kind': gvk[0],
      },
      post: {
        consumes: ['*/*'],
        parameters: [{ name: 'body', in: 'body', required: true, schema: reference('Sock') }],
        responses: { 201: { description: 'Created', schema: reference('Sock') } },
      },
    },
  },
  parameters: { limit: { name: 'limit', in: 'query', type: 'integer', uniqueItems: true } },
  definitions: {
    Sock: {
      type: 'object',
      properties: { metadata: reference(`${meta}.ObjectMeta`), same: reference(`${meta}.FieldsV1`) },
      'x-kubernetes-group-version-kind': gvk,
    },
    Other: { type: 'object' },
    [`${meta}.ObjectMeta`]: { type: 'object', properties: { name: { type: 'string' } } },
    [`${meta}.ObjectMeta_v2`]: { type: 'object' },
  },
};

const json = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value));

describe('a server with OpenAPI 2 alone', () => {
  it('is merged under other names, and has a document of OpenAPI 3', async () => {
    let known = 0;
    using backend = await startBackend((request, response) => {
      if (request.url !== '/openapi/v2') return response.writeHead(404).end();
      if (request.headers['if-none-match'] === '"1"') {
        known++;
        return response.writeHead(304).end();
      }
      json(response.setHeader('etag', '"1"'), oldDocument);
    });
    await register(backend.port);
    await isAvailable();
    await expect.poll(pathsV2).toEqual([`/${api}/socks`]);
    const { definitions, paths } = await read('/openapi/v2');
    expect(definitions.Sock.properties.metadata).toEqual(reference(`${meta}.ObjectMeta_v2`));
    expect(definitions[`${meta}.ObjectMeta_v2`]).toEqual(oldDocument.definitions[`${meta}.ObjectMeta`]);
    expect(Object.keys(definitions[`${meta}.ObjectMeta`].properties)).toContain('namespace');
    expect(definitions.Other).toBeUndefined();
    expect(paths[`/${api}/socks`].get.parameters).toEqual([oldDocument.parameters.limit]);

    const { paths: upgraded, components } = await read(await urlV3());
    expect(components.schemas.Sock.properties.metadata).toEqual({ $ref: `#/components/schemas/${meta}.ObjectMeta` });
    expect(upgraded[`/${api}/socks`].get).toMatchObject({
      parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', uniqueItems: true } }],
      responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Sock' } } } } },
      'x-kubernetes-group-version-kind': gvk[0],
    });
    expect(upgraded[`/${api}/socks`].post.requestBody).toEqual({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Sock' } } },
      required: true,
    });
    // A change of the object has the server asked again.
    await send('PATCH', `${apiServices}/${name}`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json');
    await expect.poll(() => known).toBeGreaterThan(0);
    expect(await pathsV2()).toEqual([`/${api}/socks`]);
    await send('DELETE', `${apiServices}/${name}`);
    await expect.poll(urlV3).toBe('');
  });
});

const deep = `{"swagger":"2.0","paths":{"/${api}/x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`;

describe('a server whose documents are bad', () => {
  it.each<readonly [string, Respond]>([
    ['absent', (_, response) => response.writeHead(404).end()],
    ['broken off', (_, response) => response.destroy()],
    ['never sent', () => {}],
    ['endless', (_, response) => void endless(response)],
    ['no JSON', (_, response) => response.end('<html>')],
    ['JSON of another kind', (_, response) => json(response, ['a', null])],
    ['nulls', (_, response) => json(response, { swagger: '2.0', paths: null, definitions: null })],
    ['lists', (_, response) => json(response, { swagger: '2.0', paths: { [`/${api}/x`]: [1] }, definitions: [2] })],
    [
      'numbers',
      (_, response) => json(response, { swagger: '2.0', paths: { [`/${api}/x`]: { get: { parameters: 1 } } } }),
    ],
    ['deep', (_, response) => response.end(deep)],
  ])('%s changes nothing', async (_what, respond) => {
    const [v2, v3] = [await ask(front, '/openapi/v2'), await ask(front, '/openapi/v3')];
    let asked = 0;
    using backend = await startBackend((request, response) => {
      asked++;
      respond(request, response);
    });
    await register(backend.port);
    await isAvailable();
    await expect.poll(() => asked).toBeGreaterThan(0);
    for (const path of ['/openapi/v2', '/openapi/v3']) expect((await ask(front, path)).status).toBe(200);
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    expect((await ask(front, '/openapi/v2', { headers: { accept } })).status).toBe(200);
    await send('DELETE', `${apiServices}/${name}`);
    await expect.poll(async () => (await ask(front, '/openapi/v3')).text).toBe(v3.text);
    expect((await ask(front, '/openapi/v2')).text).toBe(v2.text);
  });
});

function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('[ '.repeat(10_000)));
  };
  response.on('drain', more);
  more();
}
