// Runs the compiled program on the versions of Node.js that the tests do not run on: it prints what it prints here.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withoutWaits } from '../../suites/testing/runCommand.js';
import { npmInstall, runProgram } from '../testing/npm.js';
import { main } from '../testing/serving.js';

/** The versions that the README names, but for the one that runs the tests. */
const others = ['20', '22', '24', '26'].filter((major) => major !== process.versions.node.split('.')[0]);

/** The packages that hold nothing but the program are there for some systems only. */
const isPackaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
if (!isPackaged) console.log(`not run: npm has no package node-${process.platform}-${process.arch}`);

describe.skipIf(!isPackaged)('on another version of Node.js', () => {
  let folder: string;
  let unreachable: string | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'other-nodes-'));
    writeFileSync(join(folder, 'package.json'), '{}');
    const packages = others.map((major) => `node-${major}@npm:node-${process.platform}-${process.arch}@${major}`);
    ({ unreachable } = await npmInstall(folder, ...packages));
  });
  beforeEach(({ skip }) => {
    if (unreachable !== undefined) skip(unreachable);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.concurrent.each(others)('a run prints the same, %s', async (major) => {
    const program = join(folder, 'node_modules', `node-${major}`, 'bin', 'node');
    const words = 'run --target reference-server --profile smoke --chapter surface,watch --output'.split(' ');
    const options = [...words, join(folder, major)];
    const { code, stdout, stderr } = await runProgram(program, [main, ...options], folder);
    expect(withoutWaits(stderr)).toMatch(/^server: .*\n$/);
    expect(stdout).toMatch(
      /^cases: [1-9]\d* passed, 0 failed, 0 blocked, 0 known deviations, 0 not supported, 0 skipped$/m,
    );
    expect(code, stdout).toBe(0);
  });
});
