// Custom resources among the other parts of a server: namespaces, owners, quotas, documents, and storage that lasts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inMemory } from '../../openStorage.js';
import { MemoryStorage } from '../../storage/memory.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { startFullServer } from '../index.js';
import {
  DefinitionClient,
  definition,
  definitions,
  eventually,
  mergePatch,
  version,
} from '../testing/customResources.js';
import { isChecked } from './validDefinitions.js';

const spec = {
  type: 'object',
  description: 'What it does.',
  properties: {
    size: { type: 'integer', description: 'How large.', default: 1 },
    either: { 'x-kubernetes-int-or-string': true },
    maybe: { type: 'string', nullable: true },
    bounds: {
      type: 'object',
      default: { a: 1 },
      maxProperties: 3,
      additionalProperties: { type: 'number', minimum: 1, maximum: 2.5, exclusiveMaximum: true, multipleOf: 1 },
    },
    texts: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', enum: ['a', 'b'], pattern: '^.$', anyOf: [{ minLength: 1 }], not: { maxLength: 0 } },
    },
  },
};
const things = definition('things', 'Thing', [version('v1', { spec })], {
  names: { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] },
});
const at = '/apis/example.com/v1/namespaces/default/things';
const thing = (name: string, metadata: object = {}): AnyShape => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name, ...metadata },
  spec: {},
});

const server = await startFullServer();
const client = new DefinitionClient(server);
beforeAll(() => client.define(things));
afterAll(async () => {
  await server.close();
});

it('is created only in a namespace, and goes with it', async () => {
  const there = at.replace('default', 'fleeting');
  const absent = await client.send('POST', there, thing('a'));
  expect([absent.status, absent.body.message]).toEqual([404, 'namespaces "fleeting" not found']);
  await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'fleeting' } });
  expect((await client.send('POST', there, thing('a'))).status).toBe(201);
  await client.send('DELETE', '/api/v1/namespaces/fleeting');
  await client.untilStatus(404, '/api/v1/namespaces/fleeting');
  expect((await client.send('GET', '/apis/example.com/v1/things')).body.items).toEqual([]);
});

it('goes with its owner, and takes its dependents with it', async () => {
  const maps = '/api/v1/namespaces/default/configmaps';
  const owned = (apiVersion: string, kind: string, { metadata: { name, uid } }: AnyShape) => ({
    ownerReferences: [{ apiVersion, kind, name, uid }],
  });
  const owner = await client.send('POST', maps, { metadata: { name: 'owner' } });
  const middle = await client.send('POST', at, thing('middle', owned('v1', 'ConfigMap', owner.body)));
  await client.send('POST', maps, { metadata: { name: 'child', ...owned('example.com/v1', 'Thing', middle.body) } });
  await client.send('DELETE', `${maps}/owner`);
  await client.untilStatus(404, `${at}/middle`);
  await client.untilStatus(404, `${maps}/child`);
});

it('is counted by quotas', async () => {
  const quotas = '/api/v1/namespaces/kube-public/resourcequotas';
  const there = at.replace('default', 'kube-public');
  const name = 'count/things.example.com';
  await client.send('POST', quotas, { metadata: { name: 'q' }, spec: { hard: { [name]: '1' } } });
  const used = (amount: string) =>
    eventually(async () => {
      expect((await client.send('GET', `${quotas}/q`)).body.status?.used).toEqual({ [name]: amount });
    });
  await used('0');
  expect((await client.send('POST', there, thing('a'))).status).toBe(201);
  const { status, body } = await client.send('POST', there, thing('b'));
  expect([status, body.message]).toEqual([403, expect.stringContaining(`exceeded quota: q, requested: ${name}=1`)]);
  await client.send('DELETE', `${there}/a`);
  await used('0');
});

it('is in discovery, and in what a 404 says', async () => {
  const { body } = await client.send('GET', '/apis/example.com/v1');
  expect(body.resources).toEqual([
    {
      name: 'things',
      singularName: 'thing',
      namespaced: true,
      kind: 'Thing',
      verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
      shortNames: ['th'],
      categories: ['all'],
      storageVersionHash: 'MkkTy7bNlnM=',
    },
  ]);
  expect((await client.send('GET', '/apis')).body.groups.map(({ name }: AnyShape) => name)).toContain('example.com');
  const wrong = await client.send('GET', '/apis/example.com/v1/thing');
  expect(wrong.body.message).toContain('the name in the path is "things"');
});

it('is in the documents of OpenAPI, which follow its definition', async () => {
  const { body } = await client.send('GET', '/openapi/v3/apis/example.com/v1');
  const schemas = body.components.schemas;
  const whole = schemas['com.example.v1.Thing'];
  expect(whole).toMatchObject({
    'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Thing' }],
    properties: { metadata: { allOf: [{ $ref: expect.stringContaining('ObjectMeta') }] }, spec },
  });
  expect(schemas['com.example.v1.ThingList'].properties.items).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/com.example.v1.Thing' },
  });
  const v2 = (await client.send('GET', '/openapi/v2')).body;
  const { properties } = v2.definitions['com.example.v1.Thing'].properties.spec;
  expect(properties).toEqual({
    ...spec.properties,
    texts: { ...spec.properties.texts, items: { type: 'string', enum: ['a', 'b'], pattern: '^.$' } },
    either: { 'x-kubernetes-int-or-string': true },
    maybe: {},
  });
  for (const [path, version] of [
    ['/openapi/v2', 'v2'],
    ['/openapi/v3/apis/example.com/v1', 'v3'],
  ] as const) {
    const accept = `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
    expect((await client.send('GET', path, undefined, { accept })).headers['content-type']).toBe(accept);
  }
  const patch = body.paths['/apis/example.com/v1/namespaces/{namespace}/things/{name}'].patch;
  expect(Object.keys(patch.requestBody.content)).toEqual([
    'application/json-patch+json',
    mergePatch,
    'application/apply-patch+yaml',
  ]);
  const next = [version('v1', { spec: { ...spec, description: 'What it did.' } })];
  const change = { spec: { versions: next } };
  await client.send('PATCH', `${definitions}/things.example.com`, change, { 'content-type': mergePatch });
  await eventually(async () => {
    const later = (await client.send('GET', '/openapi/v3/apis/example.com/v1')).body.components.schemas;
    expect(later['com.example.v1.Thing'].properties.spec.description).toBe('What it did.');
  });
});

it('survives a restart', async () => {
  const storage = new MemoryStorage();
  storage.close = async () => {};
  const openStorage = async () => ({ ...(await inMemory()), storage });
  const started = async (use: (client: DefinitionClient) => Promise<void>) => {
    await using running = await startFullServer({ openStorage });
    await use(new DefinitionClient(running));
  };
  await started(async (first) => {
    await first.define(things);
    await first.send('POST', at, thing('kept'));
  });
  await started(async (second) => {
    const { status, body } = await second.send('GET', `${at}/kept`);
    expect([status, body.spec.size]).toEqual([200, 1]);
    expect((await second.send('POST', at, { ...thing('wrong'), spec: { size: 'x' } })).status).toBe(422);
    await second.send('DELETE', `${definitions}/things.example.com`);
    await second.untilStatus(404, `${definitions}/things.example.com`);
  });
  await started(async (third) => {
    await third.define(things);
    expect((await third.send('GET', at)).body.items).toEqual([]);
  });
});

it('is checked when it is written, not again when it is served', async () => {
  const storage = new MemoryStorage();
  await using running = await startFullServer({ openStorage: async () => ({ ...(await inMemory()), storage }) });
  const first = new DefinitionClient(running);
  await first.define(things);
  const key = 'apiextensions.k8s.io/customresourcedefinitions/things.example.com';
  const spec = async () => (await storage.get(key))?.value.spec as AnyShape;
  const written = await spec();
  expect(isChecked(written)).toBe(true);
  expect(isChecked(structuredClone(written))).toBe(false);
  const change = { spec: { names: { categories: ['more'] } } };
  const headers = { 'content-type': mergePatch };
  const at = `${definitions}/things.example.com`;
  expect((await first.send('PATCH', at, change, headers)).status).toBe(200);
  const changed = await spec();
  expect([changed === written, isChecked(changed)]).toEqual([false, true]);
});
