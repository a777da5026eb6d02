// The options of etcd, asked of a real etcd and of a program that refuses what it does not know.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noEtcd } from '../../reference-server/storages/testing/etcd.js';
import { programPath } from '../../reference-server/testing/programs.js';
import { optionNamesOfEtcd } from './programs.js';

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
