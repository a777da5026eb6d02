// A run on a server of today that has its own nodes, scheduler and controllers, as on a cluster.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../suites/testing/runCommand.js';
import { type Serving, startServing } from '../testing/serving.js';

let serving: Serving;
let folder: string;
beforeAll(async () => {
  serving = await startServing();
  folder = mkdtempSync(join(tmpdir(), 'present-'));
});
afterAll(async () => {
  await serving.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs these cases. Pods and controllers get the time that a busy machine takes. */
const run = (...choice: readonly string[]) =>
  call('run', '--kubeconfig', serving.kubeconfig, ...choice, '--timeout', '60', '--output', folder);

it('finds nothing that fails, in what needs nodes and in what later versions fill in', async () => {
  const chapters = 'versions,serviceAccounts,log,connect,proxy';
  const { stdout, code } = await run('--chapter', chapters);
  expect(stdout).toMatch(/^cases: [\d,]+ passed, 0 failed, 0 blocked/m);
  expect(code).toBe(0);
});

it('can create again what it exports', async () => {
  const { stdout } = await run('--grep', 'parameters.export');
  expect(stdout).toMatch(/^cases: [\d,]+ passed, 0 failed, 0 blocked/m);
});
