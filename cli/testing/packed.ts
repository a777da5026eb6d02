// The published form of the package, installed in an empty folder for tests.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './npm.js';

export interface Installed {
  readonly folder: string;
  readonly tarball: string;
  /** The paths in the tarball, and its size in bytes. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** The reason why the installation failed, if no registry was reachable. */
  readonly unreachable?: string;
  remove(): void;
}

const packageRoot = join(import.meta.dirname, '..', '..');

/** Packs the compiled package and installs the tarball, with dependencies from npm's cache or the registry. */
export async function installPacked(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const packed = await runProgram(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    packageRoot,
  );
  if (packed.code !== 0) throw new Error(`npm pack: ${packed.stderr}`);
  const [{ files, size }] = JSON.parse(packed.stdout) as [{ files: readonly { path: string }[]; size: number }];
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'none';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0'];
  const installed = await runProgram('npm', ['install', ...options, `./${tarball}`], folder);
  const isUnreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|network/.test(installed.stderr);
  if (installed.code !== 0 && !isUnreachable) throw new Error(`npm install: ${installed.stderr}`);
  return {
    folder,
    tarball: join(folder, tarball),
    files: files.map(({ path }) => path),
    bytes: size,
    ...(installed.code === 0 ? {} : { unreachable: `npm cannot install: ${installed.stderr.split('\n')[0]}` }),
    remove,
  };
}
