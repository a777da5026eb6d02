// Packs what is published: `node tools/pack.mjs [directory] [--json]` prints a line for each of the two packages, with
// --json a row with its files.
//   kube-api-conformance   the suite and the server; Playwright comes with it, for results of Allure
//   kube-api-test-server   the same program for those who start the server in tests: Playwright is left out
// The manifests have no scripts and no development dependencies: npm would warn of scripts that it does not run.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const output = resolve(positionals[0] ?? '.');

/** Packs the package in a folder into another one; returns npm's description of the tarball. */
function pack(folder, destination) {
  const options = ['--json', '--ignore-scripts', '--pack-destination', destination];
  const [packed] = JSON.parse(execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' }));
  return packed;
}

/** Returns the manifest of the test server. */
function serverAlone({ optionalDependencies, peerDependencies, peerDependenciesMeta, bin, ...manifest }) {
  const { 'allure-playwright': _, ...peers } = peerDependencies;
  const names = Object.keys(optionalDependencies);
  return {
    ...manifest,
    name: 'kube-api-test-server',
    description: 'A server of the Kubernetes API to test clients and controllers against, in one process',
    bin: { 'kube-api-test-server': bin['kube-api-conformance'] },
    peerDependencies: { ...peers, ...optionalDependencies },
    peerDependenciesMeta: {
      ...peerDependenciesMeta,
      ...Object.fromEntries(names.map((name) => [name, { optional: true }])),
    },
  };
}

const work = mkdtempSync(join(tmpdir(), 'pack-'));
try {
  const { filename } = pack(root, work);
  execFileSync('tar', ['-xzf', filename], { cwd: work });
  const folder = join(work, 'package');
  const manifest = join(folder, 'package.json');
  const {
    scripts: _,
    devDependencies: __,
    allowScripts: ___,
    ...published
  } = JSON.parse(readFileSync(manifest, 'utf8'));
  const write = (content) => writeFileSync(manifest, `${JSON.stringify(content, undefined, 2)}\n`);
  mkdirSync(output, { recursive: true });
  write(published);
  const rows = [pack(folder, output)];
  write(serverAlone(published));
  copyFileSync(join(root, 'tools/testServer.md'), join(folder, 'README.md'));
  rows.push(pack(folder, output));
  for (const { name, filename, size, files } of rows)
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ name, filename, size, files: files.map(({ path }) => path) })}\n`
        : `${relative('.', join(output, filename))}: ${(size / 1e6).toFixed(1)} MB\n`,
    );
} finally {
  rmSync(work, { recursive: true });
}
