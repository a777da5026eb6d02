// Tests that one server at a time, and only one user of the machine, can use a data directory.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OptionError } from '../../optionValues.js';
import { Child } from '../testing/child.js';
import { startServer } from '../testing/server.js';
import { DataDirectoryError } from './dataDirectory.js';
import { DurableStorage } from './durable.js';
import { openLmdb } from './lmdb.js';

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'directory-'));
  data = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = async () => DurableStorage.open(await openLmdb(data));
const modeOf = (...path: string[]) => (statSync(join(data, ...path)).mode & 0o777).toString(8);

describe('one server at a time', () => {
  const used =
    /^--data-dir: .*data is used by another server \(process \d+ on .*\): stop it, or take another directory$/;

  test('in one process: the second is refused, and the first continues', async () => {
    const first = await startServer({ dataDir: data });
    const second = startServer({ dataDir: join(data, '.') });
    await expect(second).rejects.toThrow(OptionError);
    await expect(second).rejects.toThrow(used);
    await first.close();
    await (await startServer({ dataDir: data })).close();
  });

  test('in two processes, until the first is killed', async () => {
    const first = await Child.start(data);
    await expect(startServer({ dataDir: data })).rejects.toThrow(used);
    await expect(Child.start(data)).rejects.toThrow(/^ended with 2 .*is used by another server/s);
    await first.end('SIGKILL');
    const second = await Child.start(data);
    await second.end('SIGTERM');
  });

  const apart = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  const hasNamespaces = (() => {
    try {
      execFileSync('unshare', [...apart, 'true'], { stdio: 'ignore' });
      return true;
    } catch {
      process.stderr.write('skipped: a namespace of process ids, since this user may not make one\n');
      return false;
    }
  })();

  test.skipIf(!hasNamespaces)('in two namespaces of process ids', async () => {
    const storage = await open();
    const main = resolve(import.meta.dirname, '../../../dist/cli/main.js');
    const start = () =>
      execFileSync('unshare', [...apart, process.execPath, main, 'serve', '--nodes', '0', '--data-dir', data], {
        stdio: 'pipe',
        encoding: 'utf8',
      });
    expect(start).toThrow(/is used by another server/);
    await storage.close();
  });

  test('a process id of an earlier version that belongs to another process now is ignored', async () => {
    await (await open()).close();
    writeFileSync(join(data, 'server.pid'), String(process.ppid));
    const storage = await open();
    expect(readdirSync(data)).not.toContain('server.pid');
    await storage.close();
  });

  test('a store that could not be read is released for the next try', async () => {
    await (await open()).close();
    const format = join(data, 'format');
    writeFileSync(format, 'kube-api-conformance store, format 99\n');
    await expect(open()).rejects.toThrow(/has a store of format 99, and this version reads format 1/);
    rmSync(format);
    await (await open()).close();
  });
});

describe.skipIf(process.platform === 'win32')('no other user', () => {
  test('can read a new directory, for any umask', async () => {
    const before = process.umask(0);
    const storage = await open();
    process.umask(before);
    await storage.create('a', { metadata: {} });
    await storage.close();
    const modes = ['', 'store'].map((name) => modeOf(name));
    const files = ['lock', 'format', 'store/data.mdb', 'store/lock.mdb'].map((name) => modeOf(name));
    expect([modes, files]).toEqual([
      ['700', '700'],
      ['600', '600', '600', '600'],
    ]);
  });

  test('can read an empty directory, and a directory with other files is refused', async () => {
    mkdirSync(data, { mode: 0o755 });
    chmodSync(data, 0o755);
    await (await open()).close();
    expect(modeOf()).toBe('700');
    chmodSync(data, 0o750);
    await expect(open()).rejects.toThrow(DataDirectoryError);
    await expect(open()).rejects.toThrow(/data is open to other users \(mode 750\): chmod 700 it, or take another/);
    chmodSync(data, 0o700);
    for (const name of ['store', 'store/data.mdb']) chmodSync(join(data, name), 0o777);
    await (await open()).close();
    expect([modeOf('store'), modeOf('store', 'data.mdb')]).toEqual(['700', '600']);
  });
});
