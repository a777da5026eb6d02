// The `envtest` command: starts and stops etcd, kube-apiserver and, if available, kube-controller-manager.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { freePort } from '../../matrix/api/freePort.js';
import { runningTime } from '../../suites/client/runningTime.js';
import { Client } from '../../suites/index.js';
import type { Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { readFixtures } from '../fixtures/make.js';
import { writeKubeconfig } from '../kubeconfig/write.js';
import { isRunning } from '../running.js';
import { resolveTarget } from '../target/target.js';
import { apiserverOptions, type EnvtestPorts, type EnvtestSetting, etcdOptions, managerOptions } from './options.js';
import {
  assetsFolder,
  endOfLog,
  hasProgram,
  kubeVersion,
  launch,
  optionNamesOf,
  optionNamesOfEtcd,
  type ProgramName,
  stopPrograms,
} from './programs.js';

/** The time limit for a program to become ready, in milliseconds. */
const timeout = 180_000;

interface StartFlags {
  readonly state: string;
  readonly fixtures: string;
  readonly egressSocket?: string;
  readonly authorizationMode: string;
  readonly anonymousAuth?: true;
  readonly controllerManager: boolean;
  readonly flag: readonly string[];
}

/** Registers `envtest start` and `envtest stop`. */
export function registerEnvtest(program: Command): void {
  const envtest = program
    .command('envtest')
    .description('start or stop a real kube-apiserver from the binaries of KUBEBUILDER_ASSETS');
  envtest
    .command('start')
    .requiredOption('--state <directory>', 'where logs and data go')
    .requiredOption('--fixtures <directory>', 'its certificates, users and settings; the command fixtures makes them')
    .option('--egress-socket <file>', 'socket of a node-agent that reaches nodes and pods')
    .option('--authorization-mode <mode>', 'AlwaysAllow or RBAC', 'AlwaysAllow')
    .option('--anonymous-auth', 'accept requests without credentials, as system:anonymous')
    .option('--no-controller-manager', 'start no kube-controller-manager')
    .option(
      '--flag <flag>',
      'one more flag for kube-apiserver, such as --flag=--v=4; several times for several',
      (flag: string, before: readonly string[]) => [...before, flag],
      [],
    )
    .action(start);
  envtest
    .command('stop')
    .requiredOption('--state <directory>', 'the directory of the start')
    .action(async ({ state }: { readonly state: string }) => stopPrograms(state));
}

async function start(flags: StartFlags): Promise<void> {
  const { fixtures: directory, egressSocket } = flags;
  const fixtures = await readFixtures(directory);
  const assets = assetsFolder();
  mkdirSync(flags.state, { recursive: true });
  const state = realpathSync(flags.state);
  const setting: EnvtestSetting = {
    state,
    directory,
    fixtures,
    minor: (await kubeVersion(assets)).minor,
    authorizationMode: flags.authorizationMode,
    anonymousAuth: flags.anonymousAuth ?? false,
    flags: flags.flag,
    controllers: flags.controllerManager && hasProgram(assets, 'kube-controller-manager'),
    ...(egressSocket === undefined ? {} : { egressSelector: writeEgressSelector(state, egressSocket) }),
  };
  const ports: EnvtestPorts = {
    etcd: await freePort(),
    peer: await freePort(),
    secure: await freePort(),
    insecure: await freePort(),
    manager: await freePort(),
  };
  const ofEtcd = await optionNamesOfEtcd(assets);
  const ofServer = await optionNamesOf(assets, 'kube-apiserver');
  launch(state, assets, 'etcd', etcdOptions(setting, ports, ofEtcd));
  // The first etcd with this option was also the first with only version 3 of the API.
  const etcd3 = ofEtcd.has('auto-compaction-retention');
  const pid = launch(state, assets, 'kube-apiserver', apiserverOptions(setting, ports, ofServer, etcd3));
  const ca = resolve(directory, 'ca.crt');
  const token = fixtures.secrets.staticToken.admin;
  const url = `https://127.0.0.1:${ports.secure}`;
  const target = resolveTarget({ url, ca, token });
  await ready(state, 'kube-apiserver', pid, target, '/healthz');
  // The server makes this namespace a moment after it has seen itself healthy.
  await ready(state, 'kube-apiserver', pid, target, '/api/v1/namespaces/default');
  if (setting.controllers) {
    const kubeconfig = join(state, 'manager.kubeconfig');
    await writeKubeconfig(kubeconfig, { url, caCertificate: target.ca ?? '', token });
    const has = await optionNamesOf(assets, 'kube-controller-manager');
    const manager = launch(state, assets, 'kube-controller-manager', managerOptions(setting, ports, has, kubeconfig));
    // A controller makes this account, so the controllers work when it exists.
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    await ready(state, 'kube-controller-manager', manager, target, account);
  }
  process.stdout.write(`url: ${url}\nca: ${ca}\ntoken: ${token}\n`);
  if (!setting.controllers) process.stdout.write(controllersAbsent.map((line) => `lacks: ${line}\n`).join(''));
}

/** What a server without kube-controller-manager lacks, although its fixtures are those of service accounts. */
const controllersAbsent = ['service-account-controller', 'token-controller'].map(
  (name) => `feature:${name} no kube-controller-manager runs beside the server`,
);

/** Writes the file that routes connections to nodes and pods through a socket. Returns its path. */
function writeEgressSelector(state: string, socket: string): string {
  const file = join(state, 'egress.json');
  const transport = { uds: { udsName: resolve(socket) } };
  const selection = { name: 'cluster', connection: { proxyProtocol: 'HTTPConnect', transport } };
  const kind = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
  writeFileSync(file, JSON.stringify({ ...kind, egressSelections: [selection] }));
  return file;
}

/** Waits until a path of the target returns 200. Throws UsageError with the end of the program's log. */
async function ready(state: string, name: ProgramName, pid: number, target: Target, path: string): Promise<void> {
  const client = new Client(target);
  try {
    for (const deadline = runningTime() + timeout; runningTime() < deadline && isRunning(pid); ) {
      const reply = await client.send({ method: 'GET', path, deadline: 2_000 }).catch(() => undefined);
      if (reply?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await client.close();
  }
  const log = endOfLog(state, name);
  await stopPrograms(state);
  throw new UsageError(`${name} did not get ready; the end of its log:\n${log}`);
}
