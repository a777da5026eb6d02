// Runs npm for tests as a user would, without the settings of the npm process that runs the tests.
import { type ExecFileException, execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface NpmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a user in a terminal. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/i.test(name)));

/** Starts the program of a package that npx would, which costs as much as a server to start. */
const likeNpx = `#!/bin/sh
name=$1 folder=$PWD
shift
until [ -e "$folder/node_modules/.bin/$name" ]; do
  [ -n "$folder" ] || { echo "npx: $name is not installed" >&2; exit 1; }
  folder=\${folder%/*}
done
exec "$folder/node_modules/.bin/$name" "$@"
`;

/** Returns a PATH on which npx only starts what is installed. Makes that npx in a folder. */
export function quickNpx(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'npx'), likeNpx, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

/** Runs a command in a folder to its end. A nonzero exit code is not an error. */
export function runProgram(
  command: string,
  options: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<NpmResult> {
  const env = { ...plainEnvironment(), ...environment };
  return new Promise((resolve) => {
    execFile(command, options, { cwd, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: exitCodeOf(error), stdout, stderr });
    });
  });
}

/** What npm said of an installation, and the reason why it failed if no registry was reachable. */
export interface Installation {
  readonly warnings: string;
  readonly unreachable?: string;
}

/** Installs packages in a folder, from npm's cache or the registry. Rejects if they cannot be installed. */
export async function npmInstall(folder: string, ...packages: readonly string[]): Promise<Installation> {
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0'];
  const { code, stderr } = await runProgram('npm', ['install', ...options, ...packages], folder);
  if (code === 0) return { warnings: stderr };
  if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|network/.test(stderr))
    throw new Error(`npm install: ${stderr}`);
  return { warnings: stderr, unreachable: `npm cannot install: ${stderr.split('\n')[0]}` };
}

function exitCodeOf(error: ExecFileException | null): number {
  if (error === null) return 0;
  return typeof error.code === 'number' ? error.code : -1;
}
