// Tests a storage that several servers share: each sees the writes of the others, and none is lost, doubled or out of order.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Compacted, type Entry, KeyExists, type Storage, type StoredChange } from '../../storage/storage.js';
import { noEtcd, TestEtcd } from '../testing/etcd.js';
import { Relay } from '../testing/relay.js';
import { RevisionCompacted } from './client.js';
import { EtcdStorage } from './etcd.js';
import { methods } from './messages.js';

const never = new AbortController().signal;
const thing = (name: string, more = {}) => ({ kind: 'Thing', metadata: { name }, ...more });

describe.skipIf(noEtcd !== undefined)(`servers of one etcd${noEtcd === undefined ? '' : ` (${noEtcd})`}`, () => {
  let etcd: TestEtcd;
  let prefixes = 0;
  const opened: EtcdStorage[] = [];
  beforeAll(async () => {
    etcd = await TestEtcd.start();
  });
  afterAll(() => etcd?.stop());
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close();
  });

  /** Opens a storage of a prefix: the same as before, or a new one. */
  async function open(which: 'new' | 'same' = 'same', history?: number): Promise<EtcdStorage> {
    if (which === 'new') prefixes += 1;
    const addresses = etcd.members.map(({ client }) => `127.0.0.1:${client}`);
    const storage = await EtcdStorage.open(
      { addresses, prefix: `/shared/${prefixes}` },
      history === undefined ? {} : { history },
    );
    opened.push(storage);
    return storage;
  }

  /** Follows the changes of a storage from a revision on. */
  function follow(storage: Storage, after: number): StoredChange[] {
    const changes: StoredChange[] = [];
    const stop = new AbortController();
    void (async () => {
      for await (const batch of storage.watch('', after, stop.signal)) changes.push(...batch);
    })();
    return changes;
  }
  const told = (changes: readonly StoredChange[]) =>
    changes.map(({ type, entry, previous }) => [type, entry.key, entry.revision, entry.value, previous?.revision]);

  test('a server sees what the others wrote, after sync', async () => {
    const [one, other] = [await open('new'), await open()];
    const { revision } = await one.create('a', thing('a'));
    await other.sync();
    expect(await other.get('a')).toMatchObject({ key: 'a', revision, value: { metadata: { name: 'a' } } });
    await other.guaranteedUpdate('a', (current) => ({ put: { ...thing('a'), seen: current?.revision } }));
    await one.sync();
    expect((await one.get('a'))?.value).toMatchObject({ seen: revision });
    await expect(one.create('a', thing('a'))).rejects.toThrow(KeyExists);
    await one.delete('a');
    await other.create('a', thing('a'));
  });

  test('watches on all servers have the same changes, each once and in order, with the last states of removals', async () => {
    const servers = [await open('new'), await open(), await open()];
    const from = await (servers[0] as Storage).revision();
    const seen = servers.map((server) => follow(server, from));
    const write = async (server: Storage, index: number) => {
      const key = `k/${index % 7}`;
      if (index % 5 === 4) {
        const last = { ...thing(key), gone: index };
        await server.guaranteedUpdate(key, (current) => (current ? { remove: last } : { put: thing(key, { index }) }));
      } else await server.guaranteedUpdate(key, () => ({ put: thing(key, { index }) }));
    };
    await Promise.all(
      servers.flatMap((server, at) => Array.from({ length: 60 }, (_, index) => write(server, index + at))),
    );
    await expect.poll(() => seen.map(({ length }) => length)).toEqual([180, 180, 180]);
    const [first, ...others] = seen.map(told);
    for (const other of others) expect(other).toEqual(first);
    const revisions = (first ?? []).map(([, , revision]) => revision as number);
    expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
    expect((first ?? []).filter(([type]) => type === 'remove').length).toBeGreaterThan(0);
  });

  test('a thousand updates by three servers lose no change', async () => {
    const servers = [await open('new'), await open(), await open()];
    const increment = (server: Storage) =>
      server.guaranteedUpdate('counter', (current) => ({
        put: thing('counter', { count: ((current?.value.count as number | undefined) ?? 0) + 1 }),
      }));
    await Promise.all(Array.from({ length: 999 }, (_, index) => increment(servers[index % 3] as Storage)));
    for (const server of servers) {
      await server.sync();
      expect((await server.get('counter'))?.value.count).toBe(999);
    }
  });

  test('a fence holds against a write by another server', async () => {
    const [one, other] = [await open('new'), await open()];
    await one.create('space', thing('space'));
    await other.sync();
    const fence = {
      key: 'space',
      check(entry: Entry | undefined) {
        if (entry === undefined || entry.value.closed === true) throw new Error('closed');
      },
    };
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        index === 20
          ? one.guaranteedUpdate('space', () => ({ put: thing('space', { closed: true }) }))
          : other.create(`in/${index}`, thing('in'), fence),
      ),
    );
    await one.sync();
    const closed = (await one.get('space'))?.revision ?? 0;
    const { entries } = await one.list('in/');
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(entries.length + 1);
    for (const { revision } of entries) expect(revision).toBeLessThan(closed);
    await expect(other.create('in/late', thing('in'), fence)).rejects.toThrow('closed');
  });

  test('a server that starts later knows the history of the others', async () => {
    const one = await open('new');
    const from = await one.revision();
    for (let index = 0; index < 20; index++)
      await one.guaranteedUpdate(`k/${index % 3}`, () => ({ put: thing('k', { index }) }));
    await one.delete('k/1');
    const expected = follow(one, from);
    const later = follow(await open(), from);
    await expect.poll(() => later.length).toBe(21);
    expect(told(later)).toEqual(told(expected));
  });

  test('more objects than one page, and large ones', async () => {
    const one = await open('new');
    const value = 'x'.repeat(300_000);
    await Promise.all(Array.from({ length: 30 }, (_, index) => one.create(`large/${index}`, thing('l', { value }))));
    await Promise.all(Array.from({ length: 700 }, (_, index) => one.create(`small/${index}`, thing('s'))));
    // With a short history, the state is read and not made from changes.
    const { entries } = await (await open('same', 10)).list('');
    expect(entries.map(({ key, revision }) => [key, revision])).toEqual(
      (await one.list('')).entries.map(({ key, revision }) => [key, revision]),
    );
    expect(entries.find(({ key }) => key === 'large/29')?.value.value).toHaveLength(300_000);
  });

  test('a watch below a compaction that its server missed ends with Compacted, and the server has the newest state', async () => {
    const one = await open('new');
    const relay = await Relay.start((etcd.members[0] as { client: number }).client);
    try {
      const late = await EtcdStorage.open({ addresses: [`127.0.0.1:${relay.port}`], prefix: `/shared/${prefixes}` });
      opened.push(late);
      await one.create('a', thing('a'));
      await late.sync();
      const watch = late.watch('', await late.revision(), never)[Symbol.asyncIterator]();
      const next = watch.next();
      relay.cut(true);
      for (let index = 0; index < 20; index++) await one.guaranteedUpdate('a', () => ({ put: thing('a', { index }) }));
      await one.delete('a');
      await one.create('b', thing('b'));
      await one.compact(await one.revision());
      relay.cut(false);
      await expect(next).rejects.toThrow(Compacted);
      await late.sync();
      expect((await late.list('')).entries.map(({ key }) => key)).toEqual(['b']);
    } finally {
      relay.close();
    }
  });

  test('writes of other programs to the same etcd do no harm', async () => {
    const [one, other] = [await open('new'), await open()];
    const foreign = await EtcdStorage.open({
      addresses: etcd.members.map(({ client }) => `127.0.0.1:${client}`),
      prefix: '/another',
    });
    opened.push(foreign);
    const from = await one.revision();
    const seen = follow(other, from);
    for (let index = 0; index < 50; index++) {
      await foreign.guaranteedUpdate('f', () => ({ put: thing('f', { index }) }));
      if (index % 5 === 0) await one.guaranteedUpdate('a', () => ({ put: thing('a', { index }) }));
    }
    await expect.poll(() => seen.length).toBe(10);
    // The revision is that of etcd, so that a version of one server is never in the future of another.
    await other.sync();
    expect(await other.revision()).toBeGreaterThanOrEqual(from + 60);
    const again = follow(await open(), from);
    await expect.poll(() => told(again)).toEqual(told(seen));
  });

  test('the servers let etcd forget old revisions, and know the newer ones', async () => {
    prefixes += 1;
    const addresses = etcd.members.map(({ client }) => `127.0.0.1:${client}`);
    const endpoints = { addresses, prefix: `/shared/${prefixes}` };
    const [one, other] = [
      await EtcdStorage.open(endpoints, { compactionInterval: 1_000 }),
      await EtcdStorage.open(endpoints, { compactionInterval: 1_000 }),
    ];
    opened.push(one, other);
    const { revision } = await one.create('a', thing('a'));
    await other.sync();
    const seen = follow(other, revision);
    const isForgotten = async () => {
      await one.guaranteedUpdate('a', () => ({ put: thing('a', { at: Math.random() }) }));
      const asked = one.client.call(methods.range, { key: one.keys.head, revision });
      return await asked.then(
        () => false,
        (error: unknown) => error instanceof RevisionCompacted,
      );
    };
    await expect.poll(isForgotten).toBe(true);
    const { revision: last } = await one.create('b', thing('b'));
    await expect.poll(() => seen.at(-1)?.entry.revision).toBe(last);
    expect((await (await open()).list('')).entries.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('one server leads, and another one after it', async () => {
    const servers = [await open('new'), await open(), await open()];
    const leading = new Set<number>();
    const terms: number[] = [];
    const stops = servers.map(({ leadership }, index) => {
      const stop = new AbortController();
      const ended = leadership.whileLeading(async (signal) => {
        expect(leading.size).toBe(0);
        leading.add(index);
        terms.push(index);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        leading.delete(index);
      }, stop.signal);
      return { stop, ended };
    });
    for (let count = 1; count <= 3; count++) {
      await expect.poll(() => terms.length).toBe(count);
      const leader = stops[terms.at(-1) as number];
      leader?.stop.abort();
      await leader?.ended;
    }
    expect(new Set(terms).size).toBe(3);
  });

  test('servers share what the first of them makes', async () => {
    const servers = [await open('new'), await open(), await open()];
    const texts = await Promise.all(servers.map((server, index) => server.shared('key', () => `of ${index}`)));
    expect(new Set(texts).size).toBe(1);
    expect(await (await open()).shared('key', () => 'later')).toBe(texts[0]);
  });
});
