// The options of etcd, asked of a real etcd and of a program that refuses what it does not know, and the end of programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noEtcd } from '../../reference-server/storages/testing/etcd.js';
import { programPath } from '../../reference-server/testing/programs.js';
import { isRunning } from '../running.js';
import { launch, optionNamesOfEtcd, stopPrograms } from './programs.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the options of etcd', () => {
  it.skipIf(noEtcd !== undefined)(
    `include one that its help does not list${noEtcd === undefined ? '' : ` (${noEtcd})`}`,
    async () => {
      symlinkSync(programPath('etcd') ?? '', join(folder, 'etcd'));
      const options = await optionNamesOfEtcd(folder);
      expect(options.has('unsafe-no-fsync')).toBe(true);
      expect(options.has('data-dir')).toBe(true);
    },
  );

  it('are those of its help where it refuses others', async () => {
    const old = mkdtempSync(join(folder, 'old-'));
    const program = ['#!/bin/sh', 'case "$1" in', '--help) echo "  --data-dir" ;;', '*) exit 2 ;;', 'esac', ''];
    writeFileSync(join(old, 'etcd'), program.join('\n'), { mode: 0o755 });
    expect([...(await optionNamesOfEtcd(old))]).toEqual(['data-dir']);
  });
});

describe('the stop', () => {
  /** A program that waits. */
  const assets = (): string => {
    const directory = mkdtempSync(join(folder, 'assets-'));
    writeFileSync(join(directory, 'etcd'), `#!${process.execPath}\nsetInterval(() => {}, 1000);\n`, { mode: 0o755 });
    return directory;
  };

  it('ends the programs of a state directory, however it is spelled', async () => {
    const state = realpathSync(mkdtempSync(join(folder, 'state-')));
    const pid = launch(state, assets(), 'etcd', ['--data-dir', join(state, 'data')]);
    symlinkSync(state, join(folder, 'link'));
    await stopPrograms(join(folder, 'link'));
    expect(isRunning(pid)).toBe(false);
    await stopPrograms(state);
  });

  it('spares a process that has the number of a program now', async () => {
    const state = realpathSync(mkdtempSync(join(folder, 'state-')));
    const other = spawn('sleep', ['600']);
    await once(other, 'spawn');
    writeFileSync(join(state, 'etcd.pid'), String(other.pid));
    await stopPrograms(state);
    expect(isRunning(other.pid ?? 0)).toBe(true);
    other.kill();
  });

  it('has nothing to do without the directory', async () => {
    await stopPrograms(join(folder, 'none'));
  });
});
