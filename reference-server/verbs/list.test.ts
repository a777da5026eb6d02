// Tests lists: envelope, selectors, pages, revisions.
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import type { Range } from '../storage/storage.js';
import { type Direct, type Reply, startDirect } from '../testing/direct.js';

const maps = '/api/v1/namespaces/default/configmaps';
const key = 'core/configmaps/default';
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  for (const [name, app] of Object.entries({ b: 'x', a: 'y', c: 'x' })) {
    await server.create(maps, { metadata: { name, labels: { app } } });
  }
  await server.create('/api/v1/namespaces', { metadata: { name: 'other' } });
  await server.create('/api/v1/namespaces/other/configmaps', { metadata: { name: 'd' } });
  return server.stop;
});

interface Named {
  readonly metadata: { readonly name: string };
}

const names = async (url: string): Promise<string[]> =>
  (await server.call('GET', url)).body.items.map(({ metadata }: Named) => metadata.name);

test('a list has items without apiVersion and kind', async () => {
  const { body } = await server.call('GET', maps);
  expect([body.kind, body.apiVersion, Object.keys(body)]).toEqual([
    'ConfigMapList',
    'v1',
    ['kind', 'apiVersion', 'metadata', 'items'],
  ]);
  expect(body.metadata).toEqual({ selfLink: maps, resourceVersion: expect.stringMatching(/^\d+$/) });
  expect(Object.keys(body.items[0])).toEqual(['metadata']);
});

test.each([
  [maps, 'a b c'],
  ['/api/v1/configmaps', 'a b c d'],
  [`${maps}?labelSelector=app%3Dx`, 'b c'],
  [`${maps}?labelSelector=app%3Dx&fieldSelector=metadata.name%3Dc`, 'c'],
  [`${maps}?fieldSelector=metadata.namespace%3Dother`, ''],
  ['/api/v1/namespaces/absent/configmaps', ''],
  [`${maps}?resourceVersion=0`, 'a b c'],
  [`${maps}?limit=-1`, 'a b c'],
])('%s', async (url, expected) => expect((await names(url)).join(' ')).toBe(expected));

test('a list has pages of one revision', async () => {
  const first = (await server.call('GET', `${maps}?limit=2`)).body;
  expect([first.items.length, first.metadata.remainingItemCount]).toEqual([2, 1]);
  await server.create(maps, { metadata: { name: 'bb' } });
  const rest = (await server.call('GET', `${maps}?limit=2&continue=${first.metadata.continue}`)).body;
  expect(rest.items.map(({ metadata }: Named) => metadata.name)).toEqual(['c']);
  expect(rest.metadata).toEqual({ selfLink: maps, resourceVersion: first.metadata.resourceVersion });
  const selected = (await server.call('GET', `${maps}?limit=1&labelSelector=app%3Dx`)).body;
  expect(selected.items[0].metadata.name).toBe('b');
  expect(await names(`${maps}?labelSelector=app%3Dx&continue=${selected.metadata.continue}`)).toEqual(['c']);
});

test('pages of a compacted revision can be continued at the newest one', async () => {
  const storage = new MemoryStorage({ history: 10 });
  const own = await startDirect(storage);
  for (const name of ['a', 'b', 'd']) await own.create(maps, { metadata: { name } });
  const { metadata } = (await own.call('GET', `${maps}?limit=1`)).body;
  for (const name of ['c', 'e']) await own.create(maps, { metadata: { name } });
  await storage.compact(await storage.revision());
  const gone = await own.call('GET', `${maps}?limit=1&continue=${metadata.continue}`);
  expect(gone).toMatchObject({
    status: 410,
    body: { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 },
  });
  expect(gone.body.message).toMatch(/^The provided continue parameter is too old .* use the continue token in this/);
  const rest = (await own.call('GET', `${maps}?limit=2&continue=${gone.body.metadata.continue}`)).body;
  const namesOf = ({ items }: Reply['body']) => items.map((item: Named) => item.metadata.name);
  expect([namesOf(rest), rest.metadata.resourceVersion]).toEqual([['b', 'c'], String(await storage.revision())]);
  await own.create(maps, { metadata: { name: 'f' } });
  const last = (await own.call('GET', `${maps}?continue=${rest.metadata.continue}`)).body;
  expect([namesOf(last), last.metadata.resourceVersion]).toEqual([['d', 'e'], rest.metadata.resourceVersion]);
  await own.stop();
});

test.each([
  [{ v: 1, rv: -1, after: `${key}/b` }, 200],
  [{ v: 1, rv: 0, after: `${key}/b` }, 400],
  [{ v: 1, after: `${key}/b` }, 400],
  [{ v: 1, rv: 'x', after: `${key}/b` }, 400],
  [{ v: 2, rv: -1, after: `${key}/b` }, 400],
  [{ v: 1, rv: -1, after: 'secrets/default/b' }, 400],
  [null, 400],
])('a continue token of %j is %i', async (token, status) => {
  const text = Buffer.from(JSON.stringify(token)).toString('base64url');
  const { status: answered, body } = await server.call('GET', `${maps}?continue=${text}`);
  expect(answered).toBe(status);
  if (status === 400) expect(body.message).toMatch(/^invalid continue token: continue key is not valid/);
});

test('a list has the requested revision', async () => {
  const { resourceVersion } = (await server.call('GET', maps)).body.metadata;
  await server.call('DELETE', `${maps}/a`);
  expect(await names(`${maps}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`)).toEqual(['a', 'b', 'c']);
  expect(await names(`${maps}?resourceVersion=${resourceVersion}`)).toEqual(['b', 'c']);
});

test.each([
  ['labelSelector=,,,', 400],
  ['fieldSelector=bogus', 400],
  ['limit=abc', 400],
  ['timeoutSeconds=abc', 400],
  ['resourceVersion=abc', 400],
  ['resourceVersion=99999999', 504],
  ['continue=abc', 400],
  ['resourceVersionMatch=Exact', 422],
  ['resourceVersionMatch=x&resourceVersion=1', 422],
  ['resourceVersionMatch=NotOlderThan&resourceVersion=1&sendInitialEvents=true', 422],
  ['sendInitialEvents=false', 422],
])('?%s is %i', async (query, status) => {
  expect((await server.call('GET', `${maps}?${query}`)).status).toBe(status);
});

describe('a selector with a limit', () => {
  const count = 1500;
  const storage = new MemoryStorage();
  const many = (step: number) => `${maps}?labelSelector=every${step}&limit=5`;
  let own: Direct;

  beforeAll(async () => {
    own = await startDirect(storage);
    for (let index = 0; index < count; index += 1) {
      const labels = Object.fromEntries(
        [2, 500].filter((step) => index % step === 0).map((step) => [`every${step}`, '']),
      );
      await own.create(maps, { metadata: { name: `m${10_000 + index}`, labels } });
    }
    return own.stop;
  });
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    [2, 750, 600],
    [500, 3, count],
  ])('pages through each %ith', async (step, expected, mostForOne) => {
    const read = vi.spyOn(storage, 'list');
    const found: string[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      read.mockClear();
      const { items, metadata }: Reply['body'] = (await own.call('GET', `${many(step)}&continue=${token}`)).body;
      found.push(...items.map((item: Named) => item.metadata.name));
      token = metadata.continue;
      const ranges = await Promise.all(read.mock.results.map(({ value }) => value as Promise<Range>));
      const entries = ranges.reduce((sum, range) => sum + range.entries.length, 0);
      // A page does not read the whole rest.
      expect(entries).toBeLessThanOrEqual(mostForOne);
      if (token !== undefined) expect(items).toHaveLength(5);
    }
    expect(found).toHaveLength(expected);
    expect(new Set(found).size).toBe(expected);
    expect(found).toEqual(found.toSorted());
  });

  test('shows one revision, with writes between the turns of one page', async () => {
    const list = storage.list.bind(storage);
    let writes = 0;
    vi.spyOn(storage, 'list').mockImplementation(async (prefix, options) => {
      const range = await list(prefix, options);
      if (prefix.includes('configmaps') && options?.limit && writes < 3) {
        writes += 1;
        await own.call('DELETE', `${maps}/m1100${writes}`);
      }
      return range;
    });
    const { items, metadata } = (await own.call('GET', `${maps}?labelSelector=every500&limit=50`)).body;
    expect(writes).toBe(3);
    expect(items).toHaveLength(3);
    expect(Number(metadata.resourceVersion)).toBeLessThanOrEqual((await storage.revision()) - 3);
  });
});
