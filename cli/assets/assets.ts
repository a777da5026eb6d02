// The `assets` command: writes the programs that envtest starts, so that its test suites run on the reference server.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { whyNot } from '../../matrix/api/fileFailure.js';
import { makeFolder } from '../../matrix/api/makeFolder.js';
import { UsageError } from '../errors.js';

/** Loaded on demand: etcd needs no server. */
const programs: Readonly<Record<string, () => Promise<(words: readonly string[]) => Promise<void>>>> = {
  etcd: async () => (await import('./etcd.js')).runEtcd,
  'kube-apiserver': async () => (await import('./kubeApiserver.js')).runKubeApiserver,
};

/** Registers `assets`, and the command that its programs run. */
export function registerAssets(program: Command): void {
  program
    .command('assets')
    .description('write the programs kube-apiserver and etcd, for KUBEBUILDER_ASSETS: envtest then runs on this server')
    .argument('<directory>', 'where to write them')
    .action((directory: string) => write(resolve(directory)));
}

/** Registers the command of the written programs: the name of the program, and its words. */
export function registerAsset(program: Command): void {
  program
    .command('asset', { hidden: true })
    .argument('<program>')
    .argument('[words...]')
    .action(async (name: string, words: readonly string[]) => {
      const load = programs[name];
      if (load === undefined) throw new UsageError(`asset: "${name}" is none of ${Object.keys(programs).join(', ')}`);
      const run = await load();
      await run(words);
    });
}

function write(directory: string): void {
  if (process.platform === 'win32') throw new UsageError('assets: the programs are shell scripts: use Linux or macOS');
  const main = process.argv[1] ?? '';
  try {
    makeFolder(directory);
    for (const name of Object.keys(programs)) {
      script(join(directory, name), [process.execPath, ...process.execArgv, main, 'asset', name, '--']);
    }
    // For test suites that ask envtest for one.
    const kubectl = kubectlOutside(directory);
    if (kubectl !== undefined) script(join(directory, 'kubectl'), [kubectl]);
  } catch (error) {
    throw new UsageError(`assets: ${directory}: ${whyNot(error)}`);
  }
  process.stdout.write(`export KUBEBUILDER_ASSETS=${quoted(directory)}\n`);
}

/** Returns the kubectl of the PATH, if it has one beside that in the directory. */
function kubectlOutside(directory: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const others = folders.map((folder) => resolve(folder)).filter((folder) => folder !== directory);
  return others.map((folder) => join(folder, 'kubectl')).find((file) => existsSync(file));
}

/** Writes a program that becomes another one, which gets the signals and the words. */
function script(file: string, command: readonly string[]): void {
  writeFileSync(file, `#!/bin/sh\nexec ${command.map(quoted).join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
}

const quoted = (text: string): string => (/^[\w/.:=@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
