// Runs every case against the bundled server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call } from '../../suites/testing/runCommand.js';

it('no case fails on the bundled server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'full-'));
  const { code, stdout } = await call('run', '--target', 'reference-server', '--output', join(folder, 'report'));
  expect(stdout).toMatch(
    /^cases: \d+ passed, 0 failed, 0 blocked, 0 known deviations, \d+ not supported, \d+ skipped$/m,
  );
  expect(code).toBe(0);
  rmSync(folder, { recursive: true });
});
