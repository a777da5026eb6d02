// `serve --control-port`: the examples in other languages, against a server that this test starts.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { main } from '../testing/serving.js';

const examples = join(import.meta.dirname, '../../examples');
let folder: string;
let server: ChildProcess;
const file = (): string => join(folder, 'control.json');

/** Reports whether a program is there; if it is not, says that its tests are not run. */
function isThere(program: string, ...words: readonly string[]): boolean {
  const is = spawnSync(program, words, { stdio: 'ignore' }).status === 0;
  if (!is) console.log(`not run: there is no ${program}`);
  return is;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'control-'));
  const words = ['serve', '--nodes', '0', '--control-port', '0', '--write-control', file(), '--exit-with-parent'];
  server = spawn(process.execPath, [main, ...words, '--write-kubeconfig', join(folder, 'kubeconfig')], {
    stdio: 'ignore',
  });
  await vi.waitUntil(() => existsSync(file()), { timeout: inject('deadline') / 4 });
});
afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const running = (program: string, words: readonly string[], example: string) =>
  promisify(execFile)(program, words, {
    cwd: join(examples, example),
    env: { ...process.env, KUBE_API_CONFORMANCE_CONTROL: file(), GOFLAGS: '-count=1' },
  });

it('writes the address and the token for this user only', () => {
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    token: expect.stringMatching(/^\S{32}$/),
  });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it.skipIf(!isThere('python3', '--version'))('examples/python', async () => {
  const { stderr } = await running('python3', ['-m', 'unittest', '-v'], 'python');
  expect(stderr).toMatch(/^Ran 4 tests[\s\S]*^OK$/m);
});

it.skipIf(!isThere('go', 'version'))('examples/go', async () => {
  const { stdout } = await running('go', ['test', './...'], 'go');
  expect(stdout).toMatch(/^ok/);
});

it.each([
  [['--control-port', 'x'], /--control-port: "x" is not a port/],
  [['--write-control', 'f'], /--write-control requires --control-port/],
])('refuses %s', async (words, message) => {
  const refused = promisify(execFile)(process.execPath, [main, 'serve', '--nodes', '0', ...words]);
  await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});
