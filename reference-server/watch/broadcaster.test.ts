// The one reader of changes: what it gives to whom, and when it reads at all.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceRow } from '../registry/addresses.js';
import type { WatchEvent } from '../request.js';
import type { KubeObject } from '../schema/object.js';
import { MemoryStorage } from '../storage/memory.js';
import { Broadcaster, type Follower } from './broadcaster.js';
import type { Scope } from './scope.js';

const resource = resourceRow('core/configmaps');
const all: Scope = { resource, prefix: 'core/configmaps/', selects: undefined, id: 'all' };
const selected: Scope = { ...all, selects: ({ metadata }: KubeObject) => metadata.labels?.app === 'x', id: 'selected' };
const elsewhere: Scope = { ...all, prefix: 'core/configmaps/other/', id: 'elsewhere' };

class Ear implements Follower {
  readonly batches: (readonly WatchEvent[])[] = [];
  readonly errors: unknown[] = [];
  constructor(readonly after = 0) {}
  deliver = (events: readonly WatchEvent[]) => void this.batches.push(events);
  fail = (error: unknown) => void this.errors.push(error);
}

let storage: MemoryStorage;
let broadcaster: Broadcaster;
beforeEach(async () => {
  storage = new MemoryStorage({ history: 10 });
  broadcaster = new Broadcaster(storage);
  const release = broadcaster.hold();
  await broadcaster.begun();
  return release;
});

const create = (name: string, labels = {}, collection = 'configmaps') =>
  storage.create(`core/${collection}/ns/${name}`, { kind: 'ConfigMap', metadata: { name, labels } });
/** Waits until all that was written has been told. */
const told = () => vi.waitUntil(async () => broadcaster.position === (await storage.revision()));

test('what comes in one turn is one batch, and the same array for all who see the same', async () => {
  const [one, other, some, none] = [new Ear(), new Ear(), new Ear(), new Ear()];
  broadcaster.join(all, one);
  broadcaster.join({ ...all }, other);
  broadcaster.join(selected, some);
  broadcaster.join(elsewhere, none);
  await create('a');
  await create('b', { app: 'x' });
  await create('s', {}, 'secrets');
  await told();
  expect(one.batches.map((batch) => batch.map(({ type }) => type))).toEqual([['ADDED', 'ADDED']]);
  expect(other.batches[0]).toBe(one.batches[0]);
  // Another selection, the same event: its bytes are made once.
  expect(some.batches).toEqual([[one.batches[0]?.[1]]]);
  expect(some.batches[0]?.[0]).toBe(one.batches[0]?.[1]);
  expect(none.batches).toEqual([]);
});

test('what comes in one turn is several batches where it is long', async () => {
  const ear = new Ear();
  broadcaster.join(all, ear);
  const kilobytes = 'x'.repeat(10 * 1024);
  for (const name of 'abcdefghij') await create(name, { kilobytes });
  await told();
  expect(ear.batches.map(({ length }) => length)).toEqual([5, 5]);
});

test('who is ahead is given only what is after that', async () => {
  const ear = new Ear(broadcaster.position + 1);
  broadcaster.join(all, ear);
  await create('a');
  await create('b');
  await told();
  expect(ear.batches.flat()).toHaveLength(1);
});

test('who has left is given nothing', async () => {
  const ear = new Ear();
  const leave = broadcaster.join(all, ear);
  leave();
  await create('a');
  await told();
  expect(ear.batches).toEqual([]);
});

test('those who are given much are given it in turns: others are served, come and go meanwhile', async () => {
  /** One who takes longer than a turn. */
  class Slow extends Ear {
    override deliver = (events: readonly WatchEvent[]): undefined => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      this.batches.push(events);
    };
  }
  const ears = Array.from({ length: 10 }, () => new Slow());
  const leaves = ears.map((ear) => broadcaster.join(all, ear));
  const late = [new Ear(broadcaster.position), new Ear(broadcaster.position)];
  const served: number[] = [];
  const serve = () => {
    const given = ears.filter(({ batches }) => batches.length > 0).length;
    served.push(given);
    if (given < 9) setImmediate(serve);
    // One of the same scope, and one whose scope comes first.
    const [here, there] = late;
    if (given === 5 && here && there) {
      leaves[9]?.();
      broadcaster.join(all, here);
      broadcaster.join(selected, there);
    }
  };
  await create('a', { app: 'x' });
  setImmediate(serve);
  await vi.waitUntil(() => (ears[8]?.batches.length ?? 0) > 0);
  await told();
  expect(new Set(served).size).toBeGreaterThan(5);
  for (const ear of [...ears.slice(0, 9), ...late]) expect(ear.batches).toHaveLength(1);
  expect(ears[9]?.batches).toEqual([]);
});

test('what cannot be shown concerns those who see it', async () => {
  const [one, other] = [new Ear(), new Ear()];
  const broken = new Error('no such form');
  const selects = () => {
    throw broken;
  };
  broadcaster.join({ ...all, selects, id: 'broken' }, one);
  broadcaster.join(all, other);
  await create('a');
  await told();
  expect([one.errors, other.errors, other.batches.flat().length]).toEqual([[broken], [], 1]);
});

describe('reads', () => {
  test('only while somebody holds it', async () => {
    const watch = vi.spyOn(storage, 'watch');
    const idle = new Broadcaster(storage);
    const releases = [idle.hold(), idle.hold()];
    await idle.begun();
    expect(watch).toHaveBeenCalledTimes(1);
    const signal = watch.mock.calls[0]?.[2];
    for (const release of releases) {
      expect(signal?.aborted).toBe(false);
      release();
    }
    expect([signal?.aborted, idle.holders]).toEqual([true, 0]);
    const release = idle.hold();
    await create('a');
    await idle.begun();
    expect(idle.position).toBe(await storage.revision());
    release();
  });

  test('anew after it has fallen out of history, and says so', async () => {
    const ear = new Ear();
    broadcaster.join(all, ear);
    for (let index = 0; index < 30; index++) await create(`a${index}`);
    await vi.waitUntil(() => ear.errors.length > 0);
    expect(ear.batches).toEqual([]);
    await broadcaster.begun();
    await create('b');
    await told();
    expect(ear.batches.flat()).toHaveLength(1);
  });
});
