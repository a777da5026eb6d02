// Somebody's objects survive a run on a server that is not disposable, however wrong that server is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readFixtures } from '../../../cli/fixtures/directory.js';
import { referenceServerFlags } from '../../../cli/fixtures/flags.js';
import { makeFixtures } from '../../../cli/fixtures/make.js';
import { writeNewFiles } from '../../../test-certs/index.js';
import { call } from '../calling.js';
import { type Running, startReferenceServer } from '../referenceServer.js';
import { dump, hasAllTokens, putBelongings } from './belongings.js';
import { dangers } from './dangers.js';
import { startDangerousServer, type Written } from './proxy.js';

let good: Running;
let folder: string;
let fixtures: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'safety-'));
  fixtures = join(folder, 'fixtures');
  await writeNewFiles(fixtures, await makeFixtures({ ip: '127.0.0.1', names: [], standInsAddress: '127.0.0.1' }), true);
  good = await startReferenceServer(referenceServerFlags(fixtures, await readFixtures(fixtures)));
  await putBelongings(good);
  await vi.waitUntil(async () => hasAllTokens(await dump(good)), { timeout: 30_000, interval: 100 });
});
afterAll(async () => {
  await good.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (url: string, ...options: readonly string[]) =>
  call('run', '--url', url, '--output', mkdtempSync(join(folder, 'run-')), '--fixtures', fixtures, ...options);

describe('somebody’s objects survive a server that', () => {
  it.each(dangers)('%s', { timeout: 180_000 }, async (_, danger, { open = false, grep, says }) => {
    const before = await dump(good);
    expect(Object.keys(before).filter((key) => key.includes('theirs')).length).toBeGreaterThan(15);
    const server = await startDangerousServer(good, danger, { open });
    const { stdout } = await run(server.url, '--grep', grep);
    await server.close();
    expect(await dump(good)).toEqual(before);
    expect(stdout).toMatch(says);
  });
});

/** Whether a write that had an effect is about what carries the name of a run, or leaves nothing behind. */
function isOwn({ path, body, status }: Written): boolean {
  const name = /kac-[0-9a-f]{6}-/;
  return status >= 400 || name.test(path) || name.test(body) || /(review|dryRun=All)/.test(path);
}

describe('a run on a good server that is not disposable', () => {
  it.each(['configmaps', 'DELETE /api/v1/nodes', 'POST /api/v1/'])(
    'writes nothing but its own: %s',
    { timeout: 180_000 },
    async (grep) => {
      const before = await dump(good);
      const server = await startDangerousServer(good);
      const { stdout } = await run(server.url, '--grep', grep);
      await server.close();
      expect(stdout).toMatch(/\n(conformant|partial)/);
      expect(server.writes.length).toBeGreaterThan(20);
      expect(server.writes.filter((write) => !isOwn(write))).toEqual([]);
      expect(await dump(good)).toEqual(before);
    },
  );
});
