// Tests the progress output of a real run, on a terminal and in a pipe.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutWaits } from '../../suites/testing/runCommand.js';
import { inSoakAlone } from '../../suites/testing/soak.js';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const eraser = '\r\x1b[J';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'progress-'));
});
afterAll(() => rm(folder, { recursive: true }));

const words = (name: string): string[] => [
  main,
  ...['run', '--target', 'reference-server'],
  '--grep',
  'create.answer › POST /api/v1',
  '--output',
  join(folder, name),
];

/** Reports whether `script` is that of util-linux, which accepts a command. */
function hasPseudoTerminal(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
}

describe.skipIf(!hasPseudoTerminal())('on a pseudo-terminal (needs script of util-linux)', () => {
  it.for([
    ['few cases', []],
    ['a run of Playwright', ['--allure', 'allure']],
  ] as const)('of %s is one line that is redrawn, and removed before the table', async ([, given], context) => {
    const [option, results = ''] = given;
    if (option !== undefined) inSoakAlone(context);
    const more = option === undefined ? [] : [option, join(folder, results)];
    const command = [process.execPath, ...words('terminal'), ...more].map((word) => `'${word}'`).join(' ');
    const { stdout } = await run('script', ['-qec', `stty cols 100 && exec ${command}`, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm' },
    });
    const [first = '', summary = ''] = stdout.split(`${eraser}chapter`);
    const said = withoutWaits(first);
    const drawn = said.replace(/^server: .*\r?\n/, '');
    expect(drawn).not.toBe(said);
    const lines = drawn.split(eraser);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.slice(-2)).toEqual(['cleaning up', 'writing the report']);
    for (const line of lines.slice(0, -2))
      expect(line).toMatch(/^(starting|\d+ of \d+ cases, 0 failed(, \d+:\d\d left)?(, \d+\/s)?)$/);
    expect(drawn).not.toContain('\n');
    expect(summary).toContain(`report: ${join(folder, 'terminal', 'index.html')}`);
  });
});

it('writes the server and the summary to a pipe, and no progress', async () => {
  const { stdout, stderr } = await run(process.execPath, words('pipe'));
  expect(withoutWaits(stderr)).toMatch(/^server: .*\n$/);
  expect(stdout).toMatch(/^chapter /);
  expect(stdout).toContain('report: ');
});
