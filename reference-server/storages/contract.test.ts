// Tests the storage contract with the storages that outlive the server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { StorageFull } from '../storage/storage.js';
import { createWhileDeleting } from '../testing/concurrentCreates.js';
import { describeStorage } from '../testing/storageContract.js';
import { EtcdStorage } from './etcd/etcd.js';
import { DurableStorage } from './lmdb/durable.js';
import { openLmdb } from './lmdb/lmdb.js';
import { noEtcd, TestEtcd } from './testing/etcd.js';

let etcd: Promise<TestEtcd> | undefined;
let prefixes = 0;

/** Returns a prefix of its own in the etcd of this file. */
async function newPrefix() {
  etcd ??= TestEtcd.start({ more: ['--max-request-bytes', '8388608'] });
  prefixes += 1;
  const { members } = await etcd;
  return { addresses: members.map(({ client }) => `127.0.0.1:${client}`), prefix: `/contract/${prefixes}` };
}

const directories: string[] = [];

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'storage-'));
  directories.push(made);
  return made;
}

afterAll(async () => (await etcd)?.stop());

afterEach(() => {
  for (const made of directories.splice(0)) rmSync(made, { recursive: true, force: true });
});

test('lmdb: no object of concurrent creates outlives its namespace', async () => {
  await createWhileDeleting(await DurableStorage.open(await openLmdb(directory())));
});

test('lmdb: refuses what the memory has no room for, and takes what frees some', async () => {
  const storage = await DurableStorage.open(await openLmdb(directory()), { objectBytes: 100_000 });
  const value = (length: number) => ({ metadata: { name: 'a' }, data: { a: 'x'.repeat(length) } });
  const fill = async () => {
    const names = Array.from({ length: 12 }, (_, index) => `/a/${index}`);
    const made = await Promise.allSettled(names.map((name) => storage.create(name, value(10_000))));
    return made.filter(({ status }) => status === 'fulfilled').length;
  };
  await storage.create('/a/first', value(60_000));
  expect(await fill()).toBe(0);
  await storage.guaranteedUpdate('/a/first', () => ({ put: value(50_000) }));
  await expect(storage.create('/a/second', value(50_000))).rejects.toThrow(StorageFull);
  await storage.delete('/a/first');
  await storage.create('/a/second', value(90_000));
  await storage.close();
});

describeStorage('lmdb', async (limits) => DurableStorage.open(await openLmdb(directory()), limits));

if (noEtcd !== undefined) test.skip(`etcd: all rules (${noEtcd})`, () => {});
else describeStorage('etcd', async (limits) => EtcdStorage.open(await newPrefix(), limits), { isShared: true });
