// Tests watches with slow clients: no event is lost or repeated, and other watches are not delayed.
import { expect, test } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import { resourceRow } from '../versions/addresses.js';
import { defaultTiming } from './bookmarks.js';
import { WatchCache } from './cache.js';
import { watchOptionsOf } from './options.js';
import type { WatchEvent, WatchSink } from './sink.js';
import { runWatch } from './watcher.js';

/** Accepts some batches, then none until `take`. */
class Client implements WatchSink {
  readonly events: WatchEvent[] = [];
  readonly revisions: number[] = [];
  #room: number;
  #goOn = () => {};

  constructor(room = Number.POSITIVE_INFINITY) {
    this.#room = room;
  }

  write(events: readonly WatchEvent[]): boolean {
    if (this.#room <= 0) throw new Error('written to while it was behind');
    this.#room -= 1;
    this.events.push(...events);
    for (const { object } of events) {
      const { metadata } = (object as unknown as { object: { metadata: { resourceVersion: string } } }).object;
      this.revisions.push(Number(metadata.resourceVersion));
    }
    return this.#room > 0;
  }

  drained(): Promise<void> {
    if (this.#room > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  /** Accepts this many further batches. */
  take(batches: number): void {
    this.#room = batches;
    this.#goOn();
  }
}

async function cluster(history = 5000) {
  const storage = new MemoryStorage({ history });
  const cache = new WatchCache(storage);
  let count = 0;
  return {
    storage,
    cache,
    /** Writes several changes in one turn. */
    async write(changes: number): Promise<void> {
      for (let index = 0; index < changes; index++) {
        const name = `a${count++}`;
        await storage.create(`core/configmaps/ns/${name}`, { kind: 'ConfigMap', metadata: { name } });
      }
      await new Promise(setImmediate);
    },
    watch(client: Client, query = 'resourceVersion=1') {
      const stop = new AbortController();
      const options = watchOptionsOf(resourceRow('core/configmaps'), {}, new URLSearchParams(query));
      const ended = runWatch({ cache, options, timing: defaultTiming, signal: stop.signal }, client);
      ended.catch(() => {});
      return { ended, stop: () => stop.abort() };
    },
  };
}

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

test('a slow client gets no events until its socket has drained, and then the missed ones', async () => {
  const { cache, watch, write } = await cluster();
  const [slow, quick] = [new Client(1), new Client()];
  const watches = [watch(slow), watch(quick)];
  for (let turn = 0; turn < 10; turn++) await write(5);
  await expect.poll(() => quick.revisions.length).toBe(50);
  expect(slow.revisions.length).toBeLessThan(50);
  slow.take(Number.POSITIVE_INFINITY);
  await expect.poll(() => slow.revisions.length).toBeGreaterThanOrEqual(50);
  await write(1);
  await expect.poll(() => slow.revisions.length).toBeGreaterThanOrEqual(51);
  expect(slow.revisions).toEqual(from(2, 51));
  for (const { stop, ended } of watches) {
    stop();
    await ended;
  }
  expect(cache.users).toBe(0);
});

test('clients that catch up share each event and its bytes with all other clients', async () => {
  const { watch, write } = await cluster();
  const clients = [new Client(), new Client(), new Client()];
  const watches = [watch(clients[0] as Client)];
  await write(5);
  await expect.poll(() => clients[0]?.events.length).toBe(5);
  watches.push(...clients.slice(1).map((client) => watch(client)));
  for (const client of clients) {
    await expect.poll(() => client.events.length).toBe(5);
    expect(client.events.every((event, index) => event === clients[0]?.events[index])).toBe(true);
  }
  for (const { stop, ended } of watches) {
    stop();
    await ended;
  }
});

test('a client that is behind for longer than the history gets an error, and no other does', async () => {
  const { watch, write } = await cluster(50);
  const [slow, quick] = [new Client(1), new Client()];
  const watches = [watch(slow), watch(quick)];
  for (let turn = 0; turn < 30; turn++) await write(5);
  await expect.poll(() => quick.revisions.length).toBe(150);
  slow.take(1);
  await expect(watches[0]?.ended).rejects.toMatchObject({ code: 410, reason: 'Expired' });
  watches[1]?.stop();
  await watches[1]?.ended;
  expect(quick.revisions).toEqual(from(2, 150));
});

test('a slow client does not delay the end of its watch', async () => {
  const { cache, watch, write } = await cluster();
  const { ended, stop } = watch(new Client(1));
  await write(1);
  await write(1);
  stop();
  await ended;
  expect(cache.users).toBe(0);
});

test('each client gets every change once and in order, at any speed', async () => {
  let seed = 20201;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const { watch, write } = await cluster();
  const clients: { client: Client; start: number; watched: ReturnType<typeof watch> }[] = [];
  let written = 0;
  for (let turn = 0; turn < 200; turn++) {
    const changes = random(4);
    await write(changes);
    written += changes;
    if (turn % 20 === 0) {
      const start = 1 + random(written + 1);
      const client = new Client(1 + random(3));
      clients.push({ client, start, watched: watch(client, `resourceVersion=${start}`) });
    }
    for (const { client } of clients) if (random(3) === 0) client.take(1 + random(3));
  }
  for (const { client, start, watched } of clients) {
    client.take(Number.POSITIVE_INFINITY);
    const expected = from(start + 1, written + 1 - start);
    await expect.poll(() => client.revisions.length).toBeGreaterThanOrEqual(expected.length);
    expect(client.revisions).toEqual(expected);
    watched.stop();
    await watched.ended;
  }
});

test('lasts from half an hour to an hour without a timeout', () => {
  const configMaps = resourceRow('core/configmaps');
  const minutes = Array.from(
    { length: 200 },
    () => watchOptionsOf(configMaps, {}, new URLSearchParams()).millis / 60_000,
  );
  expect(Math.min(...minutes)).toBeGreaterThanOrEqual(30);
  expect(Math.max(...minutes)).toBeLessThan(60);
  expect(new Set(minutes).size).toBeGreaterThan(100);
  expect(watchOptionsOf(configMaps, {}, new URLSearchParams('timeoutSeconds=7')).millis).toBe(7000);
});

test.each(from(0, 12))('ends if it is stopped while it begins, after %d steps', async (steps) => {
  const { watch } = await cluster();
  const { ended, stop } = watch(new Client());
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  stop();
  await ended;
});
