// Existing objects survive a run on a server that is not disposable, even if the server is dangerous.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referenceServerFlags } from '../../../cli/fixtures/flags.js';
import { runHere } from '../../../cli/testing/runHere.js';
import { writeTestFixtures } from '../../../cli/testing/testFixtures.js';
import { type Running, startReferenceServer } from '../referenceServer.js';
import { isSoak } from '../soak.js';
import { startDangerousServer, type Written } from './dangerousServer.js';
import { dangers } from './dangers.js';
import { createObjects, ownNames, readObjects, untilAtRest } from './existingObjects.js';

/** Each requirement and each operation once; the soak tries each kind. */
const some = isSoak ? 'standard' : 'smoke';

let good: Running;
let folder: string;
let fixtures: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'safety-'));
  fixtures = join(folder, 'fixtures');
  good = await startReferenceServer(referenceServerFlags(fixtures, await writeTestFixtures(fixtures)));
  await createObjects(good);
  await untilAtRest(good);
});
afterAll(async () => {
  await good.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (url: string, ...options: readonly string[]) =>
  runHere('--url', url, '--output', mkdtempSync(join(folder, 'run-')), '--fixtures', fixtures, ...options);

describe('existing objects survive a server that', () => {
  it.each(dangers)('%s', async (_, danger, { open = false, grep, kinds = [], says }) => {
    const before = await readObjects(good);
    expect(Object.keys(before).filter((key) => key.includes('theirs')).length).toBeGreaterThan(15);
    const server = await startDangerousServer(good, danger, { open });
    const { summary } = await run(server.url, '--profile', some, '--grep', grep, ...kinds);
    await server.close();
    expect(await readObjects(good)).toEqual(before);
    expect(summary).toMatch(says);
  });
});

/** Reports whether a write concerns an object with the name of a run, or has no lasting effect. */
function isOwn({ path, body, status }: Written): boolean {
  const name = /kac-[0-9a-f]{6}-/;
  return status >= 400 || name.test(path) || name.test(body) || /(review|dryRun=All)/.test(path);
}

describe('a run on a good server that is not disposable', () => {
  // The profile leaves out requests in other media types, but for the kind for which it leaves out whole requirements.
  it.each([
    ['configmaps', some],
    ['DELETE /api/v1/nodes', 'full'],
    ['POST /api/v1/', some],
  ])('writes only its own objects: %s', async (grep, profile) => {
    const before = await readObjects(good);
    const server = await startDangerousServer(good);
    const { summary } = await run(server.url, '--grep', grep, '--profile', profile);
    await server.close();
    expect(summary).toMatch(/\n(conformant|partial)/);
    expect(server.writes.length).toBeGreaterThan(20);
    expect(server.writes.filter((write) => !isOwn(write))).toEqual([]);
    expect(await readObjects(good)).toEqual(before);
  });
});

describe('a run in one namespace', () => {
  it('writes its own objects there alone, makes no namespace, and leaves what is there already', async () => {
    const before = await readObjects(good);
    const server = await startDangerousServer(good);
    const { summary } = await run(server.url, '--namespace', 'theirs', '--profile', some, '--chapter', 'surface');
    await server.close();
    expect(summary).toContain('needs more than the namespace');
    expect(summary).toMatch(/, 0 failed, 0 blocked/);
    const isReview = /^\/apis\/auth[a-z]+\.[^/]+\/[^/]+\/[a-z]+reviews$/;
    const stored = server.writes.filter(({ path }) => !isReview.test(path));
    expect(stored.length).toBeGreaterThan(20);
    const within = /^\/(api\/v1|apis\/[^/]+\/[^/]+)\/namespaces\/theirs\/[a-z]+(\/kac-[0-9a-f]{6}-|$|\?)/;
    expect(stored.filter(({ path }) => !within.test(path))).toEqual([]);
    expect(stored.filter((write) => !isOwn(write))).toEqual([]);
    expect(stored.filter(({ method, path }) => method === 'DELETE' && !path.includes('/kac-'))).toEqual([]);
    expect(await readObjects(good)).toEqual(before);
    expect(await ownNames(good)).toEqual([]);
  });
});
