// Tests the watch cache: its deliveries, and when it reads the storage.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { KubeObject } from '../schema/object.js';
import { MemoryStorage } from '../storage/memory.js';
import { resourceRow } from '../versions/addresses.js';
import { type Subscriber, WatchCache } from './cache.js';
import type { WatchScope } from './options.js';
import type { WatchEvent } from './sink.js';

const resource = resourceRow('core/configmaps');
const all: WatchScope = { resource, prefix: 'core/configmaps/', selects: undefined, id: 'all' };
const selected: WatchScope = {
  ...all,
  selects: ({ metadata }: KubeObject) => metadata.labels?.app === 'x',
  id: 'selected',
};
const elsewhere: WatchScope = { ...all, prefix: 'core/configmaps/other/', id: 'elsewhere' };

class RecordingSubscriber implements Subscriber {
  readonly batches: (readonly WatchEvent[])[] = [];
  readonly errors: unknown[] = [];
  constructor(readonly after = 0) {}
  deliver = (events: readonly WatchEvent[]) => void this.batches.push(events);
  fail = (error: unknown) => void this.errors.push(error);
}

let storage: MemoryStorage;
let cache: WatchCache;
beforeEach(async () => {
  storage = new MemoryStorage({ history: 10 });
  cache = new WatchCache(storage);
  const release = cache.retain();
  await cache.ready();
  return release;
});

const create = (name: string, labels = {}, collection = 'configmaps') =>
  storage.create(`core/${collection}/ns/${name}`, { kind: 'ConfigMap', metadata: { name, labels } });
/** Waits until all changes are delivered. */
const delivered = () => expect.poll(async () => cache.position === (await storage.revision())).toBe(true);

test('events of one turn are one batch, shared by subscribers of the same scope', async () => {
  const [one, other, some, none] = [
    new RecordingSubscriber(),
    new RecordingSubscriber(),
    new RecordingSubscriber(),
    new RecordingSubscriber(),
  ];
  cache.subscribe(all, one);
  cache.subscribe({ ...all }, other);
  cache.subscribe(selected, some);
  cache.subscribe(elsewhere, none);
  await create('a');
  await create('b', { app: 'x' });
  await create('s', {}, 'secrets');
  await delivered();
  expect(one.batches.map((batch) => batch.map(({ type }) => type))).toEqual([['ADDED', 'ADDED']]);
  expect(other.batches[0]).toBe(one.batches[0]);
  // Another selector gets the same event, so its bytes are encoded once.
  expect(some.batches).toEqual([[one.batches[0]?.[1]]]);
  expect(some.batches[0]?.[0]).toBe(one.batches[0]?.[1]);
  expect(none.batches).toEqual([]);
});

test('many events of one turn are several batches', async () => {
  const subscriber = new RecordingSubscriber();
  cache.subscribe(all, subscriber);
  const kilobytes = 'x'.repeat(10 * 1024);
  for (const name of 'abcdefghij') await create(name, { kilobytes });
  await delivered();
  expect(subscriber.batches.map(({ length }) => length)).toEqual([5, 5]);
});

test('a subscriber at a later revision gets only later events', async () => {
  const subscriber = new RecordingSubscriber(cache.position + 1);
  cache.subscribe(all, subscriber);
  await create('a');
  await create('b');
  await delivered();
  expect(subscriber.batches.flat()).toHaveLength(1);
});

test('a subscriber that has left gets no events', async () => {
  const subscriber = new RecordingSubscriber();
  const leave = cache.subscribe(all, subscriber);
  leave();
  await create('a');
  await delivered();
  expect(subscriber.batches).toEqual([]);
});

test('deliveries to many subscribers take turns: other requests are served in between', async () => {
  /** A subscriber that takes longer than a turn. */
  class Slow extends RecordingSubscriber {
    override deliver = (events: readonly WatchEvent[]): undefined => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      this.batches.push(events);
    };
  }
  const subscribers = Array.from({ length: 10 }, () => new Slow());
  const leaves = subscribers.map((subscriber) => cache.subscribe(all, subscriber));
  const late = [new RecordingSubscriber(cache.position), new RecordingSubscriber(cache.position)];
  const served: number[] = [];
  const serve = () => {
    const servedCount = subscribers.filter(({ batches }) => batches.length > 0).length;
    served.push(servedCount);
    if (servedCount < 9) setImmediate(serve);
    // Subscribers of the same scope, and of a scope that comes earlier.
    const [here, there] = late;
    if (servedCount === 5 && here && there) {
      leaves[9]?.();
      cache.subscribe(all, here);
      cache.subscribe(selected, there);
    }
  };
  await create('a', { app: 'x' });
  setImmediate(serve);
  await expect.poll(() => subscribers[8]?.batches.length ?? 0).toBeGreaterThan(0);
  await delivered();
  expect(new Set(served).size).toBeGreaterThan(5);
  for (const subscriber of [...subscribers.slice(0, 9), ...late]) expect(subscriber.batches).toHaveLength(1);
  expect(subscribers[9]?.batches).toEqual([]);
});

test('an error in a selector fails only its own subscribers', async () => {
  const [one, other] = [new RecordingSubscriber(), new RecordingSubscriber()];
  const broken = new Error('no such form');
  const selects = () => {
    throw broken;
  };
  cache.subscribe({ ...all, selects, id: 'broken' }, one);
  cache.subscribe(all, other);
  await create('a');
  await delivered();
  expect([one.errors, other.errors, other.batches.flat().length]).toEqual([[broken], [], 1]);
});

describe('reads the storage', () => {
  test('only while it is in use', async () => {
    const watch = vi.spyOn(storage, 'watch');
    const idle = new WatchCache(storage);
    const releases = [idle.retain(), idle.retain()];
    await idle.ready();
    expect(watch).toHaveBeenCalledTimes(1);
    const signal = watch.mock.calls[0]?.[2];
    for (const release of releases) {
      expect(signal?.aborted).toBe(false);
      release();
    }
    expect([signal?.aborted, idle.users]).toEqual([true, 0]);
    const release = idle.retain();
    await create('a');
    await idle.ready();
    expect(idle.position).toBe(await storage.revision());
    release();
  });

  test('again after its revision was compacted, and reports the gap', async () => {
    const subscriber = new RecordingSubscriber();
    cache.subscribe(all, subscriber);
    for (let index = 0; index < 30; index++) await create(`a${index}`);
    await expect.poll(() => subscriber.errors.length).toBeGreaterThan(0);
    expect(subscriber.batches).toEqual([]);
    await cache.ready();
    await create('b');
    await delivered();
    expect(subscriber.batches.flat()).toHaveLength(1);
  });
});
