// The contract of a storage: each storage runs these tests.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { HistoryLimits } from '../storage/history.js';
import {
  Compacted,
  type Entry,
  type Fence,
  FutureRevision,
  KeyExists,
  type Range,
  type Storage,
  type StoredChange,
} from '../storage/storage.js';

const thing = (name: string, more = {}) => ({ kind: 'Thing', metadata: { name }, ...more });
const names = (changes: readonly StoredChange[]) => changes.map(({ type, entry }) => `${type} ${entry.key}`);

async function take(changes: AsyncIterable<readonly StoredChange[]>, count: number): Promise<StoredChange[]> {
  const taken: StoredChange[] = [];
  for await (const batch of changes) {
    taken.push(...batch);
    if (taken.length >= count) break;
  }
  return taken;
}

/**
 * Tests a storage that `open` opens again. A storage that several servers share decides writes in the order in which they
 * reach it, which is not that of their calls.
 */
export function describeStorage(
  name: string,
  open: (limits: HistoryLimits) => Promise<Storage>,
  { isShared = false }: { readonly isShared?: boolean } = {},
): void {
  describe(name, () => {
    const opened: Storage[] = [];
    const fresh = async (): Promise<Storage> => {
      const storage = await open({ history: 100 });
      opened.push(storage);
      return storage;
    };
    const never = new AbortController().signal;

    afterEach(async () => {
      for (const storage of opened.splice(0)) await storage.close();
    });

    test('keeps integers exact', async () => {
      const spec = { most: 9223372036854775807n, least: -(2n ** 63n), list: [9007199254740993n, 1] };
      const storage = await fresh();
      await storage.create('a/1', thing('1', { spec }));
      await storage.guaranteedUpdate('a/1', (current) => ({
        put: { ...current?.value, metadata: { name: '1' } } as never,
      }));
      expect((await storage.get('a/1'))?.value.spec).toEqual(spec);
      const { entries } = await storage.list('a/');
      entries[0]?.keepText(() => {});
      expect(entries.map(({ value }) => value.spec)).toEqual([spec]);
    });

    test('gives every write the next revision', async () => {
      const storage = await fresh();
      const before = await storage.revision();
      const one = await storage.create('a/1', thing('1'));
      const two = await storage.guaranteedUpdate('a/1', () => ({ put: thing('1', { x: 1 }) }));
      expect([one.revision, two.entry.revision, await storage.revision()]).toEqual([
        before + 1,
        before + 2,
        before + 2,
      ]);
      expect(two.entry.value).toEqual({
        kind: 'Thing',
        metadata: { name: '1', resourceVersion: String(before + 2) },
        x: 1,
      });
      expect(await storage.get('a/1')).toEqual(two.entry);
    });

    test('refuses a key that exists', async () => {
      const storage = await fresh();
      await storage.create('a/1', thing('1'));
      await expect(storage.create('a/1', thing('1'))).rejects.toThrow(KeyExists);
    });

    test('a fence is checked at the time of the write: after all earlier writes and before all later ones', async () => {
      const storage = await fresh();
      await storage.create('space', thing('space'));
      const fence = {
        key: 'space',
        check(entry: Entry | undefined) {
          if (entry === undefined || entry.value.closed === true) throw new Error('closed');
        },
      };
      const close = () => storage.guaranteedUpdate('space', () => ({ put: thing('space', { closed: true }) }));
      const create = (key: string, its?: Fence) => () => storage.create(key, thing(key), its);
      const writes = [
        create('in/1', fence),
        close,
        create('in/2', fence),
        () => storage.delete('space'),
        create('in/3', fence),
        create('space'),
        create('in/4', fence),
      ];
      const results: PromiseSettledResult<unknown>[] = [];
      // A storage of one server decides writes in the order of their calls.
      if (!isShared) results.push(...(await Promise.allSettled(writes.map((write) => write()))));
      else for (const write of writes) results.push(...(await Promise.allSettled([write()])));
      expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, false, true, true]);
      expect((await storage.list('in/')).entries.map(({ key }) => key)).toEqual(['in/1', 'in/4']);
      await close();
      await expect(storage.create('in/1', thing('1'), fence)).rejects.toThrow('closed');
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

    test('a prefix selects exactly the keys that begin with it, in the order of UTF-16 units', async () => {
      const storage = await fresh();
      for (const key of ['b', 'b/', 'b/z', 'b/é', 'b/\u{1f600}', 'b/\uffee', 'b0', 'a/~', 'c']) {
        await storage.create(key, thing(key));
      }
      const keys = async (prefix: string, options = {}) =>
        (await storage.list(prefix, options)).entries.map(({ key }) => key);
      expect(await keys('b/')).toEqual(['b/', 'b/z', 'b/é', 'b/\u{1f600}', 'b/\uffee']);
      expect(await keys('')).toHaveLength(9);
      expect(await keys('b/', { after: 'a' })).toHaveLength(5);
      expect(await keys('b/', { after: 'b/y' })).toEqual(['b/z', 'b/é', 'b/\u{1f600}', 'b/\uffee']);
      expect(await keys('b/', { after: 'c' })).toEqual([]);
      expect(await keys('absent/')).toEqual([]);
    });

    test('pages of an old revision are complete after later writes', async () => {
      const storage = await fresh();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await storage.create(`p/${name}`, thing(name));
      const { revision, entries } = await storage.list('p/');
      await storage.delete('p/b');
      await storage.delete('p/e');
      await storage.guaranteedUpdate('p/d', () => ({ put: thing('d', { x: 1 }) }));
      await storage.create('p/bb', thing('bb'));
      await storage.create('p/b', thing('again'));
      const pages = [];
      for (let after = ''; ; ) {
        const page = await storage.list('p/', { limit: 2, after, revision });
        pages.push(...page.entries);
        after = page.entries.at(-1)?.key ?? '';
        if (page.remaining === 0) break;
        expect([page.entries.length, page.remaining]).toEqual([2, entries.length - pages.length]);
      }
      expect(pages).toEqual(entries);
    });

    test('written objects are not changed, and read objects are shared', async () => {
      const storage = await fresh();
      const given = Object.freeze({ kind: 'Thing', metadata: Object.freeze({ name: '1', resourceVersion: 'mine' }) });
      const entry = await storage.create('a', given);
      expect(entry.value.metadata).toEqual({ name: '1', resourceVersion: String(entry.revision) });
      expect(await storage.get('a')).toBe((await storage.list('a')).entries[0]);
      const last = await storage.delete('a');
      expect(last).toMatchObject({ key: 'a', revision: entry.revision + 1 });
      expect(last?.value.metadata).toEqual({ name: '1', resourceVersion: String(entry.revision + 1) });
    });

    test('updates and deletes of an absent key are refused', async () => {
      const storage = await fresh();
      const before = await storage.revision();
      await expect(storage.guaranteedUpdate('a', () => 'keep')).rejects.toThrow('nothing to keep');
      await expect(storage.guaranteedUpdate('a', () => ({ remove: thing('a') }))).rejects.toThrow('nothing to remove');
      expect(await storage.revision()).toBe(before);
    });

    test('a thousand concurrent updates lose no change', async () => {
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

    test('lists in pages at every earlier revision', async () => {
      const storage = await fresh();
      const now = new Map<string, number>();
      const states: { revision: number; content: [string, number][] }[] = [];
      for (let step = 0; step < 60; step += 1) {
        const key = `p/${String.fromCharCode(97 + ((step * 7) % 17))}`;
        if (step % 3 === 2 && now.delete(key)) await storage.delete(key);
        else {
          now.set(key, step);
          await storage.guaranteedUpdate(key, () => ({ put: thing(key, { step }) }));
        }
        await storage.guaranteedUpdate('q/other', () => ({ put: thing('other', { step }) }));
        states.push({ revision: await storage.revision(), content: [...now].sort() });
      }
      for (const { revision, content } of states) {
        const read: [string, unknown][] = [];
        for (let after: string | undefined = ''; after !== undefined; ) {
          const page: Range = await storage.list('p/', { limit: 4, after, revision });
          read.push(...page.entries.map(({ key, value }): [string, unknown] => [key, value.step]));
          expect(page.remaining).toBe(content.length - read.length);
          after = page.remaining > 0 ? page.entries.at(-1)?.key : undefined;
        }
        expect(read).toEqual(content);
      }
    });

    test('a watch of a prefix from a revision has old changes, then new ones, each once and in order', async () => {
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

    test('a watch has all changes up to a known revision after one turn', async () => {
      const storage = await fresh();
      const stop = new AbortController();
      const seen: string[] = [];
      const read = async (): Promise<void> => {
        for await (const batch of storage.watch('w/', await storage.revision(), stop.signal))
          seen.push(...names(batch));
      };
      const reading = read();
      for (let round = 0; round < 20; round += 1) {
        await storage.create(`w/${round}`, thing(String(round)));
        await storage.create(`x/${round}`, thing(String(round)));
        await storage.revision();
        await nextTurn();
        expect(seen).toHaveLength(round + 1);
      }
      stop.abort();
      await reading;
    });

    test('a watch from a future revision waits for it', async () => {
      const storage = await fresh();
      const from = await storage.revision();
      const taken = take(storage.watch('', from + 1, never), 1);
      await storage.create('a', thing('a'));
      await storage.create('b', thing('b'));
      expect(names(await taken)).toEqual(['put b']);
    });

    test('a watch ends when its signal aborts', async () => {
      const storage = await fresh();
      const controller = new AbortController();
      const taken = take(storage.watch('', await storage.revision(), controller.signal), 1);
      setTimeout(() => controller.abort(), 5);
      expect(await taken).toEqual([]);
    });

    test('history is bounded in number: revisions that are too old are refused, and a slow reader is disconnected', async () => {
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

    test('history is bounded in bytes: large objects leave it sooner', async () => {
      const storage = await open({ history: 1000, historyBytes: 1_000_000 });
      opened.push(storage);
      const from = await storage.revision();
      for (let index = 0; index < 40; index++) await storage.create(`s/${index}`, thing('small'));
      expect(await take(storage.watch('', from, never), 40)).toHaveLength(40);
      for (let index = 0; index < 40; index++) {
        await storage.guaranteedUpdate('large', () => ({ put: thing('large', { text: 'x'.repeat(100_000) }) }));
      }
      const newest = await storage.revision();
      await expect(take(storage.watch('', from, never), 1)).rejects.toThrow(Compacted);
      // Ten values fit. Each change has two values and shares the newer one with the next change.
      await expect(take(storage.watch('', newest - 6, never), 1)).rejects.toThrow(Compacted);
      expect(await take(storage.watch('', newest - 3, never), 3)).toHaveLength(3);
      await storage.guaranteedUpdate('large', () => ({ put: thing('huge', { text: 'x'.repeat(3_000_000) }) }));
      await expect(take(storage.watch('', newest - 1, never), 1)).rejects.toThrow(Compacted);
      expect(await take(storage.watch('', newest, never), 1)).toMatchObject([{ entry: await storage.get('large') }]);
    });

    test('compaction beyond the newest revision removes all history and no object', async () => {
      const storage = await fresh();
      await storage.create('a', thing('a'));
      const newest = await storage.revision();
      await storage.compact(newest + 100);
      await storage.compact(1);
      const taken = take(storage.watch('', newest, never), 1);
      await storage.create('b', thing('b'));
      expect(names(await taken)).toEqual(['put b']);
      expect((await storage.list('')).entries).toHaveLength(2);
      await expect(storage.list('', { revision: newest - 1 })).rejects.toThrow(Compacted);
    });

    test('compaction removes the history before a revision and keeps the later one', async () => {
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
}
