// What the scale of a custom resource shows has its type, or the object is refused. `AGAINST` asks a real server
// (testing/customResources.ts), as apiextensions-apiserver 0.36.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import {
  DefinitionClient,
  definition,
  definitions,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';
import { sendExactly, types } from '../testing/exactRequests.js';

const plural = `scaled${Date.now() % 1_000_000}`;
const kind = `Scaled${Date.now() % 1_000_000}`;
const path = `/apis/example.com/v1/namespaces/default/${plural}`;
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.s' };
const object = (spec: string): string =>
  `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"name":"a"},"spec":${spec}}`;

let server: RunningServer;

beforeAll(async () => {
  server = await serverWithDefinitions();
  const schema = { spec: free, status: free };
  const made = definition(plural, kind, [version('v1', schema, { subresources: { status: {}, scale } })]);
  await sendExactly(server, 'POST', definitions, made);
  await new DefinitionClient(server).until(made, 'Established');
  await sendExactly(server, 'POST', path, object('{"n":1}'));
});
afterAll(async () => {
  await sendExactly(server, 'DELETE', `${definitions}/${plural}.example.com`);
  await server.close();
});

const wrong: readonly (readonly [value: string, why: string])[] = [
  ['-1', '-1: should be a non-negative integer'],
  ['2147483648', '2147483648: should be less than or equal to 2147483647'],
  ['9007199254740993', '9007199254740993: should be less than or equal to 2147483647'],
  ['1.5', '0: AT accessor error: 1.5 is of the type float64, expected int64'],
  ['1e21', '0: AT accessor error: 1e+21 is of the type float64, expected int64'],
  ['"1"', '0: AT accessor error: 1 is of the type string, expected int64'],
  ['true', '0: AT accessor error: true is of the type bool, expected int64'],
  ['[]', '0: AT accessor error: [] is of the type []interface {}, expected int64'],
  ['{}', '0: AT accessor error: map[] is of the type map[string]interface {}, expected int64'],
];

it.each(wrong)('%s is no number of replicas', async (value, why) => {
  const inSpec = why.replace('AT', '.spec.n');
  const made = await sendExactly(server, 'POST', `${path}?dryRun=All`, object(`{"n":${value}}`).replace('"a"', '"b"'));
  const patched = await sendExactly(server, 'PATCH', `${path}/a`, `{"spec":{"n":${value}}}`, types.merge);
  for (const { status, body } of [made, patched]) {
    expect([status, body.details.causes[0]]).toEqual([
      422,
      { reason: 'FieldValueInvalid', field: '.spec.n', message: `Invalid value: ${inSpec}` },
    ]);
  }
  const inStatus = await sendExactly(server, 'PATCH', `${path}/a/status`, `{"status":{"n":${value}}}`, types.merge);
  expect([inStatus.status, inStatus.body.details.causes[0].message]).toEqual([
    422,
    `Invalid value: ${why.replace('AT', '.status.n')}`,
  ]);
});

it.each(['1', 'true', '[]', '{}'])('%s is no selector', async (value) => {
  const { status } = await sendExactly(server, 'PATCH', `${path}/a/status`, `{"status":{"s":${value}}}`, types.merge);
  expect(status).toBe(422);
});

it('shows a selector where there is one', async () => {
  const statusOf = async () => (await sendExactly(server, 'GET', `${path}/a/scale`)).body.status;
  expect(await statusOf()).toEqual({ replicas: 0 });
  await sendExactly(server, 'PATCH', `${path}/a/status`, '{"status":{"n":2,"s":"a=b"}}', types.merge);
  expect(await statusOf()).toEqual({ replicas: 2, selector: 'a=b' });
});

it('of an object without replicas is an error, until a write sets them', async () => {
  await sendExactly(server, 'POST', path, object('{}').replace('"a"', '"none"'));
  const missing = {
    status: 500,
    body: expect.objectContaining({
      reason: 'InternalError',
      message: 'Internal error occurred: the spec replicas field ".spec.n" does not exist',
      details: { causes: [{ message: 'the spec replicas field ".spec.n" does not exist' }] },
    }),
  };
  const scaleOf = `${path}/none/scale`;
  expect(await sendExactly(server, 'GET', scaleOf)).toMatchObject(missing);
  const { status, body } = await sendExactly(server, 'PATCH', scaleOf, '{"spec":{"replicas":2}}', types.merge);
  expect([status, body.spec]).toEqual([200, { replicas: 2 }]);
  expect((await sendExactly(server, 'GET', scaleOf)).body.spec).toEqual({ replicas: 2 });
});

it('takes no strategic merge patch', async () => {
  const scaleOf = `${path}/a/scale`;
  const patched = await sendExactly(server, 'PATCH', scaleOf, '{"spec":{"replicas":3}}', types.strategic);
  expect([patched.status, patched.body.reason]).toEqual([415, 'UnsupportedMediaType']);
  expect(patched.body.message).toMatch(/application\/merge-patch\+json/);
  expect(patched.body.message).not.toContain('strategic');
});

it('comes after the status in discovery', async () => {
  const { body } = await sendExactly(server, 'GET', '/apis/example.com/v1');
  const own = body.resources.filter(({ name }: AnyShape) => name.split('/')[0] === plural);
  expect(own.map(({ name, verbs }: AnyShape) => [name, ...verbs])).toEqual([
    [plural, 'delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
    [`${plural}/status`, 'get', 'patch', 'update'],
    [`${plural}/scale`, 'get', 'patch', 'update'],
  ]);
});

it('declares the patches of its resource', async () => {
  const of = `/apis/example.com/v1/namespaces/{namespace}/${plural}/{name}`;
  const declared = async (at: string): Promise<string[]> => {
    const { body } = await sendExactly(server, 'GET', '/openapi/v3/apis/example.com/v1');
    return Object.keys(body.paths?.[at]?.patch.requestBody.content ?? {}).sort();
  };
  await expect.poll(() => declared(`${of}/scale`)).toContain(types.merge['content-type']);
  expect(await declared(`${of}/scale`)).toEqual(await declared(of));
  expect(await declared(of)).not.toContain(types.strategic['content-type']);
});
