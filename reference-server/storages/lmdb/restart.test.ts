// Tests a restart on a data directory: the state, the revisions, and the history of watches survive.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Compacted, type StoredChange } from '../../storage/storage.js';
import { Child } from '../testing/child.js';
import { DurableStorage } from './durable.js';
import { openLmdb } from './lmdb.js';

const configmaps = '/api/v1/namespaces/default/configmaps';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restart-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = async (limits = {}) => DurableStorage.open(await openLmdb(folder), limits);
const thing = (name: string, more = {}) => ({ kind: 'Thing', metadata: { name }, ...more });
const never = new AbortController().signal;

async function take(storage: DurableStorage, after: number, count: number): Promise<StoredChange[]> {
  const taken: StoredChange[] = [];
  for await (const changes of storage.watch('', after, never)) {
    taken.push(...changes);
    if (taken.length >= count) break;
  }
  return taken;
}

test('revisions and history continue', async () => {
  const before = await open();
  await before.create('a/1', thing('1'));
  const from = await before.revision();
  await before.guaranteedUpdate('a/1', () => ({ put: thing('1', { x: 1 }) }));
  await before.create('a/2', thing('2'));
  await before.delete('a/2');
  const seen = await take(before, from, 3);
  const last = await before.revision();
  await before.close();

  const after = await open();
  expect(await after.revision()).toBe(last);
  const again = await take(after, from, 3);
  expect(again.map(({ type }) => type)).toEqual(['put', 'put', 'remove']);
  expect(again).toEqual(seen.map((change) => expect.objectContaining(withoutDerived(change))));
  // Entries are shared as before, so the history of a restarted server uses no more memory.
  expect(again[0]?.entry).toBe(await after.get('a/1'));
  expect(again[2]?.previous).toBe(again[1]?.entry);
  expect((await after.list('a/', { revision: last - 1 })).entries.map(({ key }) => key)).toEqual(['a/1', 'a/2']);
  expect((await after.create('a/3', thing('3'))).revision).toBe(last + 1);
  await after.close();
});

const withoutDerived = ({ type, entry: { key, revision, value } }: StoredChange) => ({
  type,
  entry: expect.objectContaining({ key, revision, value }),
});

test('a stop during writes: each write is stored and acknowledged, or refused with 503', async () => {
  const child = await Child.start(folder);
  const acknowledged: string[] = [];
  const refused = new Set<number>();
  let begun = () => {};
  const busy = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const write = async (writer: number): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const name = `w${writer}-${index}`;
      const { status } = await child.send('POST', configmaps, { metadata: { name } });
      if (status < 300) acknowledged.push(name);
      else refused.add(status);
      if (acknowledged.length > 200) begun();
    }
  };
  const writers = Array.from({ length: 24 }, (_, writer) => write(writer).catch(() => {}));
  await busy;
  await child.end('SIGTERM');
  await Promise.all(writers);
  expect(child.log()).toBe('');
  expect([...refused].filter((status) => status !== 503)).toEqual([]);

  const after = await Child.start(folder);
  const { body } = await after.send('GET', configmaps);
  const names = new Set(body.items.map((item: { readonly metadata: { readonly name: string } }) => item.metadata.name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  await after.end('SIGTERM');
});

test('compacted history stays compacted', async () => {
  const before = await open({ history: 10 });
  for (let index = 0; index < 40; index += 1) await before.create(`a/${index}`, thing('a'));
  const { oldest, revision } = before.memory.bounds;
  expect(oldest).toBeGreaterThanOrEqual(revision - 13);
  await before.compact(revision - 5);
  await before.close();
  const after = await open({ history: 10 });
  await expect(take(after, revision - 6, 1)).rejects.toThrow(Compacted);
  expect(await take(after, revision - 5, 5)).toHaveLength(5);
  await after.close();
});

test('a watch continues after a restart of the server', async () => {
  let server = await Child.start(folder);
  const { resourceVersion } = (await server.send('GET', configmaps)).body.metadata;
  const first = (await server.send('POST', configmaps, { metadata: { name: 'a' }, data: { x: '1' } })).body;
  const second = (await server.send('PUT', `${configmaps}/a`, { metadata: { name: 'a' }, data: { x: '2' } })).body;
  await server.end('SIGKILL');
  server = await Child.start(folder);
  const ofA = `watch=1&timeoutSeconds=20&fieldSelector=metadata.name%3Da`;
  const events = await server.watch(`${configmaps}?${ofA}&resourceVersion=${resourceVersion}`, 2);
  expect(events.map(({ type, object }) => [type, object])).toEqual([
    ['ADDED', first],
    ['MODIFIED', second],
  ]);
  const third = (await server.send('POST', configmaps, { metadata: { name: 'b' } })).body;
  // Controllers may have written before this create.
  expect(Number(third.metadata.resourceVersion)).toBeGreaterThan(Number(second.metadata.resourceVersion));
  await server.end('SIGTERM');
});

test('a watch from a revision that was compacted before a restart is refused', async () => {
  const storage = await open();
  for (let index = 0; index < 9; index += 1) await storage.create(`x/${index}`, thing('x'));
  const oldest = (await storage.revision()) - 2;
  await storage.compact(oldest);
  await storage.close();
  const server = await Child.start(folder);
  const events = await server.watch(`${configmaps}?watch=1&timeoutSeconds=20&resourceVersion=${oldest - 1}`, 1);
  expect(events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
  await server.end('SIGTERM');
});
