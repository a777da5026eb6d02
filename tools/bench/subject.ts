// The servers that are measured: the reference server in a process of its own, or another server by its URL and its processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { main } from '../../suites/testing/referenceServer.js';
import type { Access } from './client.js';
import { newPrefix, removePrefix } from './etcdPrefix.js';
import { cpuMicroseconds } from './figures.js';
import { BadOption } from './options.js';

export interface Subject extends Access {
  readonly name: string;
  /** The processes whose time and memory count. */
  readonly pids: readonly number[];
  /** What it took from exec until it said that it was ready; unknown for a server that runs already. */
  readonly ready?: { readonly milliseconds: number; readonly cpuMilliseconds: number };
  stop(): Promise<void>;
}

/** As the first line of the command, and `npm run serve`, have it. */
const nodeOptions = ['--max-semi-space-size=8', '--no-parallel-scavenge'];

/** What a reference server is started with: where it keeps objects, and whether it has the later groups. */
export interface ReferenceOptions {
  readonly dataDir?: string;
  readonly etcdServers?: string;
  readonly modern?: boolean;
}

/**
 * Starts the reference server: in memory, on a data directory or on an etcd, under a prefix of its own, which goes when
 * the server is stopped.
 */
export async function startReference({
  dataDir,
  etcdServers,
  modern = false,
}: ReferenceOptions = {}): Promise<Subject> {
  const state = mkdtempSync(join(tmpdir(), 'bench-'));
  const kubeconfig = join(state, 'kubeconfig');
  const storage = dataDir === undefined ? [] : ['--data-dir', dataDir];
  const etcdPrefix = newPrefix();
  if (etcdServers !== undefined) storage.push('--etcd-servers', etcdServers, '--etcd-prefix', etcdPrefix);
  const groups = modern ? [] : ['--no-modern'];
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [...nodeOptions, main, 'serve', ...groups, '--nodes', '0', '--write-kubeconfig', kubeconfig, ...storage],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exit = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exit]);
  const milliseconds = performance.now() - started;
  if (child.exitCode !== null || child.pid === undefined) throw new BadOption('the reference server did not start');
  const pids = [child.pid];
  const ready = { milliseconds, cpuMilliseconds: cpuMicroseconds(pids) / 1000 };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exit;
    rmSync(state, { recursive: true, force: true });
    if (etcdServers !== undefined) await removePrefix(etcdServers, etcdPrefix);
  };
  const name = dataDir !== undefined ? 'with --data-dir' : etcdServers !== undefined ? 'with etcd' : 'reference server';
  return { name, ...accessOf(kubeconfig), pids, ready, stop };
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function accessOf(file: string): Access {
  const { clusters, users } = parse(readFileSync(file, 'utf8')) as Kubeconfig;
  const { server = '', 'certificate-authority-data': ca = '' } = clusters[0]?.cluster ?? {};
  return { url: server, ca: Buffer.from(ca, 'base64').toString(), token: users[0]?.user.token ?? '' };
}

/** The options that name another server. */
export interface Against {
  readonly against?: string;
  readonly ca?: string;
  readonly token?: string;
  readonly pid?: string;
}

/** The server that the options name, or undefined where they name none. Throws BadOption. */
export function otherSubject({ against, ca, token, pid }: Against): Subject | undefined {
  if (against === undefined) {
    const [stray] = Object.entries({ ca, token, pid }).find(([, value]) => value !== undefined) ?? [];
    if (stray !== undefined) throw new BadOption(`--${stray} goes with --against <url>, which is missing`);
    return undefined;
  }
  if (!URL.canParse(against) || new URL(against).protocol !== 'https:') {
    throw new BadOption(`--against: "${against}" is not an https URL`);
  }
  const { origin, host } = new URL(against);
  return {
    name: host,
    url: origin,
    ca: readCa(given('ca', ca)),
    token: given('token', token),
    pids: given('pid', pid).split(',').map(processId),
    stop: async () => {},
  };
}

function given(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new BadOption(`--against needs --${option} too`);
  return value;
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadOption(`--ca: ${(error as Error).message}`);
  }
}

function processId(text: string): number {
  if (!/^[1-9]\d*$/.test(text))
    throw new BadOption(`--pid: "${text}" is not a process id; give one, or several with commas`);
  if (!existsSync(`/proc/${text}`)) throw new BadOption(`--pid: there is no process ${text} on this machine`);
  return Number(text);
}
