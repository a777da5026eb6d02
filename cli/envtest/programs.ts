// The programs of KUBEBUILDER_ASSETS: their supported options, start and end.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { runningTime } from '../../suites/client/runningTime.js';
import { UsageError } from '../errors.js';
import { commandLineOf, isRunning } from '../running.js';

/** A program in the directory of assets. */
export type ProgramName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

const how = 'set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver (setup-envtest makes one)';

/** Returns the directory in KUBEBUILDER_ASSETS. Throws UsageError unless it has etcd and kube-apiserver. */
export function assetsFolder(): string {
  const assets = process.env.KUBEBUILDER_ASSETS ?? '';
  if (assets === '' || !hasProgram(assets, 'kube-apiserver') || !hasProgram(assets, 'etcd')) throw new UsageError(how);
  return assets;
}

export function hasProgram(assets: string, name: ProgramName): boolean {
  return existsSync(join(assets, name));
}

/** The version of a kube-apiserver, such as 1.20 and its minor number 20. */
export interface KubeVersion {
  readonly text: string;
  readonly minor: number;
}

/**
 * Returns the version of the kube-apiserver in a directory. Throws UsageError if it does not run or prints no version.
 */
export async function kubeVersion(assets: string): Promise<KubeVersion> {
  if (assets === '') throw new UsageError(how);
  const output = await outputOf(join(assets, 'kube-apiserver'), '--version');
  const [, text = '', minor] = /v(\d+\.(\d+))/.exec(output) ?? [];
  if (minor === undefined) throw new UsageError(`kube-apiserver --version says no version: ${how}`);
  return { text, minor: Number(minor) };
}

/** Returns the option names in the help of a program. Throws UsageError if it does not run. */
export async function optionNamesOf(assets: string, name: ProgramName): Promise<ReadonlySet<string>> {
  const help = await outputOf(join(assets, name), '--help');
  const options = [...help.matchAll(/^\s*(?:-\w, )?-{1,2}([a-z][\w-]+)/gm)].flatMap(([, option]) => option ?? []);
  if (options.length === 0) throw new UsageError(`${name} --help lists no options: ${how}`);
  return new Set(options);
}

/** An option of etcd that its help does not list. */
const unlisted = 'unsafe-no-fsync';

/** Returns the option names of the etcd in a directory. Throws UsageError if it does not run. */
export async function optionNamesOfEtcd(assets: string): Promise<ReadonlySet<string>> {
  const listed = await optionNamesOf(assets, 'etcd');
  return (await takes(join(assets, 'etcd'), `--${unlisted}`)) ? new Set([...listed, unlisted]) : listed;
}

/** Reports whether a program takes an option: it refuses an unknown one before it prints its version. */
async function takes(program: string, option: string): Promise<boolean> {
  const asked = promisify(execFile)(program, [option, '--version'], { timeout: 30_000 });
  return asked.then(
    () => true,
    () => false,
  );
}

/**
 * Returns the whole output of a program for one option. Old programs end their help with an error and print the help to
 * stderr.
 */
async function outputOf(program: string, option: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, [option], { timeout: 30_000 }).catch(
    (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
      if (error.stdout || error.stderr) return { stdout: error.stdout ?? '', stderr: error.stderr ?? '' };
      throw new UsageError(`${program} does not run (${error.message.split('\n')[0]}): ${how}`);
    },
  );
  return stdout + stderr;
}

/**
 * Starts a program that outlives this process, with its output in `<state>/<name>.log` and its pid in a file next to
 * it. Returns the pid.
 */
export function launch(state: string, assets: string, name: ProgramName, options: readonly string[]): number {
  const log = openSync(join(state, `${name}.log`), 'a');
  const child = spawn(join(assets, name), options, { detached: true, stdio: ['ignore', log, log] });
  child.once('error', (error) => writeFileSync(log, `${error.message}\n`));
  child.unref();
  writeFileSync(pidFile(state, name), String(child.pid ?? ''));
  return child.pid ?? 0;
}

/** Returns the last 1500 characters of a program's log. */
export function endOfLog(state: string, name: ProgramName): string {
  return readFileSync(join(state, `${name}.log`), 'utf8').slice(-1500);
}

/** The time limit for a program to end after SIGTERM, in milliseconds. */
const timeout = 5_000;

/**
 * Ends all programs that were started with this state directory. After a restart of the machine, say, the number of one
 * can be that of another process: theirs have the directory in their options.
 */
export async function stopPrograms(state: string): Promise<void> {
  if (!existsSync(state)) return;
  const own = realpathSync(state) + sep;
  const isOurs = (pid: number): boolean => isRunning(pid) && commandOf(pid)?.includes(own) !== false;
  const names: readonly ProgramName[] = ['kube-controller-manager', 'kube-apiserver', 'etcd'];
  const pids = names
    .map((name) => pidFile(state, name))
    .filter((file) => existsSync(file))
    .map((file) => Number(readFileSync(file, 'utf8')))
    .filter(isOurs);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of pids) send(signal, pid);
    const deadline = runningTime() + timeout;
    while (pids.some(isRunning) && runningTime() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns the command line of a process; undefined if the system does not tell. */
function commandOf(pid: number): string | undefined {
  const command = commandLineOf(pid);
  if (command !== undefined) return command;
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return undefined;
  }
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    if (isRunning(pid)) process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

const pidFile = (state: string, name: ProgramName): string => join(state, `${name}.pid`);
