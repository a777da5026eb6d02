// Tests a full disk: writes fail as a whole, reads work, and writes work again when there is room.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Child } from '../testing/child.js';
import { openLmdb } from './lmdb.js';

const collection = '/api/v1/namespaces/default/configmaps';
const disk = mkdtempSync(join(tmpdir(), 'full-disk-'));
const mounted = mount();
afterAll(() => {
  if (mounted) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Mounts a disk of 12 MB in memory. Reports whether this process may do so. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'none', disk], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('skipped: a full disk, since this user may not mount a small one (root on Linux may)\n');
    return false;
  }
}

function fillUp(name: string): void {
  try {
    writeFileSync(join(disk, name), Buffer.alloc(12 * 1024 * 1024));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

test.skipIf(!mounted).each([0, 8, 64, 1024])(
  'a new store that finds %d KiB is refused, and made when there is room',
  async (kilobytes) => {
    const directory = join(disk, 'new');
    writeFileSync(join(disk, 'room'), Buffer.alloc(kilobytes * 1024));
    fillUp('filler');
    rmSync(join(disk, 'room'));
    await expect(openLmdb(directory)).rejects.toThrow(
      `the disk of ${directory} is full, and a new store needs 4 MiB: free room, or take another directory`,
    );
    rmSync(join(disk, 'filler'));
    const server = await Child.start(directory);
    await server.end('SIGTERM');
    expect(server.log()).toBe('');
    rmSync(directory, { recursive: true });
  },
);

test.skipIf(!mounted)('refuses writes, still reads, and loses nothing', async () => {
  const acknowledged = new Map<string, string>();
  let server = await Child.start(join(disk, 'data'));
  const create = async (name: string, kilobytes: number): Promise<number> => {
    const data = { text: 'x'.repeat(kilobytes * 1024) };
    const { status, body } = await server.send('POST', collection, { metadata: { name }, data });
    if (status === 200) acknowledged.set(name, body.metadata.resourceVersion);
    else expect(body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'InsufficientStorage', code: 507 });
    return status;
  };
  const kept = async (): Promise<Record<string, string>> => {
    const { items } = (await server.send('GET', collection)).body as { items: { metadata: Record<string, string> }[] };
    const own = items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
    return Object.fromEntries(own.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  };
  for (let index = 0; index < 6; index += 1) expect(await create(`early-${index}`, 10)).toBe(200);
  fillUp('filler');
  const batch = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`full-${index}`, 900)));
  expect(new Set(batch)).toEqual(new Set([507]));
  expect(await kept()).toEqual(Object.fromEntries(acknowledged));
  expect((await server.send('GET', `${collection}/early-0`)).status).toBe(200);
  expect((await server.send('GET', `${collection}/full-0`)).status).toBe(404);
  // Deletes work, also after a start on the full disk, and free room for objects of the same size.
  const remove = async (name: string) => {
    expect((await server.send('DELETE', `${collection}/${name}`)).status).toBe(200);
    acknowledged.delete(name);
  };
  await remove('early-4');
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    await server.end(signal);
    // lmdb writes a line for each failed write, and may end the process by it.
    expect(server.log()).toBe('');
  };
  await end('SIGKILL');
  fillUp('more');
  server = await Child.start(join(disk, 'data'));
  expect(await kept()).toEqual(Object.fromEntries(acknowledged));
  await remove('early-5');
  await expect.poll(() => create('instead', 10)).toBe(200);
  expect(await create('full', 900)).toBe(507);
  expect(await kept()).toEqual(Object.fromEntries(acknowledged));
  for (const name of ['filler', 'more']) rmSync(join(disk, name));
  expect(await create('later', 300)).toBe(200);
  await remove('early-1');
  await end('SIGKILL');
  server = await Child.start(join(disk, 'data'));
  expect(await kept()).toEqual(Object.fromEntries(acknowledged));
  await end('SIGTERM');
});
