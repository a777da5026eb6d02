// Tests KUBEBUILDER_ASSETS: a fault is reported in one line, and an unknown version gets advice.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { main } from '../../suites/self/referenceServer.js';
import { run } from '../testing/npm.js';

const folder = mkdtempSync(join(tmpdir(), 'interop-'));
afterAll(() => rmSync(folder, { recursive: true }));

const assets = process.env.KUBEBUILDER_ASSETS;

function interop(where: string, ...options: readonly string[]) {
  return run(process.execPath, [main, 'interop', '--output', join(folder, 'report'), ...options], folder, {
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
    /kube-apiserver-9\.99: there is no target file for this version[\s\S]*set KUBEBUILDER_ASSETS/,
  ],
])('says how to fix %s', async (_, where, message) => {
  const { code, stderr } = await interop(where);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(code).toBe(2);
});

it.skipIf(assets === undefined)(
  'runs an unknown version bare, says how to declare what fails, and records it',
  async () => {
    const where = program('unknown', 'Kubernetes v9.99.0', `exec "${assets}/kube-apiserver" "$@"`);
    symlinkSync(join(assets ?? '', 'etcd'), join(where, 'etcd'));
    const grep = 'surface.component-absent';
    const { code, stdout, stderr } = await interop(where, '--grep', grep, '--record', join(folder, 'records'));
    expect(stdout).toContain('cases: 0 passed, 1 failed');
    expect(stderr).toMatch(/^kube-apiserver-9\.99: there is no target file for this version/);
    expect(stderr).toMatch(/deviations --from .*evidence\.jsonl >> kube-apiserver-9\.99\.yaml/);
    expect(existsSync(join(folder, 'report/target.yaml'))).toBe(true);
    expect(readFileSync(join(folder, 'records/kube-apiserver-9.99.md'), 'utf8')).toContain('surface.component-absent');
    expect([0, 1]).toContain(code);
  },
);
