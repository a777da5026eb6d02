// Tests a server that is killed under load: acknowledged writes survive, and nothing is doubled or left over.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDirect } from '../testing/direct.js';
import { DurableStorage } from './lmdb/durable.js';
import { openLmdb } from './lmdb/lmdb.js';
import { Child } from './testing/child.js';
import { leftOver } from './testing/leftOver.js';
import { Load } from './testing/load.js';

/** `KILLS=100` sets another number of kills. */
const kills = Number(process.env.KILLS ?? 20);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`loses nothing in ${kills} crashes`, { timeout: 1_800_000 }, async () => {
  const directory = join(folder, 'data');
  const load = new Load();
  for (let round = 0; round <= kills; round += 1) {
    const child = await Child.start(directory);
    const send = child.send.bind(child);
    await load.compare(send);
    const loads = round === kills ? [] : ['a', 'b'].map((writer) => load.run(send, `${round}-${writer}`));
    if (round < kills) await load.reached(1 + ((round * 37) % 100));
    await Promise.all([child.end('SIGKILL'), ...loads]);
  }
  const storage = await DurableStorage.open(await openLmdb(directory));
  const after = await startDirect(storage);
  await expect.poll(() => leftOver(storage)).toEqual([]);
  await after.stop();
  await storage.close();
  expect(load.problems).toEqual([]);
  process.stdout.write(`${kills} crashes: ${load.summary()}\n`);
  expect(load.there.size).toBeGreaterThan(kills);
});
