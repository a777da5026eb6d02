// Tests the packed package in an empty folder: its files, its command line, and its library with types.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withoutWaits } from '../../suites/testing/runCommand.js';
import { inSoakAlone, isSoak } from '../../suites/testing/soak.js';
import { plainEnvironment, runProgram } from '../testing/npm.js';
import { type Installed, installPacked } from '../testing/packed.js';

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => installed?.remove());

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

it('holds the compiled program, without its tests', () => {
  const { files, bytes } = installed;
  const unexpected = files.filter(
    (path) =>
      !/^(dist\/.*\.(js(\.LEGAL\.txt)?|d\.ts|bin)|dist\/bundle\/code\/package\.json|docs\/[A-Za-z-]+\.md|reports\/schema\/[a-z.]+\.json|targets\/.*\.(yaml|json)|docs\/images\/[a-z-]+\.png|examples\/.+|[^/]+)$/.test(
        path,
      ),
  );
  expect(unexpected).toEqual([]);
  const ours = files.filter((path) => !path.startsWith('examples/'));
  expect(ours.filter((path) => /\.test\.|\/testing\/|\/self\/|\/tools\/|tsbuildinfo/.test(path))).toEqual([]);
  for (const path of [
    'package.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'docs/README.md',
    'docs/interface.md',
    'docs/images/report-light.png',
    'examples/github-actions/conformance.yaml',
    'dist/cli/main.js',
    'dist/cli/index.d.ts',
    'targets/kube-apiserver-1.20.yaml',
  ])
    expect(files).toContain(path);
  expect(bytes).toBeLessThan(3.5 * 1024 * 1024);
});

it('names its repository', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const home = 'https://github.com/kube-api-conformance/kube-api-conformance';
  expect(manifest).toMatchObject({
    homepage: `${home}#readme`,
    bugs: { url: `${home}/issues` },
    repository: { type: 'git', url: `git+${home}.git` },
    keywords: expect.arrayContaining(['kubernetes', 'conformance']),
  });
});

const program = `import { type Api, createApp, OptionError, type Rule, startServer, type StartedServer, type StartOptions } from 'kube-api-conformance';

const options: StartOptions = { tokens: [{ token: 'a-token', user: { name: 'somebody', groups: ['system:masters'] } }] };

async function use(): Promise<StartedServer> {
  await using server = await startServer(options);
  if (server.token !== 'a-token') throw new Error('another token');
  if (!server.kubeconfig.includes(server.url)) throw new Error('another server');
  const failure: Rule = server.fail({ verb: 'list', resource: 'pods', status: 503, times: 2 });
  failure.remove();
  await server.restore(await server.snapshot());
  await server.clock.advance(1000);
  const names: string[] = (await server.objects('namespaces')).map(({ metadata }) => metadata.name);
  if (!names.includes('default') || server.requests.list().length > 0) throw new Error('another state');
  return server;
}

const [one, other] = await Promise.all([use(), startServer({ nodes: 1 })]);
if (one.port === other.port) throw new Error('one port for two');
const api: Api = await createApp({ tokens: options.tokens ?? [] });
if (api.token !== 'a-token') throw new Error('another token');
await api.close();
await other.close();
for (const wrong of [{ nodes: -1 }, { port: 99999 }, { tokenAuthFile: 'none.csv' }]) {
  try {
    await startServer(wrong);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    console.log(error.message);
  }
}
`;

const strict = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, types: [] };
const compilerOptions = { ...strict, target: 'es2022', module: 'nodenext', outDir: 'out' };

describe('installed', () => {
  beforeEach(({ skip }) => {
    if (installed.unreachable !== undefined) skip(installed.unreachable);
  });

  it('holds no secrets, and no path of the machine that it was packed on', () => {
    const root = join(installed.folder, 'node_modules/kube-api-conformance');
    const suspicious = filesOf(root).filter((path) => {
      const text = readFileSync(path, 'latin1');
      return /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{20}/.test(text) || text.includes(process.cwd());
    });
    expect(suspicious).toEqual([]);
  });

  it('is installed without a warning, and its manifest has only what its users need', () => {
    const { folder, warnings } = installed;
    expect(warnings).toBe('');
    const manifest = readFileSync(join(folder, 'node_modules/kube-api-conformance/package.json'), 'utf8');
    expect(Object.keys(JSON.parse(manifest))).not.toEqual(expect.arrayContaining(['scripts']));
    expect(manifest).not.toContain('devDependencies');
  });

  it('has at most 95 packages and 50 MB', () => {
    const files = filesOf(join(installed.folder, 'node_modules'));
    expect(files.filter((path) => /node_modules\/(@[^/]+\/)?[^@/]+\/package\.json$/.test(path)).length).toBeLessThan(
      96,
    );
    expect(files.reduce((bytes, path) => bytes + statSync(path).size, 0)).toBeLessThan(50 * 1024 * 1024);
  });

  it('compiles in strict mode without the types of Node.js, and serves in the process of the user', async () => {
    const { folder } = installed;
    const declared = 'declare const console: { log(text: string): void };\n';
    writeFileSync(join(folder, 'program.ts'), declared + program);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    expect(await runProgram(process.execPath, [tsc, '-p', folder], folder)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const ran = await runProgram(process.execPath, ['out/program.js'], folder);
    expect(ran.stdout.split('\n')).toEqual([
      'nodes: give a whole number from 0 to 200',
      'port: give a whole number from 0 to 65535',
      expect.stringMatching(/^tokenAuthFile: cannot read .*: there is none/),
      '',
    ]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not export internal modules', async () => {
    const inner = `await import('kube-api-conformance/dist/cli/main.js')`;
    const ran = await runProgram(process.execPath, ['--input-type=module', '-e', inner], installed.folder);
    expect(ran.stderr).toMatch(/ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  it('serves and runs the suite from the folder of its installation', async () => {
    const { folder } = installed;
    const kubeconfig = join(folder, 'kubeconfig');
    const serve = ['kube-api-conformance', 'serve', '--nodes', '0', '--write-kubeconfig', kubeconfig];
    const server = spawn('npx', serve, { cwd: folder, env: plainEnvironment(), stdio: 'ignore', detached: true });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    try {
      await expect.poll(() => existsSync(kubeconfig) || server.exitCode !== null, { interval: 20 }).toBe(true);
      expect(server.exitCode, 'the packed server runs').toBeNull();
      const config = readFileSync(kubeconfig, 'utf8');
      const url = /server: "(.+)"/.exec(config)?.[1] ?? '';
      const token = /token: "(.+)"/.exec(config)?.[1] ?? '';
      writeFileSync(join(folder, 'ca.crt'), Buffer.from(/authority-data: (.+)/.exec(config)?.[1] ?? '', 'base64'));
      const how = ['--url', url, '--ca', 'ca.crt', '--token', token, '--grep', 'discovery.group-version'];
      const ran = await runProgram('npx', ['kube-api-conformance', 'run', ...how, '--output', 'report'], folder);
      expect(withoutWaits(ran.stderr).replace(/^npm warn .*\n/gm, '')).toMatch(/^server: .*\n(not supported: .*\n)?$/);
      expect(ran.stdout).toMatch(/cases: [1-9]\d* passed, 0 failed/);
      expect(ran.code).toBe(0);
      expect(statSync(join(folder, 'report/index.html')).size).toBeGreaterThan(1000);
    } finally {
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
      await ended;
    }
  });
});

describe('the test server alone', () => {
  let alone: Installed;
  beforeAll(async () => {
    if (isSoak) alone = await installPacked('kube-api-test-server');
  });
  afterAll(() => alone?.remove());
  beforeEach((context) => {
    inSoakAlone(context);
    if (alone.unreachable !== undefined) context.skip(alone.unreachable);
  });

  it('brings no Playwright, and no warning', () => {
    expect(alone.warnings).toBe('');
    expect(readdirSync(join(alone.folder, 'node_modules')).filter((name) => name.includes('playwright'))).toEqual([]);
  });

  it('prints an uncaught error in a few lines', async () => {
    const { folder } = alone;
    const use = `import { startServer } from 'kube-api-test-server';
const server = await startServer();
server.fail({ verb: 'creat', status: 500 });`;
    writeFileSync(join(folder, 'uncaught.mjs'), use);
    const { code, stderr } = await runProgram(process.execPath, ['uncaught.mjs'], folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('OptionError: fail: verb: there is no verb creat; did'),
    ]);
    expect(stderr.length).toBeLessThan(3000);
  });

  it('starts a server, and runs the suite', async () => {
    const { folder } = alone;
    const use = `import { startServer } from 'kube-api-test-server';
const server = await startServer();
console.log((await server.objects('namespaces')).length > 0);
await server.close();`;
    writeFileSync(join(folder, 'use.mjs'), use);
    expect(await runProgram(process.execPath, ['use.mjs'], folder)).toMatchObject({ code: 0, stdout: 'true\n' });
    const words = ['kube-api-test-server', 'run', '--target', 'reference-server', '--grep', 'discovery.names'];
    expect(await runProgram('npx', words, folder)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^cases: \d+ passed, 0 failed/m),
    });
  });
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
