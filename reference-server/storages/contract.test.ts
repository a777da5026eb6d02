// Tests the storage contract with the storages that outlive the server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, test } from 'vitest';
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

describeStorage('lmdb', async (limits) => DurableStorage.open(await openLmdb(directory()), limits));

if (noEtcd !== undefined) test.skip(`etcd: all rules (${noEtcd})`, () => {});
else describeStorage('etcd', async (limits) => EtcdStorage.open(await newPrefix(), limits), { isShared: true });
