// Playwright may be left out: everything works but `run --allure`, which says what to do.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../testing/npm.js';
import { main } from '../testing/serving.js';

const root = dirname(dirname(dirname(main)));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'without-playwright-'));
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  cpSync(join(root, 'targets'), join(folder, 'targets'), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!/^@?playwright/.test(name)) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...words: readonly string[]) =>
  runProgram(process.execPath, ['dist/cli/main.js', 'run', '--target', 'reference-server', ...words], folder);

it('a run needs it for Allure only, and names it', async () => {
  expect(await run('--grep', 'discovery.names', '--allure', 'allure')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^--allure needs the package @playwright\/test, .*: npm install @playwright\/test@[\d.]+\n$/,
    ),
  });
  expect(await run('--grep', 'discovery.names')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^cases: [1-9]\d* passed, 0 failed/m),
  });
});

it('startServer does not need it', async () => {
  const start = `const { startServer } = await import('./dist/cli/index.js');
    const server = await startServer();
    console.log(server.url);
    await server.close();`;
  const ran = await runProgram(process.execPath, ['--input-type=module', '--eval', start], folder);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^https:/), stderr: '' });
});
