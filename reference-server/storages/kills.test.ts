// Tests kills between any two writes of a server, on every storage: nothing is lost, doubled or left over.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import type { Storage } from '../storage/storage.js';
import { type Direct, startDirect } from '../testing/direct.js';
import { DurableStorage } from './lmdb/durable.js';
import { openLmdb } from './lmdb/lmdb.js';
import { KillableStorage } from './testing/killable.js';
import { leftOver } from './testing/leftOver.js';
import { Load, type Send } from './testing/load.js';

/** `KILLS=100` sets another number of kills. */
const kills = Number(process.env.KILLS ?? 10);
const folder = mkdtempSync(join(tmpdir(), 'kills-'));

test.each<[string, () => Promise<Storage>]>([
  ['memory', async () => new MemoryStorage()],
  ['lmdb', async () => DurableStorage.open(await openLmdb(folder))],
])(`${kills} kills on %s`, { timeout: 900_000 }, async (name, open) => {
  const storage = await open();
  const load = new Load();
  for (let round = 0; round < kills; round += 1) {
    const life = new KillableStorage(storage);
    const direct = await startDirect(life);
    let die = () => {};
    const death = new Promise<never>((_, reject) => {
      die = () => reject(new Error('killed'));
    });
    death.catch(() => {});
    const send = sender(direct, death);
    await load.compare(send);
    const loads = [load.run(send, `${round}-a`), load.run(send, `${round}-b`)];
    await load.reached(1 + ((round * 37) % 100));
    const dead = life.kill();
    die();
    await Promise.all([dead, ...loads]);
  }
  const last = await startDirect(storage);
  await load.compare(sender(last));
  await expect.poll(() => leftOver(storage)).toEqual([]);
  await last.stop();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
  expect(load.problems).toEqual([]);
  process.stdout.write(`${kills} kills on ${name}: ${load.summary()}\n`);
  expect(load.there.size).toBeGreaterThan(kills);
});

/** Returns a function that sends requests to a server until it is killed. */
function sender(direct: Direct, death?: Promise<never>): Send {
  return async (method, path, body) => {
    // Memory completes a call within one turn of the event loop, so a kill needs another turn.
    await new Promise((resolve) => setImmediate(resolve));
    const answer = direct.call(method, path, body === undefined ? {} : { body });
    return death === undefined ? answer : Promise.race([answer, death]);
  };
}
