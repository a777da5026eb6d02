// What the flags of kube-apiserver mean for the reference server.
import { UsageError } from '../errors.js';
import { lastOf } from './words.js';

/** Flags that mean something else here, or have other names. */
export const translated: Readonly<Record<string, string>> = {
  'authorization-mode': 'modes with commas: RBAC if it is among them, otherwise AlwaysAllow',
  'cert-dir': 'folder of apiserver.crt and apiserver.key, which are made if they are absent',
  'disable-admission-plugins': 'plug-ins with commas, such as ServiceAccount',
  'etcd-servers': 'an etcd, or its stand-in: then objects are in memory',
  'secure-port': 'port to listen on',
  'service-account-key-file': 'no effect: the key that signs is known',
  'service-account-signing-key-file': 'private key that signs service account tokens, PEM',
};

/** What controllers do that are beside a kube-apiserver: envtest starts none. */
const controllers = [
  ...['garbage-collection', 'quota-controller', 'namespace-controller', 'service-account-controller'],
  ...['cronjob-controller', 'daemonset-controller', 'disruption-controller', 'endpoints-controller', 'job-controller'],
  ...['statefulset-controller', 'deployment-controller', 'deployment-rollout', 'replicaset-controller'],
  ...['replication-controller', 'root-ca-configmap', 'taint-eviction-controller'],
];

/** The features that are admission plug-ins of kube-apiserver. */
const plugins: Readonly<Record<string, string>> = {
  LimitRanger: 'limit-ranger',
  ResourceQuota: 'quota-admission',
  ServiceAccount: 'service-account-admission',
  DefaultTolerationSeconds: 'default-tolerations',
  Priority: 'priorities',
  RuntimeClass: 'runtime-classes',
  DefaultStorageClass: 'default-storage-class',
  DefaultIngressClass: 'default-ingress-class',
  PersistentVolumeClaimResize: 'claim-resize',
  PodSecurity: 'pod-security',
  StorageObjectInUseProtection: 'volume-protection',
};

export interface ServeWords {
  /** The words for `serve`. */
  readonly words: readonly string[];
  /** The names of the flags that have no effect. */
  readonly without: readonly string[];
  /** Where the certificate of the server is, and the address that it is for; absent if other flags name its files. */
  readonly certificates?: { readonly directory: string; readonly address: string };
  readonly etcdServers: string | undefined;
}

/** Returns the words for `serve`. `known` are the names of its flags. Throws UsageError for an unknown mode. */
export function serveWords(flags: ReadonlyMap<string, readonly string[]>, known: readonly string[]): ServeWords {
  const of = (name: string): string | undefined => lastOf(flags, name);
  const address = of('bind-address') ?? '127.0.0.1';
  const modes = (of('authorization-mode') ?? 'AlwaysAllow').split(',');
  const unknownMode = modes.find((mode) => !['RBAC', 'Node', 'AlwaysAllow'].includes(mode));
  if (unknownMode !== undefined) {
    throw new UsageError(`kube-apiserver: --authorization-mode: "${unknownMode}" is none of AlwaysAllow, Node, RBAC`);
  }
  const mode = modes.includes('AlwaysAllow') ? 'AlwaysAllow' : 'RBAC';
  const disabled = (of('disable-admission-plugins') ?? '').split(',').filter((name) => name !== '');
  const lacking = disabled.flatMap((name) => plugins[name] ?? []);
  const signingKey = of('service-account-signing-key-file');
  const ownWords = [
    `--port=${of('secure-port') ?? '6443'}`,
    `--bind-address=${address}`,
    `--authorization-mode=${mode}`,
    // Where everything is allowed, a real server takes no request without credentials.
    `--anonymous-auth=${mode === 'RBAC' ? (of('anonymous-auth') ?? 'true') : 'false'}`,
    // Envtest serves the webhooks of the test itself on loopback.
    `--allow-loopback-webhooks=${of('allow-loopback-webhooks') ?? 'true'}`,
    `--without=${[...controllers, ...lacking, ...(of('without') ?? '').split(',')].filter((name) => name !== '').join(',')}`,
    ...(signingKey === undefined ? [] : [`--service-account-key-file=${signingKey}`]),
  ];
  const handled = new Set([
    ...Object.keys(translated),
    'bind-address',
    'anonymous-auth',
    'allow-loopback-webhooks',
    'without',
  ]);
  const passed = [...flags].filter(([name]) => known.includes(name) && !handled.has(name) && name !== 'runtime-config');
  const pluginsLeft = disabled.some((name) => plugins[name] === undefined) ? ['disable-admission-plugins'] : [];
  return {
    words: [...ownWords, ...passed.flatMap(([name, values]) => values.map((value) => `--${name}=${value}`))],
    without: [
      ...[...flags.keys()].filter((name) => !handled.has(name) && !passed.some(([one]) => one === name)),
      ...pluginsLeft,
    ],
    ...(!flags.has('tls-cert-file') && {
      certificates: { directory: of('cert-dir') ?? '/var/run/kubernetes', address },
    }),
    etcdServers: of('etcd-servers'),
  };
}
