// An operator in Go, by one test in the style of envtest on the reference server and on a real kube-apiserver.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { kubeVersion } from '../../cli/envtest/programs.js';
import { hasKubeApiserver } from '../../cli/testing/kubeApiserver.js';
import { runProgram } from '../../cli/testing/npm.js';
import { main } from '../../cli/testing/serving.js';

/** The folder in which Debian has the sources of Go packages. */
const sources = process.env.GOCODE ?? '/usr/share/gocode';
const packages = ['apiextensions-apiserver', 'client-go'].map((name) => join(sources, 'src/k8s.io', name));

/** Returns why the operator cannot be built here. */
function whyNotBuilt(): string | undefined {
  const [, minor = 0] = /go1\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  if (Number(minor) >= 25 && packages.every((folder) => existsSync(folder))) return undefined;
  const names = 'golang-go, golang-k8s-apiextensions-apiserver-dev and golang-k8s-client-go-dev';
  return `needs ${names} of Debian: Go 1.25 in PATH, client-go 0.36 in /usr/share/gocode or in the folder GOCODE`;
}

const unavailable = whyNotBuilt();
if (unavailable !== undefined) console.log(`not run: ${unavailable}`);

const folder = mkdtempSync(join(tmpdir(), 'operator-'));
const program = join(folder, 'operator.test');
const assets = join(folder, 'assets');

beforeAll(async () => {
  if (unavailable !== undefined) return;
  const environment = { GO111MODULE: 'off', GOPATH: sources, CGO_ENABLED: '0', GOTOOLCHAIN: 'local' };
  const cwd = join(import.meta.dirname, 'operator');
  expect(await runProgram('go', ['vet', '.'], cwd, environment)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await runProgram('go', ['test', '-c', '-o', program, '.'], cwd, environment)).stderr).toBe('');
  expect((await runProgram(process.execPath, [main, 'assets', assets], folder)).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the test on the programs of a folder. Returns what it saw of the operator. */
async function run(name: string, programs: string, flags = ''): Promise<string> {
  const records = join(folder, name);
  mkdirSync(records);
  const environment = { KUBEBUILDER_ASSETS: programs, KUBE_APISERVER_FLAGS: flags, OPERATOR_RECORDS: records };
  const words = ['-test.v', `-test.timeout=${inject('deadline') / 2}ms`];
  const { code, stdout, stderr } = await runProgram(program, words, folder, environment);
  expect(code, stdout + stderr).toBe(0);
  const costs = stdout.split('\n').filter((line) => /^(ready|stopped|etcd|kube-apiserver)/.test(line));
  console.log(`${name}: ${costs.join('; ')}`);
  const observed = readFileSync(join(records, 'observed'), 'utf8');
  expect(observed).toContain('\nTestOperator');
  return observed.slice(observed.indexOf('\nTestOperator'));
}

it.skipIf(unavailable !== undefined)('an operator does its work on the reference server', async () => {
  await run('reference server', assets);
});

it.skipIf(unavailable !== undefined || !hasKubeApiserver())(
  'an operator sees on the reference server what it sees on kube-apiserver',
  async () => {
    const real = process.env.KUBEBUILDER_ASSETS ?? '';
    const { text } = await kubeVersion(real);
    const there = await run(`kube-apiserver ${text}`, real);
    expect(await run(`reference server as ${text}`, assets, `--kube-version=${text}`)).toBe(there);
  },
);
