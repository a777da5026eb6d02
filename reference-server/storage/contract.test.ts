// What every storage must do, run on each of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { DurableStorage } from './durable.js';
import { openLmdb } from './lmdb.js';
import { MemoryStorage } from './memory.js';
import { type Change, Compacted, FutureRevision, KeyExists, type Storage } from './storage.js';

const storages: [name: string, open: (options: { history: number }) => Promise<Storage>][] = [
  ['memory', async (options) => new MemoryStorage(options)],
  ['lmdb', async (options) => DurableStorage.open(await openLmdb(directory()), options)],
];

const directories: string[] = [];
const opened: Storage[] = [];

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'storage-'));
  directories.push(made);
  return made;
}

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  for (const made of directories.splice(0)) rmSync(made, { recursive: true, force: true });
});

const thing = (name: string, more = {}) => ({ kind: 'Thing', metadata: { name }, ...more });
const names = (changes: readonly Change[]) => changes.map(({ type, entry }) => `${type} ${entry.key}`);

async function take(changes: AsyncIterable<readonly Change[]>, count: number): Promise<Change[]> {
  const taken: Change[] = [];
  for await (const batch of changes) {
    taken.push(...batch);
    if (taken.length >= count) break;
  }
  return taken;
}

describe.each(storages)('%s', (_, open) => {
  const fresh = async (): Promise<Storage> => {
    const storage = await open({ history: 100 });
    opened.push(storage);
    return storage;
  };
  const never = new AbortController().signal;

  test('stamps every write with the next revision', async () => {
    const storage = await fresh();
    const before = await storage.revision();
    const one = await storage.create('a/1', thing('1'));
    const two = await storage.guaranteedUpdate('a/1', () => ({ put: thing('1', { x: 1 }) }));
    expect([one.revision, two.entry.revision, await storage.revision()]).toEqual([before + 1, before + 2, before + 2]);
    expect(two.entry.value).toEqual({
      kind: 'Thing',
      metadata: { name: '1', resourceVersion: String(before + 2) },
      x: 1,
    });
    expect(await storage.get('a/1')).toEqual(two.entry);
  });

  test('refuses a key that is taken', async () => {
    const storage = await fresh();
    await storage.create('a/1', thing('1'));
    await expect(storage.create('a/1', thing('1'))).rejects.toThrow(KeyExists);
  });

  test('lists a prefix in key order, in pages, at one revision', async () => {
    const storage = await fresh();
    for (const key of ['b/2', 'a/3', 'b/1', 'b/10', 'c/1']) await storage.create(key, thing(key));
    const { revision } = await storage.list('b/');
    const first = await storage.list('b/', { limit: 2 });
    await storage.delete('b/2');
    await storage.create('b/3', thing('b/3'));
    await storage.guaranteedUpdate('b/1', () => ({ put: thing('new') }));
    const rest = await storage.list('b/', { limit: 2, after: 'b/10', revision });
    expect([first.entries.map(({ key }) => key), first.remaining]).toEqual([['b/1', 'b/10'], 1]);
    expect([rest.entries.map(({ key }) => key), rest.remaining]).toEqual([['b/2'], 0]);
    const old = await storage.list('b/', { revision });
    expect(old.entries.map(({ value }) => (value.metadata as { name: string }).name)).toEqual(['b/1', 'b/10', 'b/2']);
    expect((await storage.list('b/')).entries.map(({ key }) => key)).toEqual(['b/1', 'b/10', 'b/3']);
    await expect(storage.list('b/', { revision: revision + 99 })).rejects.toThrow(FutureRevision);
  });

  test('a thousand concurrent updates lose nothing', async () => {
    const storage = await fresh();
    await storage.create('counter', thing('counter', { count: 0 }));
    const increment = () =>
      storage.guaranteedUpdate('counter', (current) => ({
        put: thing('counter', { count: (current?.value.count as number) + 1 }),
      }));
    await Promise.all(Array.from({ length: 1000 }, increment));
    expect((await storage.get('counter'))?.value.count).toBe(1000);
  });

  test('an update that keeps, removes, creates or throws', async () => {
    const storage = await fresh();
    const created = await storage.guaranteedUpdate('a', (current) => ({ put: thing(`was ${current}`) }));
    const kept = await storage.guaranteedUpdate('a', () => 'keep');
    expect(kept).toEqual({ entry: created.entry, change: 'keep' });
    const refuse = () => {
      throw new Error('no');
    };
    await expect(storage.guaranteedUpdate('a', refuse)).rejects.toThrow('no');
    const removed = await storage.guaranteedUpdate('a', () => ({ remove: thing('last') }));
    expect(removed.change).toBe('remove');
    expect(removed.entry.value).toMatchObject({
      metadata: { name: 'last', resourceVersion: String(created.entry.revision + 1) },
    });
    expect(await storage.get('a')).toBeUndefined();
    expect(await storage.delete('a')).toBeUndefined();
  });

  test('watches a prefix from a revision: old changes, then new ones, each once and in order', async () => {
    const storage = await fresh();
    await storage.create('w/0', thing('0'));
    const from = await storage.revision();
    await storage.create('w/1', thing('1'));
    await storage.create('x/1', thing('1'));
    const taken = take(storage.watch('w/', from, never), 4);
    await storage.guaranteedUpdate('w/1', () => ({ put: thing('1', { x: 1 }) }));
    await storage.delete('w/0');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await storage.delete('w/1');
    const changes = await taken;
    expect(names(changes)).toEqual(['put w/1', 'put w/1', 'remove w/0', 'remove w/1']);
    expect(changes.map(({ previous }) => previous?.revision)).toEqual([undefined, from + 1, from, from + 3]);
    expect(changes.map(({ entry }) => entry.revision)).toEqual([from + 1, from + 3, from + 4, from + 5]);
  });

  test('a watch from a revision that is still to come waits for it', async () => {
    const storage = await fresh();
    const from = await storage.revision();
    const taken = take(storage.watch('', from + 1, never), 1);
    await storage.create('a', thing('a'));
    await storage.create('b', thing('b'));
    expect(names(await taken)).toEqual(['put b']);
  });

  test('a watch ends with its signal', async () => {
    const storage = await fresh();
    const controller = new AbortController();
    const taken = take(storage.watch('', await storage.revision(), controller.signal), 1);
    setTimeout(() => controller.abort(), 5);
    expect(await taken).toEqual([]);
  });

  test('history is bounded: what is too old is refused, and a slow reader is cut off', async () => {
    const storage = await open({ history: 10 });
    const from = await storage.revision();
    const slow = storage.watch('', from, never)[Symbol.asyncIterator]();
    await storage.create('a', thing('a'));
    await slow.next();
    for (let index = 0; index < 30; index++) await storage.create(`b/${index}`, thing('b'));
    await expect(slow.next()).rejects.toThrow(Compacted);
    await expect(take(storage.watch('', from, never), 1)).rejects.toThrow(Compacted);
    await expect(storage.list('b/', { revision: from })).rejects.toThrow(Compacted);
    expect((await storage.list('b/')).entries).toHaveLength(30);
  });

  test('compaction forgets what was before a revision and keeps what came after', async () => {
    const storage = await fresh();
    await storage.create('a', thing('a'));
    const middle = await storage.revision();
    await storage.create('b', thing('b'));
    await storage.compact(middle);
    await expect(take(storage.watch('', middle - 1, never), 1)).rejects.toThrow(Compacted);
    expect(names(await take(storage.watch('', middle, never), 1))).toEqual(['put b']);
  });

  test('works until it is closed', async () => {
    const storage = await open({ history: 100 });
    await expect(storage.probe()).resolves.toBeUndefined();
    await storage.close();
    await expect(storage.probe()).rejects.toThrow('closed');
  });
});
