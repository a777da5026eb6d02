// Runs the examples of tests as a stranger would: copied to a folder of their own, with the packed package.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hasTools, withoutTools } from '../../.ci/tools/tools.js';
import { run } from '../testing/npm.js';
import { type Installed, installPacked } from '../testing/packed.js';

const root = join(import.meta.dirname, '../..');
const packageOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
beforeEach(({ skip }) => {
  if (installed.unreachable !== undefined) skip(installed.unreachable);
});
afterAll(() => installed?.remove());

/** Copies an example beside the installed package, with further packages. Returns its folder. */
function copied(name: string, packages: Readonly<Record<string, string>> = {}): string {
  const folder = join(installed.folder, name);
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  for (const [specifier, path] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', specifier);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(path, link);
  }
  return folder;
}

it('examples/node-test', async () => {
  const { code, stdout, stderr } = await run(process.execPath, ['--test'], copied('node-test'));
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/pass 8$/m);
});

it('examples/vitest', async ({ skip }) => {
  if (!hasTools) skip(withoutTools);
  const vitest = packageOf('vitest');
  const folder = copied('vitest', {
    '@kubernetes/client-node': join(root, '.ci/tools/node_modules/@kubernetes/client-node'),
    '@types/node': packageOf('@types/node'),
    vitest,
  });
  const compiled = await run(process.execPath, [join(packageOf('typescript'), 'bin/tsc'), '-p', folder], folder);
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
  const { code, stdout, stderr } = await run(process.execPath, [join(vitest, 'vitest.mjs'), 'run'], folder);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/Tests .*8 passed/);
});
