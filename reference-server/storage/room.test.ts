import { expect, test } from 'vitest';
import type { KubeObject } from '../schema/object.js';
import { MemoryStorage } from './memory.js';
import { StorageFull } from './storage.js';

const value = (length: number, more = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...more },
  data: { a: 'x'.repeat(length) },
});

async function full() {
  const storage = new MemoryStorage({ objectBytes: 100_000 });
  let count = 0;
  for (; count < 100; count += 1) {
    const made = await storage.create(`/a/${count}`, value(10_000)).catch((error: unknown) => error);
    if (made instanceof StorageFull) break;
  }
  return { storage, count };
}

test('memory has room for some objects, and then for no more', async () => {
  const { storage, count } = await full();
  expect(count).toBe(9);
  await expect(storage.create('/b', value(10_000))).rejects.toThrow(StorageFull);
  await expect(storage.guaranteedUpdate('/a/0', () => ({ put: value(30_000) }))).rejects.toThrow(StorageFull);
  expect((await storage.list('/')).entries).toHaveLength(9);
});

test.each<[what: string, free: (storage: MemoryStorage) => Promise<unknown>]>([
  ['deleted', (storage) => storage.delete('/a/0')],
  ['smaller', (storage) => storage.guaranteedUpdate('/a/0', () => ({ put: value(10) }))],
])('there is room again when an object is %s', async (_, free) => {
  const { storage } = await full();
  await free(storage);
  await storage.create('/b', value(9_000));
  await expect(storage.create('/c', value(9_000))).rejects.toThrow(StorageFull);
});

test('a full memory takes the mark of a deletion, and a state that replaces it', async () => {
  const { storage } = await full();
  const marked = value(10_000, { deletionTimestamp: '2030-01-01T00:00:00Z' });
  await storage.guaranteedUpdate('/a/0', () => ({ put: marked }));
  storage.replace({ revision: 100, oldest: 100, entries: [], log: [] });
  await storage.create('/b', value(10_000));
});
