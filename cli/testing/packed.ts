// The published form of the package, installed in an empty folder for tests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './npm.js';

export interface Installed {
  readonly folder: string;
  readonly tarball: string;
  /** The paths in the tarball, and its size in bytes. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** What npm said on stderr. */
  readonly warnings: string;
  /** The reason why the installation failed, if no registry was reachable. */
  readonly unreachable?: string;
  remove(): void;
}

/** The package with the suite, and the one without. */
export type PackageName = 'kube-api-conformance' | 'kube-api-test-server';

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly string[];
}

const packageRoot = join(import.meta.dirname, '..', '..');

/** Packs a package as a release does, and installs the tarball, with dependencies from npm's cache or the registry. */
export async function installPacked(name: PackageName = 'kube-api-conformance'): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const packed = await runProgram(process.execPath, ['tools/pack.mjs', folder], packageRoot);
  if (packed.code !== 0) throw new Error(`tools/pack.mjs: ${packed.stderr}`);
  const rows = packed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Packed);
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`tools/pack.mjs: no package ${name}`);
  const { filename: tarball, files, size } = row;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0'];
  const installed = await runProgram('npm', ['install', ...options, `./${tarball}`], folder);
  const isUnreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|network/.test(installed.stderr);
  if (installed.code !== 0 && !isUnreachable) throw new Error(`npm install: ${installed.stderr}`);
  return {
    folder,
    tarball: join(folder, tarball),
    files,
    bytes: size,
    warnings: installed.stderr,
    ...(installed.code === 0 ? {} : { unreachable: `npm cannot install: ${installed.stderr.split('\n')[0]}` }),
    remove,
  };
}
