// Tests the targets with a name: reference-server, and kube-apiserver, whose faults are reported in one line.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { main } from '../../suites/testing/referenceServer.js';
import { runProgram } from '../testing/npm.js';

const folder = mkdtempSync(join(tmpdir(), 'kube-apiserver-'));
afterAll(() => rmSync(folder, { recursive: true }));

const assets = process.env.KUBEBUILDER_ASSETS;

function runAssets(where: string, ...options: readonly string[]) {
  const words = ['run', '--target', 'kube-apiserver', '--output', join(folder, 'report'), ...options];
  return runProgram(process.execPath, [main, ...words], folder, {
    KUBEBUILDER_ASSETS: where,
  });
}

/** Makes a folder with a kube-apiserver that prints this version, and otherwise runs the given command. */
function program(name: string, says: string, otherwise = 'exit 1'): string {
  const where = mkdtempSync(join(folder, name));
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo "${says}"; exit; fi\n${otherwise}\n`;
  writeFileSync(join(where, 'kube-apiserver'), script, { mode: 0o755 });
  return where;
}

it.each([
  ['nothing', '', /^set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver/],
  ['an empty folder', join(folder, 'none'), /kube-apiserver does not run \(.*ENOENT\): set KUBEBUILDER_ASSETS/],
  ['something else', program('strange', 'hello'), /--version says no version: set KUBEBUILDER_ASSETS/],
  [
    'no etcd',
    program('alone', 'Kubernetes v9.99.0'),
    /kube-apiserver-9\.99: no deviations are known of this version[\s\S]*set KUBEBUILDER_ASSETS/,
  ],
])('says how to fix %s', async (_, where, message) => {
  const { code, stderr } = await runAssets(where);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(code).toBe(2);
});

it.skipIf(assets === undefined)('runs an unknown version, and names it by its start options', async () => {
  const where = program('unknown', 'Kubernetes v9.99.0', `exec "${assets}/kube-apiserver" "$@"`);
  symlinkSync(join(assets ?? '', 'etcd'), join(where, 'etcd'));
  const options = [
    '--grep',
    'surface.component-absent',
    '--start-options',
    '--authorization-mode=RBAC --anonymous-auth',
  ];
  const { code, stdout, stderr } = await runAssets(where, ...options);
  expect(stdout).toContain('cases: 0 passed, 1 failed');
  expect(stderr).toMatch(
    /^kube-apiserver-9\.99: no deviations are known of this version; .*kube-apiserver\.yaml says how/,
  );
  expect(stderr).toMatch(/^server: kube-apiserver-9\.99-rbac-anonymous-auth /m);
  expect([0, 1]).toContain(code);
});

it.each([
  [
    ['--target', 'reference-server', '--url', 'https://a'],
    /^the run starts reference-server itself: leave out --url$/m,
  ],
  [
    ['--target', 'reference-server', '--no-disposable'],
    /^the run starts reference-server itself: leave out --no-disposable$/m,
  ],
  [['--url', 'https://a', '--start-options', '-v'], /^--start-options: the run starts no server$/m],
])('refuses %j', async (words, sentence) => {
  const { code, stderr } = await runProgram(process.execPath, [main, 'run', ...words], folder);
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});
