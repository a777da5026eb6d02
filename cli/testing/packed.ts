// The published form of the package, installed in an empty folder for tests.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, npmInstall, runProgram } from './npm.js';

export interface Installed extends Installation {
  readonly folder: string;
  readonly tarball: string;
  /** The paths in the tarball, and its size in bytes. */
  readonly files: readonly string[];
  readonly bytes: number;
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

/** What the installation in the shared folder came to: the paths are relative to it. */
type Shared = Omit<Installed, 'folder' | 'remove'>;

/** Packs both packages into a folder as a release does. */
async function packInto(folder: string): Promise<readonly Packed[]> {
  const packed = await runProgram(process.execPath, ['tools/pack.mjs', folder, '--json'], packageRoot);
  if (packed.code !== 0) throw new Error(`tools/pack.mjs: ${packed.stderr}`);
  const lines = packed.stdout.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Packed);
}

/** Installs the tarball of a package, with dependencies from npm's cache or the registry. */
async function installIn(folder: string, name: PackageName): Promise<Shared> {
  const source = join(dirname(folder), 'tarballs');
  const row = (await once(source, packInto)).find((each) => each.name === name);
  if (row === undefined) throw new Error(`tools/pack.mjs: no package ${name}`);
  const { filename: tarball, files, size } = row;
  copyFileSync(join(source, tarball), join(folder, tarball));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  return { tarball, files, bytes: size, ...(await npmInstall(folder, `./${tarball}`)) };
}

/** Returns the folder that holds the installations of a run of the tests, by the process that starts the workers. */
export const sharedFolder = (runner: number): string => join(tmpdir(), `installed-for-${runner}`);

/** Fills a folder once for all workers of a run of the tests: the first one does it, and the others wait. */
async function once<T>(folder: string, fill: (folder: string) => Promise<T>): Promise<T> {
  const outcome = `${folder}.json`;
  mkdirSync(dirname(folder), { recursive: true });
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    while (!existsSync(outcome)) await sleep(100);
    const noted = JSON.parse(readFileSync(outcome, 'utf8')) as { readonly made: T } | { readonly failure: string };
    if ('failure' in noted) throw new Error(noted.failure);
    return noted.made;
  }
  const note = (content: object): void => {
    writeFileSync(`${outcome}.new`, JSON.stringify(content));
    renameSync(`${outcome}.new`, outcome);
  };
  try {
    const made = await fill(folder);
    note({ made });
    return made;
  } catch (error) {
    note({ failure: String(error) });
    throw error;
  }
}

/** Returns an installation of a package in a folder of the caller, who removes it. */
export async function installPacked(name: PackageName = 'kube-api-conformance'): Promise<Installed> {
  const source = join(sharedFolder(process.ppid), name);
  const shared = await once(source, (empty) => installIn(empty, name));
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  // Links, in place of 35 MB.
  const copied = await runProgram('cp', ['-al', `${source}/.`, folder], packageRoot);
  if (copied.code !== 0) throw new Error(`cp: ${copied.stderr}`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { ...shared, folder, tarball: join(folder, shared.tarball), remove };
}
