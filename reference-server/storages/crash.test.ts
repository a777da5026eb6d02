// Tests a server or its etcd that is killed under load: acknowledged writes survive, and nothing is doubled or left over.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Storage } from '../storage/storage.js';
import { startDirect } from '../testing/direct.js';
import { EtcdStorage } from './etcd/etcd.js';
import { DurableStorage } from './lmdb/durable.js';
import { openLmdb } from './lmdb/lmdb.js';
import { Child } from './testing/child.js';
import { noEtcd, TestEtcd } from './testing/etcd.js';
import { leftOver } from './testing/leftOver.js';
import { Load, type Send } from './testing/load.js';

/** `KILLS=100` sets another number of kills, of each kind. */
const killsOf = (usual: number): number => Number(process.env.KILLS ?? usual);
const prefix = '/crash';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const timeout = 3_600_000;
/** The number of writes that are acknowledged before the kill of a round. */
const writesBefore = (round: number): number => 1 + ((round * 37) % 100);
const writers = (load: Load, send: Send, round: number) =>
  ['a', 'b'].map((writer) => load.run(send, `${round}-${writer}`));

async function startEtcd(): Promise<TestEtcd> {
  const etcd = await TestEtcd.start();
  ends.push(() => etcd.stop());
  return etcd;
}

const onEtcd = ({ servers }: TestEtcd): readonly string[] => ['--etcd-servers', servers, '--etcd-prefix', prefix];
const openEtcd = (etcd: TestEtcd): Promise<Storage> =>
  EtcdStorage.open({ addresses: etcd.members.map(({ client }) => `127.0.0.1:${client}`), prefix });

/** Kills the server in each round, and starts it again on the same storage. */
async function killServers(load: Load, kills: number, options: readonly string[]): Promise<void> {
  for (let round = 0; round <= kills; round += 1) {
    const child = await Child.startWith(options);
    const send = child.send.bind(child);
    await load.compare(send);
    const loads = round === kills ? [] : writers(load, send, round);
    if (round < kills) await load.reached(writesBefore(round));
    await Promise.all([child.end('SIGKILL'), ...loads]);
  }
}

/** Kills etcd in each round, and starts it again below the same server. */
async function killEtcd(load: Load, kills: number, etcd: TestEtcd): Promise<void> {
  const child = await Child.startWith(onEtcd(etcd));
  ends.push(() => child.end('SIGKILL'));
  const underWay = new Set<Promise<unknown>>();
  /** A server without etcd does not say whether it has done a write: with 504, etcd may have received it. */
  const send: Send = async (...request) => {
    const answer = child.send(...request);
    underWay.add(answer);
    try {
      const given = await answer;
      if (given.status === 503 || given.status === 504) throw new Error('etcd is away');
      return given;
    } finally {
      underWay.delete(answer);
    }
  };
  for (let round = 0; round < kills; round += 1) {
    const loads = writers(load, send, round);
    await load.reached(writesBefore(round));
    await etcd.kill(0);
    // A writer that waits for an answer may get it from the etcd that runs again.
    await expect.poll(() => child.status('/readyz')).toBe(500);
    load.stop();
    etcd.run(0);
    await Promise.all(loads);
    while (underWay.size > 0) await Promise.allSettled([...underWay]);
    await expect.poll(() => child.status('/readyz')).toBe(200);
    await load.compare(send);
  }
  await child.end('SIGKILL');
}

/** Compares what a storage has with what was acknowledged. */
async function expectWhole(load: Load, storage: Storage, kills: number, what: string): Promise<void> {
  const after = await startDirect(storage);
  await expect.poll(() => leftOver(storage)).toEqual([]);
  await after.stop();
  await storage.close();
  expect(load.problems).toEqual([]);
  process.stdout.write(`${kills} kills of ${what}: ${load.summary()}\n`);
  expect(load.there.size).toBeGreaterThan(kills);
}

test('a server on lmdb that is killed', { timeout }, async () => {
  const kills = killsOf(8);
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const directory = join(folder, 'data');
  const load = new Load();
  await killServers(load, kills, ['--data-dir', directory]);
  await expectWhole(load, await DurableStorage.open(await openLmdb(directory)), kills, 'a server on lmdb');
});

test.skipIf(noEtcd !== undefined)(`a server on etcd that is killed (${noEtcd ?? 'etcd'})`, { timeout }, async () => {
  const kills = killsOf(3);
  const etcd = await startEtcd();
  const load = new Load();
  await killServers(load, kills, onEtcd(etcd));
  await expectWhole(load, await openEtcd(etcd), kills, 'a server on etcd');
});

test.skipIf(noEtcd !== undefined)(
  `the etcd of a server that is killed (${noEtcd ?? 'etcd'})`,
  { timeout },
  async () => {
    const kills = killsOf(3);
    const etcd = await startEtcd();
    const load = new Load();
    await killEtcd(load, kills, etcd);
    await expectWhole(load, await openEtcd(etcd), kills, 'the etcd of a server');
  },
);
