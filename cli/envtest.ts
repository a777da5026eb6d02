// The `envtest` command: starts and stops etcd and kube-apiserver from the binaries that KUBEBUILDER_ASSETS names.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Client } from '../suites/index.js';
import { readFixtures } from './fixtures/directory.js';
import { kubeApiserverFlags } from './fixtures/flags.js';
import { freePort } from './freePort.js';
import { resolveTarget } from './target.js';
import { UsageError } from './usageError.js';

const patience = 60_000;

interface StartFlags {
  readonly state: string;
  readonly fixtures: string;
  readonly egressSocket?: string;
}

/** Registers `envtest start` and `envtest stop`. */
export function registerEnvtest(program: Command): void {
  const envtest = program
    .command('envtest')
    .description('a real kube-apiserver, from the binaries of KUBEBUILDER_ASSETS');
  envtest
    .command('start')
    .requiredOption('--state <directory>', 'where logs and data go')
    .requiredOption('--fixtures <directory>', 'its certificates, users and settings; the command fixtures makes them')
    .option('--egress-socket <file>', 'the socket of a node-agent: the way to nodes and pods')
    .action(async ({ state, fixtures, egressSocket }: StartFlags) => start(state, fixtures, egressSocket));
  envtest
    .command('stop')
    .requiredOption('--state <directory>', 'the directory of the start')
    .action(async ({ state }: { readonly state: string }) => stop(state));
}

async function start(state: string, directory: string, egressSocket: string | undefined): Promise<void> {
  const fixtures = await readFixtures(directory);
  const assets = process.env.KUBEBUILDER_ASSETS;
  if (assets === undefined || !existsSync(join(assets, 'kube-apiserver')) || !existsSync(join(assets, 'etcd'))) {
    throw new UsageError('set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver (setup-envtest makes one)');
  }
  mkdirSync(state, { recursive: true });
  const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()];
  const etcd = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  launch(state, 'etcd', join(assets, 'etcd'), [
    ...['--name', 'test', '--data-dir', join(state, 'data'), '--unsafe-no-fsync'],
    ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd, '--listen-peer-urls', peer],
    ...['--initial-advertise-peer-urls', peer, '--initial-cluster', `test=${peer}`],
  ]);
  const pid = launch(state, 'kube-apiserver', join(assets, 'kube-apiserver'), [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--advertise-address=192.0.2.10',
    `--cert-dir=${join(state, 'certs')}`,
    ...kubeApiserverFlags(directory, fixtures),
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=AlwaysAllow',
    '--allow-privileged=true',
    '--runtime-config=api/all=true',
    '--disable-admission-plugins=ServiceAccount',
    ...(egressSocket === undefined
      ? []
      : [`--egress-selector-config-file=${writeEgressSelector(state, egressSocket)}`]),
  ]);
  const ca = resolve(directory, 'ca.crt');
  const token = fixtures.secrets.staticToken.admin;
  const url = `https://127.0.0.1:${port}`;
  await healthy(state, pid, url, ca, token);
  process.stdout.write(`url: ${url}\nca: ${ca}\ntoken: ${token}\n`);
}

/** Writes the file that sends what goes to nodes and pods through a socket; its path. */
function writeEgressSelector(state: string, socket: string): string {
  const file = join(state, 'egress.json');
  const transport = { uds: { udsName: resolve(socket) } };
  const selection = { name: 'cluster', connection: { proxyProtocol: 'HTTPConnect', transport } };
  const kind = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
  writeFileSync(file, JSON.stringify({ ...kind, egressSelections: [selection] }));
  return file;
}

/** Starts a program that outlives this one, its output in `<state>/<name>.log`, its pid beside it. */
function launch(state: string, name: string, program: string, options: readonly string[]): number {
  const log = openSync(join(state, `${name}.log`), 'a');
  const child = spawn(program, options, { detached: true, stdio: ['ignore', log, log] });
  child.once('error', (error) => writeFileSync(log, `${error.message}\n`));
  child.unref();
  writeFileSync(join(state, `${name}.pid`), String(child.pid ?? ''));
  return child.pid ?? 0;
}

async function healthy(state: string, pid: number, url: string, ca: string, token: string): Promise<void> {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    if (!alive(pid)) break;
    const client = new Client(resolveTarget({ url, ca, token }));
    const reply = await client.send({ method: 'GET', path: '/healthz', deadline: 2_000 }).catch(() => undefined);
    await client.close();
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const log = readFileSync(join(state, 'kube-apiserver.log'), 'utf8');
  await stop(state);
  throw new UsageError(`kube-apiserver did not become healthy; the end of its log:\n${log.slice(-1500)}`);
}

async function stop(state: string): Promise<void> {
  const names = ['kube-apiserver', 'etcd'];
  const pids = names.flatMap((name) => {
    const file = join(state, `${name}.pid`);
    return existsSync(file) ? [Number(readFileSync(file, 'utf8'))] : [];
  });
  for (const pid of pids.filter(alive)) process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + 5_000;
  while (pids.some(alive) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of pids.filter(alive)) process.kill(pid, 'SIGKILL');
}

function alive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
