import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { MemoryStorage } from './memory.js';
import type { Entry } from './storage.js';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const metadata = { name: 'a', labels: { app: 'ä "quoted"\n', ['__proto__']: 'own' } };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { number: -1.5e-7, list: [null, true, {}] } };
/** Whether the value is the very object of the last read, or was decoded since. */
const isKept = ({ value }: Entry, earlier: unknown): boolean => value === earlier;

it('decodes an object as it was written, for every read', async () => {
  const storage = new MemoryStorage({ decoded: 1, decodedAgain: 1 });
  const entry = await storage.create('/a', object);
  const written = entry.value;
  for (const key of ['/b', '/c']) {
    await storage.create(key, object);
    expect(isKept(entry, written)).toBe(false);
    expect(entry.value).toEqual(written);
  }
});

it('caches the values that were used last, by number and by size', async () => {
  for (const limits of [{ decoded: 2 }, { decodedBytes: 50_000 }]) {
    const storage = new MemoryStorage({ decodedAgain: 0, ...limits });
    const large = { ...object, data: { text: 'x'.repeat(20_000) } };
    const [first, second] = [await storage.create('/a', large), await storage.create('/b', large)];
    const values = [first.value, second.value];
    expect([isKept(first, values[0]), isKept(second, values[1])]).toEqual([true, true]);
    await storage.create('/c', large);
    expect([isKept(second, values[1]), isKept(first, values[0])]).toEqual([true, false]);
  }
});

it('removes a value that is replaced or deleted', async () => {
  const storage = new MemoryStorage({ decoded: 2 });
  const kept = await storage.create('/kept', object);
  const { value } = kept;
  await storage.create('/a', object);
  for (let count = 0; count < 5; count += 1)
    await storage.guaranteedUpdate('/a', () => ({ put: { ...object, data: { count } } }));
  await storage.delete('/a');
  await storage.create('/b', object);
  expect(isKept(kept, value)).toBe(true);
});

it('decodes each value for one read if the cache holds none', async () => {
  const storage = new MemoryStorage({ decoded: 0, decodedAgain: 0 });
  const entries = [await storage.create('/a', object), await storage.create('/b', object)];
  for (const { value } of [...entries, ...entries]) expect(value).toMatchObject(object);
});

it('keeps older values decoded for some reads, without those written last', async () => {
  const storage = new MemoryStorage({ decoded: 1, decodedAgain: 2 });
  const [a, b, c, last] = await Promise.all(['/a', '/b', '/c', '/d'].map((key) => storage.create(key, object)));
  if (!a || !b || !c || !last) throw new Error('four were written');
  const values = [a.value, b.value, last.value];
  expect([isKept(a, values[0]), isKept(b, values[1])]).toEqual([true, true]);
  expect(c.value).toMatchObject(object);
  expect([isKept(a, values[0]), isKept(last, values[2])]).toEqual([false, true]);
});

it('holds few of the entries that are gone, however many there were', async () => {
  const storage = new MemoryStorage({ history: 1 });
  const gone: WeakRef<Entry>[] = [];
  const keys = Array.from({ length: 100 }, (_, index) => `/${index}`);
  for (let round = 0; round < 20; round += 1) {
    for (const key of keys) gone.push(new WeakRef(await storage.create(key, object)));
    for (const key of keys) await storage.delete(key);
  }
  await nextTurn();
  collect();
  expect(gone.filter((entry) => entry.deref() !== undefined).length).toBeLessThan(500);
});
