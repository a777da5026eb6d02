// The programs of KUBEBUILDER_ASSETS: the options that each has, its start and its end.
import { execFile, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../usageError.js';

/** A program that a folder of assets may hold. */
export type ProgramName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

const how = 'set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver (setup-envtest makes one)';

/** The folder that KUBEBUILDER_ASSETS names, with etcd and kube-apiserver in it. Throws UsageError where it is not. */
export function assetsFolder(): string {
  const assets = process.env.KUBEBUILDER_ASSETS ?? '';
  if (assets === '' || !hasProgram(assets, 'kube-apiserver') || !hasProgram(assets, 'etcd')) throw new UsageError(how);
  return assets;
}

/** Whether the folder holds the program. */
export function hasProgram(assets: string, name: ProgramName): boolean {
  return existsSync(join(assets, name));
}

/** The version of a kube-apiserver, such as 1.20 and its minor number 20. */
export interface KubeVersion {
  readonly text: string;
  readonly minor: number;
}

/** The version of the kube-apiserver in a folder. Throws UsageError where it does not run or says none. */
export async function kubeVersion(assets: string): Promise<KubeVersion> {
  if (assets === '') throw new UsageError(how);
  const output = await outputOf(join(assets, 'kube-apiserver'), '--version');
  const [, text = '', minor] = /v(\d+\.(\d+))/.exec(output) ?? [];
  if (minor === undefined) throw new UsageError(`kube-apiserver --version says no version: ${how}`);
  return { text, minor: Number(minor) };
}

/** The names of the options that a program has, as its help lists them. Throws UsageError where it does not run. */
export async function optionsOf(assets: string, name: ProgramName): Promise<ReadonlySet<string>> {
  const help = await outputOf(join(assets, name), '--help');
  const options = [...help.matchAll(/^\s*(?:-\w, )?-{1,2}([a-z][\w-]+)/gm)].flatMap(([, option]) => option ?? []);
  if (options.length === 0) throw new UsageError(`${name} --help lists no options: ${how}`);
  return new Set(options);
}

/** All that a program prints for one option. Old programs end their help with an error, and print it there. */
async function outputOf(program: string, option: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, [option], { timeout: 30_000 }).catch(
    (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
      if (error.stdout || error.stderr) return { stdout: error.stdout ?? '', stderr: error.stderr ?? '' };
      throw new UsageError(`${program} does not run (${error.message.split('\n')[0]}): ${how}`);
    },
  );
  return stdout + stderr;
}

/** Starts a program that outlives this one, its output in `<state>/<name>.log`, its pid beside it. Returns the pid. */
export function launch(state: string, assets: string, name: ProgramName, options: readonly string[]): number {
  const log = openSync(join(state, `${name}.log`), 'a');
  const child = spawn(join(assets, name), options, { detached: true, stdio: ['ignore', log, log] });
  child.once('error', (error) => writeFileSync(log, `${error.message}\n`));
  child.unref();
  writeFileSync(pidFile(state, name), String(child.pid ?? ''));
  return child.pid ?? 0;
}

/** The end of what a program has written. */
export function endOfLog(state: string, name: ProgramName): string {
  return readFileSync(join(state, `${name}.log`), 'utf8').slice(-1500);
}

/** Milliseconds that a program may take to end by itself. */
const patience = 5_000;

/** Ends every program that was started with this state. */
export async function stopAll(state: string): Promise<void> {
  const names: readonly ProgramName[] = ['kube-controller-manager', 'kube-apiserver', 'etcd'];
  const pids = names
    .map((name) => pidFile(state, name))
    .filter((file) => existsSync(file))
    .map((file) => Number(readFileSync(file, 'utf8')));
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + patience;
  while (pids.some(isAlive) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const pidFile = (state: string, name: ProgramName): string => join(state, `${name}.pid`);
