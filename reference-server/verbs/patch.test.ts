// Tests PATCH of objects: the result is decoded, validated and stored like a replace.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Direct, type Reply, startDirect } from '../testing/direct.js';

const at = '/api/v1/namespaces/default/configmaps/pt';
const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;
let server: Direct;
let before: Reply['body'];

beforeEach(async () => {
  server = await startDirect();
  const body = { metadata: { name: 'pt' }, data: { a: '1', b: '2' } };
  before = (await server.call('POST', '/api/v1/namespaces/default/configmaps', { body })).body;
  return server.stop;
});

const patch = (type: keyof typeof types, body: unknown, url = at) =>
  server.call('PATCH', url, { body, mediaType: types[type] });

test.each([
  [
    'json',
    [
      { op: 'replace', path: '/data/a', value: '9' },
      { op: 'remove', path: '/data/b' },
    ],
  ],
  ['merge', { data: { a: '9', b: null } }],
  ['strategic', { data: { a: '9', b: null } }],
] as const)('%s patch', async (type, body) => {
  const reply = await patch(type, body);
  expect([reply.status, reply.body.data]).toEqual([200, { a: '9' }]);
  expect(Number(reply.body.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  expect((await server.call('GET', at)).body).toEqual(reply.body);
});

test.each([
  ['json', []],
  ['merge', {}],
  ['strategic', {}],
  ['json', null],
  ['strategic', null],
  ['merge', { metadata: { resourceVersion: null, selfLink: '/x' } }],
  ['strategic', { kind: 'Secret', apiVersion: 'v9' }],
] as const)('%s patch %j changes nothing', async (type, body) => {
  expect((await patch(type, body)).body).toEqual(before);
});

test('a null in what replaces a map is an empty value, and removes nothing', async () => {
  const { body } = await patch('strategic', { data: { $patch: 'replace', a: null, c: '3' } });
  expect(body.data).toEqual({ a: '', c: '3' });
});

describe('refused', () => {
  test.each([
    ['json', [{ op: 'test', path: '/data/a', value: 'WRONG' }], 422],
    ['json', [{ op: 'remove', path: '/data/nope' }], 422],
    ['json', { op: 'add' }, 400],
    ['json', [{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }], 409],
    ['json', [{ op: 'replace', path: '/metadata/name', value: 'zz' }], 400],
    ['json', [{ op: 'replace', path: '', value: 'text' }], 422],
    ['merge', [1], 400],
    ['merge', { metadata: { resourceVersion: '1' } }, 409],
    ['merge', { metadata: { name: 'zz' } }, 400],
    ['merge', { metadata: { uid: 'zzz' } }, 422],
    ['merge', { data: { a: 5 } }, 422],
    ['merge', { kind: 'Secret' }, 422],
    ['merge', { metadata: { labels: { '-': 'x' } } }, 422],
    ['strategic', { metadata: { name: 'zz' } }, 400],
    ['strategic', { data: { $patch: 'bogus' } }, 400],
  ] as const)('%s patch %j', async (type, body, status) => {
    const reply = await patch(type, body);
    expect([reply.status, reply.body.kind]).toEqual([status, 'Status']);
    expect((await server.call('GET', at)).body).toEqual(before);
  });

  test.each(['application/json', 'application/apply-patch+yaml'])('%s', async (mediaType) => {
    expect((await server.call('PATCH', at, { body: {}, mediaType })).status).toBe(415);
  });

  test('without a body, or an object', async () => {
    expect((await server.call('PATCH', at)).status).toBe(400);
    expect((await patch('merge', {}, `${at}-absent`)).status).toBe(404);
  });
});

test('a patch as a dry run changes nothing', async () => {
  expect((await patch('merge', { data: { dry: '2' } }, `${at}?dryRun=All`)).body.data).toEqual({
    a: '1',
    b: '2',
    dry: '2',
  });
  expect((await server.call('GET', at)).body).toEqual(before);
});
