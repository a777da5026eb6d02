// Tests `npx playwright test`: it lists the tests, runs some on the bundled server, and reports failures.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { startReferenceServer } from '../../suites/testing/referenceServer.js';
import { inSoakAlone } from '../../suites/testing/soak.js';
import globalSetup from '../run/globalSetup.js';
import { runProgram } from '../testing/npm.js';

const root = join(import.meta.dirname, '../..');

/** What npx starts. */
const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'playwright-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const playwright = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  runProgram(process.execPath, [cli, 'test', '--output', join(folder, 'output'), ...words], root, environment);

it('lists the tests of files, folders and tags, without a server', async (context) => {
  inSoakAlone(context);
  const files = ['create.spec', 'suites/list', 'suites/log', 'suites/read/read.spec.ts', 'suites/watch'];
  const tags = ['--grep', '@(create|list|log|read)', '--grep-invert', '@list'];
  const { code, stdout } = await playwright(['--list', ...tags, ...files]);
  expect(code).toBe(0);
  for (const test of ['create › creates › core/configmaps', 'log › followedLogs', ' › read › '])
    expect(stdout).toContain(test);
  expect(stdout).not.toMatch(/› (watch|list) ›/);
});

it('runs the tests that -g chooses on the bundled server, with the reporters of the command line', async (context) => {
  inSoakAlone(context);
  const report = join(folder, 'html');
  const environment = {
    PLAYWRIGHT_HTML_OUTPUT_DIR: report,
    PLAYWRIGHT_HTML_OPEN: 'never',
    KUBE_API_CONFORMANCE_STRICT: 'yes',
    KUBE_API_CONFORMANCE_TIMEOT: '5',
  };
  const words = ['create.spec', '-g', 'create creates .*core/configmaps', '--reporter=list,html'];
  const { code, stdout, stderr } = await playwright(words, environment);
  expect(stderr).toContain('server: reference-server');
  expect(stderr).toContain('warning: KUBE_API_CONFORMANCE_STRICT has no effect in Playwright: only the command run');
  expect(stderr).toContain('did you mean KUBE_API_CONFORMANCE_TIMEOUT?');
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
  expect(existsSync(join(report, 'index.html'))).toBe(true);
});

it('refuses a variable that is neither true nor false, before it asks a server', async () => {
  vi.stubEnv('KUBE_API_CONFORMANCE_URL', 'https://127.0.0.1:1');
  vi.stubEnv('KUBE_API_CONFORMANCE_DISPOSABLE', 'off');
  const error: unknown = await globalSetup().catch((thrown: unknown) => thrown);
  vi.unstubAllEnvs();
  // Playwright prints the stack.
  expect((error as Error).stack).toContain('KUBE_API_CONFORMANCE_DISPOSABLE: off is neither true');
});

it('fails a test with its cases, on the server of the variables, in Allure too', async () => {
  const server = await startReferenceServer();
  const broken = await startFaultyProxy(server, { reply: withoutUid });
  try {
    const results = join(folder, 'allure');
    const environment = {
      KUBE_API_CONFORMANCE_URL: broken.url,
      KUBE_API_CONFORMANCE_TOKEN: server.token,
      KUBE_API_CONFORMANCE_ALLURE: results,
    };
    const { code, stdout } = await playwright(['create.spec', '-g', 'create creates .*core/configmaps'], environment);
    expect(stdout).toMatch(/failed cases: [1-9]/);
    expect(stdout).toContain('1 failed');
    expect(code).toBe(1);
    const [test] = readdirSync(results)
      .filter((name) => name.endsWith('-result.json'))
      .map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')) as AllureTest);
    expect(test?.status).toBe('failed');
    const labels = Object.fromEntries(test?.labels.map(({ name, value }) => [name, value]) ?? []);
    expect(labels).toMatchObject({ parentSuite: 'create', suite: 'creates' });
    expect(test?.steps.some(({ status, name }) => status === 'passed' && name.startsWith('create.'))).toBe(true);
    const failed = test?.steps.find(({ status, name }) => status === 'failed' && name.startsWith('create.'));
    expect(failed?.statusDetails?.message).not.toBe('');
    expect(JSON.stringify(failed)).toContain('"exchanges"');
  } finally {
    await broken.close();
    await server.stop();
  }
});

const withoutUid = <R extends { readonly body: string }>(reply: R): R => ({
  ...reply,
  body: reply.body.replaceAll('"uid"', '"UID"'),
});

interface AllureTest {
  readonly status: string;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly steps: readonly {
    readonly name: string;
    readonly status: string;
    readonly statusDetails?: { readonly message?: string };
  }[];
}
