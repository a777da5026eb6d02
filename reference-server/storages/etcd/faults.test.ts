// Tests a server whose etcd fails: it says so, loses no acknowledged write, and works again by itself.
import { afterEach, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../index.js';
import { StatusError } from '../../statusError.js';
import { StorageFull, type StoredChange } from '../../storage/storage.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { watched } from '../../testing/watched.js';
import { noEtcd, TestEtcd } from '../testing/etcd.js';
import { Relay } from '../testing/relay.js';
import { type ServerOptions, startServer } from '../testing/server.js';
import { EtcdStorage } from './etcd.js';

const maps = '/api/v1/namespaces/default/configmaps';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startEtcd(...given: Parameters<typeof TestEtcd.start>): Promise<TestEtcd> {
  const etcd = await TestEtcd.start(...given);
  ends.push(() => etcd.stop());
  return etcd;
}

async function startOn(etcdServers: string, more: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ etcdServers, ...more });
  ends.push(() => server.close());
  return server;
}

const create = (server: RunningServer, name: string, data = {}) =>
  ask(server, maps, { method: 'POST', body: JSON.stringify({ metadata: { name }, data }) });
const statusOf = async (server: RunningServer, path: string) => (await ask(server, path)).status;
/** Creates an object as soon as etcd is back. A create that got no answer of etcd in time may have happened. */
const createSoon = (server: RunningServer, name: string) =>
  expect.poll(async () => (await create(server, name)).status).toBeOneOf([200, 409]);

describe.skipIf(noEtcd !== undefined)(`an etcd that fails${noEtcd === undefined ? '' : ` (${noEtcd})`}`, () => {
  test('no etcd at the start: a clear error', async () => {
    const etcd = await startEtcd();
    await etcd.kill(0);
    await expect(startServer({ etcdServers: etcd.servers })).rejects.toThrow(
      `--etcd-servers: no etcd responds at ${etcd.servers}: start it, or correct the URL`,
    );
  });

  test('the start waits for an etcd that comes late', async () => {
    const etcd = await startEtcd();
    const relay = await Relay.start((etcd.members[0] as { client: number }).client);
    ends.push(() => relay.close());
    relay.cut(true);
    const starting = startOn(`http://127.0.0.1:${relay.port}`);
    await expect.poll(() => relay.refused).toBeGreaterThan(0);
    relay.cut(false);
    expect(await statusOf(await starting, '/readyz')).toBe(200);
  });

  test('an etcd that is away: 503 with Retry-After, not ready but alive, reads of known versions; then all is well', async () => {
    const etcd = await startEtcd();
    const server = await startOn(etcd.servers);
    expect((await create(server, 'before')).status).toBe(200);
    await etcd.kill(0);
    await expect.poll(() => statusOf(server, '/readyz')).toBe(500);
    expect(await statusOf(server, '/livez')).toBe(200);
    const refused = await create(server, 'during');
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(JSON.parse(refused.text)).toMatchObject({ reason: 'ServiceUnavailable', details: { retryAfterSeconds: 1 } });
    expect(await statusOf(server, maps)).toBe(503);
    const known = JSON.parse((await ask(server, `${maps}?resourceVersion=0`)).text) as AnyShape;
    expect(known.items.map(({ metadata }: AnyShape) => metadata.name)).toContain('before');
    expect(await statusOf(server, '/apis')).toBe(200);
    etcd.run(0);
    await expect.poll(() => statusOf(server, '/readyz')).toBe(200);
    await createSoon(server, 'after');
    expect(await statusOf(server, `${maps}/during`)).toBe(404);
    expect(await statusOf(server, `${maps}/before`)).toBe(200);
  });

  test('an etcd that is restarted: a watch goes on', async () => {
    const etcd = await startEtcd();
    const server = await startOn(etcd.servers);
    const { metadata } = JSON.parse((await ask(server, maps)).text) as AnyShape;
    const path = `${maps}?watch=true&resourceVersion=${metadata.resourceVersion}`;
    const events = await watched(server, path, async (seen) => {
      expect((await create(server, 'one')).status).toBe(200);
      await etcd.kill(0);
      etcd.run(0);
      await createSoon(server, 'two');
      expect((await create(server, 'three')).status).toBe(200);
      await seen(3);
    });
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'one'],
      ['ADDED', 'two'],
      ['ADDED', 'three'],
    ]);
  });

  test('a slow etcd: everything takes longer, and is right', async () => {
    const etcd = await startEtcd();
    const relay = await Relay.start((etcd.members[0] as { client: number }).client);
    ends.push(() => relay.close());
    const server = await startOn(`http://127.0.0.1:${relay.port}`);
    relay.delay = 300;
    const names = Array.from({ length: 20 }, (_, index) => `slow-${index}`);
    const answers = await Promise.all(names.map((name) => create(server, name)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { items } = JSON.parse((await ask(server, maps)).text) as AnyShape;
    expect(items.map(({ metadata }: AnyShape) => metadata.name)).toEqual(expect.arrayContaining(names));
  });

  test('an etcd that hangs for a while: no write is lost or doubled', async () => {
    const etcd = await startEtcd();
    const server = await startOn(etcd.servers);
    etcd.freeze(0, true);
    const writes = Promise.all(Array.from({ length: 10 }, (_, index) => create(server, `h-${index}`)));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    etcd.freeze(0, false);
    expect((await writes).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  test('a full etcd: 507, and reads still work', async () => {
    const etcd = await startEtcd({ more: ['--quota-backend-bytes', String(4 * 1024 * 1024)] });
    const server = await startOn(etcd.servers);
    const value = 'x'.repeat(200_000);
    let status = 200;
    let count = 0;
    for (; status === 200 && count < 100; count += 1)
      status = (await create(server, `large-${count}`, { value })).status;
    expect(status).toBe(507);
    const { items } = JSON.parse((await ask(server, maps)).text) as AnyShape;
    expect(items.filter(({ metadata }: AnyShape) => metadata.name.startsWith('large-'))).toHaveLength(count - 1);
    expect(await statusOf(server, `${maps}/large-0`)).toBe(200);
  });

  test('a full etcd takes deletes of all its servers, and then writes again', async () => {
    const etcd = await startEtcd({ more: ['--quota-backend-bytes', String(4 * 1024 * 1024)] });
    const [address = ''] = etcd.members.map(({ client }) => `127.0.0.1:${client}`);
    const open = async (): Promise<EtcdStorage> => {
      const storage = await EtcdStorage.open({ addresses: [address], prefix: '/full' });
      ends.push(() => storage.close());
      return storage;
    };
    const [one, other] = [await open(), await open()];
    const value = (name: string) => ({ metadata: { name }, data: { value: 'x'.repeat(100_000) } });
    const names: string[] = [];
    for (;;) {
      const name = `k/${names.length}`;
      const made = await one.create(name, value(name)).catch((error: unknown) => error);
      if (made instanceof StorageFull) break;
      names.push(name);
    }
    const stop = new AbortController();
    ends.push(() => stop.abort());
    const follow = async (storage: EtcdStorage): Promise<StoredChange[]> => {
      const seen: StoredChange[] = [];
      await storage.sync();
      const from = await storage.revision();
      void (async () => {
        for await (const batch of storage.watch('', from, stop.signal)) seen.push(...batch);
      })().catch(() => undefined);
      return seen;
    };
    const seen = await follow(other);
    const [first = '', second = '', ...rest] = names;
    expect(await one.delete(first)).toMatchObject({ key: first });
    await expect.poll(() => seen.map(({ entry }) => entry.key)).toEqual([first]);
    // A server that did not write knows it after a sync, and a server that starts now too.
    await other.sync();
    expect([await other.get(first), await other.delete(first)]).toEqual([undefined, undefined]);
    const third = await open();
    expect([await third.get(first), (await third.get(second))?.key]).toEqual([undefined, second]);
    await expect(other.guaranteedUpdate(second, () => ({ put: value('smaller') }))).rejects.toThrow(StorageFull);
    // Two servers delete the same objects at once: each is deleted once.
    const deleted = await Promise.all(rest.flatMap((name) => [one, other].map((storage) => storage.delete(name))));
    expect(deleted.filter((entry) => entry !== undefined)).toHaveLength(rest.length);
    for (const storage of [one, other, third]) {
      await storage.sync();
      expect((await storage.list('')).entries.map(({ key }) => key)).toEqual([second]);
    }
    const gateway = async (path: string, body: object): Promise<AnyShape> => {
      const answer = await fetch(`http://${address}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
      const text = await answer.text();
      expect([path, answer.status, text]).toEqual([path, 200, text]);
      return JSON.parse(text);
    };
    await gateway('kv/compaction', { revision: String(await one.revision()), physical: true });
    await gateway('maintenance/defragment', {});
    const { alarms } = await gateway('maintenance/alarm', { action: 'GET' });
    for (const alarm of alarms) await gateway('maintenance/alarm', { action: 'DEACTIVATE', ...alarm });
    const later = await follow(third);
    await one.create('after', value('after'));
    for (const storage of [other, third]) {
      await storage.sync();
      expect((await storage.get('after'))?.key).toBe('after');
    }
    await other.delete('after');
    await one.sync();
    expect(await one.get('after')).toBeUndefined();
    await expect.poll(() => later.map(({ type }) => type)).toEqual(['put', 'remove']);
  });

  test('an object that etcd does not take: 413', async () => {
    const server = await startOn((await startEtcd()).servers);
    const containers = [{ name: 'c', image: 'i', args: ['x'.repeat(2_000_000)] }];
    const pod = JSON.stringify({ metadata: { name: 'huge' }, spec: { containers } });
    const refused = await ask(server, '/api/v1/namespaces/default/pods', { method: 'POST', body: pod });
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({ reason: 'RequestEntityTooLarge' });
  });

  test('three members that lose their leader under writes: no acknowledged write is lost, no watch has a gap or a double', async () => {
    const etcd = await startEtcd({ members: 3 });
    const addresses = etcd.members.map(({ client }) => `127.0.0.1:${client}`);
    const storages: EtcdStorage[] = [];
    for (let index = 0; index < 3; index++) {
      const storage = await EtcdStorage.open({ addresses, prefix: '/leaders' });
      storages.push(storage);
      ends.push(() => storage.close());
    }
    const stop = new AbortController();
    const from = await (storages[0] as EtcdStorage).revision();
    const seen = storages.map((storage) => {
      const changes: StoredChange[] = [];
      void (async () => {
        for await (const batch of storage.watch('', from, stop.signal)) changes.push(...batch);
      })();
      return changes;
    });
    const acknowledged = new Map<string, number>();
    /** What etcd did not answer in time, as it may while a busy machine elects a leader: each write may have happened. */
    const unsure = new Set<string>();
    const sure = (changes: readonly StoredChange[]) => changes.filter(({ entry }) => !unsure.has(entry.key));
    let isOver = false;
    const writing = storages.map(async (storage, server) => {
      for (let index = 0; !isOver; index++) {
        const key = `k/${server}/${index}`;
        const made = await storage.create(key, { metadata: { name: key } }).catch((error: unknown) => {
          if (!(error instanceof StatusError && error.details?.retryAfterSeconds === 1)) throw error;
        });
        if (made === undefined) unsure.add(key);
        else acknowledged.set(key, made.revision);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    for (let kill = 0; kill < 6; kill++) {
      const before = acknowledged.size;
      await etcd.kill(kill % 3);
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 20);
      etcd.run(kill % 3);
      await expect.poll(() => etcd.isHealthy(kill % 3)).toBe(true);
    }
    isOver = true;
    await Promise.all(writing);
    await expect.poll(() => seen.map((changes) => sure(changes).length)).toEqual(seen.map(() => acknowledged.size));
    stop.abort();
    for (const changes of seen) {
      expect(new Map(sure(changes).map(({ entry }) => [entry.key, entry.revision]))).toEqual(acknowledged);
      const revisions = changes.map(({ entry }) => entry.revision);
      expect(revisions).toEqual([...revisions].sort((one, other) => one - other));
    }
    process.stdout.write(`6 members killed under writes: ${acknowledged.size} writes acknowledged, 0 lost\n`);
  });
});
