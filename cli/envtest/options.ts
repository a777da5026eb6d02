// The options for the programs of KUBEBUILDER_ASSETS of any version.
import { join, resolve } from 'node:path';
import type { Fixtures } from '../../suites/index.js';
import { kubeApiserverFlags } from '../fixtures/flags.js';

type Options = readonly string[];

export interface EnvtestSetting {
  /** The directory of data and logs. */
  readonly state: string;
  /** The directory of the fixtures, and its contents. */
  readonly directory: string;
  readonly fixtures: Fixtures;
  /** The minor version of the kube-apiserver, such as 20. */
  readonly minor: number;
  readonly authorizationMode: string;
  readonly anonymousAuth: boolean;
  /** Whether a controller manager runs too: without it, pods have no service account. */
  readonly controllers: boolean;
  /** Further options of kube-apiserver. */
  readonly flags: Options;
  /** The file that routes connections to nodes and pods through a socket. */
  readonly egressSelector?: string;
}

/** The ports of the programs on the loopback address. */
export interface EnvtestPorts {
  readonly etcd: number;
  readonly peer: number;
  readonly secure: number;
  /** The port without TLS, which versions before 1.20 require. */
  readonly insecure: number;
  readonly manager: number;
}

/** Returns the options of etcd. `has` contains the options that this etcd supports. */
export function etcdOptions({ state }: EnvtestSetting, ports: EnvtestPorts, has: ReadonlySet<string>): Options {
  const [clients, peers] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peer}`];
  return [
    ...['--name', 'test', '--data-dir', join(state, 'data')],
    ...(has.has('unsafe-no-fsync') ? ['--unsafe-no-fsync'] : []),
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients, '--listen-peer-urls', peers],
    ...['--initial-advertise-peer-urls', peers, '--initial-cluster', `test=${peers}`],
  ];
}

/**
 * Returns the options of kube-apiserver. `has` contains the options that it supports; `etcd3` says whether its etcd has
 * version 3 of the API.
 */
export function apiserverOptions(
  setting: EnvtestSetting,
  ports: EnvtestPorts,
  has: ReadonlySet<string>,
  etcd3: boolean,
): Options {
  const { state, directory, fixtures, minor, controllers, egressSelector } = setting;
  const admission = ['NamespaceLifecycle', 'LimitRanger', ...(controllers ? ['ServiceAccount'] : []), 'ResourceQuota'];
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    // Before 1.6, the default was version 2 of etcd's API.
    ...(minor < 6 ? [`--storage-backend=${etcd3 ? 'etcd3' : 'etcd2'}`] : []),
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.secure}`,
    ...(minor < 20 ? [`--insecure-port=${ports.insecure}`, '--insecure-bind-address=127.0.0.1'] : []),
    '--advertise-address=192.0.2.10',
    `--cert-dir=${join(state, 'certs')}`,
    ...kubeApiserverFlags(directory, fixtures, (option) => has.has(option)).filter(
      (flag) => !flag.startsWith('--anonymous-auth='),
    ),
    ...(has.has('anonymous-auth') ? [`--anonymous-auth=${setting.anonymousAuth}`] : []),
    // A whole run has more services at once than a /24 has addresses.
    '--service-cluster-ip-range=10.0.0.0/16',
    `--authorization-mode=${setting.authorizationMode}`,
    '--allow-privileged=true',
    '--runtime-config=api/all=true',
    ...(!has.has('disable-admission-plugins')
      ? [`--admission-control=${admission.join(',')}`]
      : controllers
        ? []
        : ['--disable-admission-plugins=ServiceAccount']),
    ...(egressSelector === undefined || !has.has('egress-selector-config-file')
      ? []
      : [`--egress-selector-config-file=${egressSelector}`]),
    ...setting.flags,
  ];
}

/** Returns the options of kube-controller-manager. `kubeconfig` is its kubeconfig for the server. */
export function managerOptions(
  { state, directory }: EnvtestSetting,
  ports: EnvtestPorts,
  has: ReadonlySet<string>,
  kubeconfig: string,
): Options {
  const secure = has.has('secure-port');
  return [
    `--kubeconfig=${kubeconfig}`,
    ...(secure
      ? ['--bind-address=127.0.0.1', `--secure-port=${ports.manager}`, `--cert-dir=${join(state, 'manager')}`]
      : ['--address=127.0.0.1', `--port=${ports.manager}`]),
    ...(secure && has.has('port') ? ['--port=0'] : []),
    '--leader-elect=false',
    `--service-account-private-key-file=${resolve(directory, 'service-account.key')}`,
    `--root-ca-file=${resolve(directory, 'ca.crt')}`,
    // A run deletes hundreds of namespaces at once.
    ...(has.has('kube-api-qps') ? ['--kube-api-qps=500', '--kube-api-burst=1000'] : []),
    ...(has.has('use-service-account-credentials') ? ['--use-service-account-credentials=false'] : []),
  ];
}
