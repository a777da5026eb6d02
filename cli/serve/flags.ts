// The flags of `serve` that set options of the server, one row each, with the names of the options.
import type { Command } from 'commander';
import { unknownName } from '../../matrix/api/nearest.js';
import type { ServerOptions } from '../../reference-server/index.js';
import { featureNames, type LaterOptions } from '../../reference-server/later/index.js';
import type { StorageOptions } from '../../reference-server/storages/options.js';
import { UsageError } from '../errors.js';
import { whyNotOption } from '../options.js';

type AllOptions = ServerOptions & LaterOptions & StorageOptions;

/** A flag of the command line. `parse` also gets the value of an earlier flag of the same name. */
type Row = readonly [flag: string, description: string, parse?: (text: string, before?: readonly string[]) => unknown];

const flags = {
  // Authentication.
  clientCaFile: ['--client-ca-file <file>', 'CAs that sign client certificates, PEM'],
  tokenAuthFile: [
    '--token-auth-file <file>',
    'static tokens, CSV: token,user,uid,"group1,group2" (default: one generated token)',
  ],
  oidcIssuerUrl: ['--oidc-issuer-url <url>', 'OpenID Connect: the https URL of the issuer of ID tokens'],
  oidcClientId: ['--oidc-client-id <id>', 'OpenID Connect: the client ID that ID tokens must be issued for'],
  oidcCaFile: ['--oidc-ca-file <file>', "CAs of the issuer, PEM (default: the system's CAs)"],
  oidcUsernameClaim: ['--oidc-username-claim <claim>', 'claim that names the user (default: sub)'],
  oidcGroupsClaim: ['--oidc-groups-claim <claim>', "claim that names the user's groups"],
  authenticationTokenWebhookConfigFile: [
    '--authentication-token-webhook-config-file <file>',
    'kubeconfig of the webhook that reviews bearer tokens',
  ],
  authenticationTokenWebhookCacheTtl: [
    '--authentication-token-webhook-cache-ttl <duration>',
    'how long responses of the webhook are cached (default: 2m)',
  ],
  experimentalKeystoneUrl: [
    '--experimental-keystone-url <url>',
    'the https URL of an identity service that confirms passwords, such as https://host:5000/v2.0',
  ],
  experimentalKeystoneCaFile: [
    '--experimental-keystone-ca-file <file>',
    "CAs of the identity service, PEM (default: the system's CAs)",
  ],
  authenticationDomain: [
    '--authentication-domain <domain>',
    'domain of the group of token reviews, authentication.<domain> (default: k8s.io)',
  ],
  basicAuthFile: ['--basic-auth-file <file>', 'static passwords, CSV: password,user,uid,"group1,group2"'],
  serviceAccountKeyFile: [
    '--service-account-key-file <file>',
    'private key that signs service account tokens, PEM (default: generated, and kept in --data-dir or etcd)',
  ],
  anonymousAuth: [
    '--anonymous-auth [boolean]',
    'accept requests without credentials, as system:anonymous (default: false)',
    (text) => parseBoolean('--anonymous-auth', text),
  ],
  runtimeConfig: [
    '--runtime-config <switches>',
    "group versions to enable, such as authentication.k8s.io/v1beta1=true for token reviews, the server's and a webhook's",
  ],
  requestheaderClientCaFile: [
    '--requestheader-client-ca-file <file>',
    'CAs of the certificates of front proxies, whose headers name the users of requests, PEM',
  ],
  requestheaderAllowedNames: [
    '--requestheader-allowed-names <names>',
    'the common names of these certificates, separated by commas (default: any)',
    listOf,
  ],
  requestheaderUsernameHeaders: [
    '--requestheader-username-headers <names>',
    'the headers of the name of the user, such as X-Remote-User; with commas',
    listOf,
  ],
  requestheaderUidHeaders: [
    '--requestheader-uid-headers <names>',
    'the headers of the UID of the user, such as X-Remote-Uid; with commas',
    listOf,
  ],
  requestheaderGroupHeaders: [
    '--requestheader-group-headers <names>',
    "the headers of the user's groups, such as X-Remote-Group; with commas",
    listOf,
  ],
  requestheaderExtraHeadersPrefix: [
    '--requestheader-extra-headers-prefix <prefixes>',
    "what the headers of the user's extra values begin with, such as X-Remote-Extra-; with commas",
    listOf,
  ],
  // Several servers on one etcd.
  etcdServers: [
    '--etcd-servers <urls>',
    'store objects in this etcd, which several servers can share, such as http://127.0.0.1:2379; with commas',
  ],
  etcdPrefix: ['--etcd-prefix <prefix>', 'first part of all keys in etcd (default: /kube-api-conformance)'],
  etcdCafile: ['--etcd-cafile <file>', "CAs of etcd's certificates, PEM (default: the system's CAs)"],
  etcdCertfile: ['--etcd-certfile <file>', 'client certificate for etcd, PEM'],
  etcdKeyfile: ['--etcd-keyfile <file>', 'the key of --etcd-certfile, PEM'],
  etcdCompactionInterval: [
    '--etcd-compaction-interval <duration>',
    'how often etcd forgets old revisions, such as 10m; 0 is never (default: 5m)',
  ],
  // Connections to nodes and pods.
  egressProxy: [
    '--egress-proxy <file>',
    'Unix socket of an HTTP CONNECT proxy that reaches nodes and pods (default: direct connections)',
  ],
  kubeletCertificateAuthority: [
    '--kubelet-certificate-authority <file>',
    "CAs of the nodes' certificates, PEM (default: not verified)",
  ],
  kubeletClientCertificate: [
    '--kubelet-client-certificate <file>',
    'client certificate that the server presents to nodes, PEM',
  ],
  kubeletClientKey: ['--kubelet-client-key <file>', 'the key of --kubelet-client-certificate, PEM'],
  // Webhooks.
  allowLoopbackWebhooks: [
    '--allow-loopback-webhooks [boolean]',
    'call webhooks on loopback addresses of this machine too (default: false)',
    (text) => parseBoolean('--allow-loopback-webhooks', text),
  ],
  // The servers of other APIs.
  proxyClientCertFile: [
    '--proxy-client-cert-file <file>',
    'client certificate for the servers of other APIs, PEM (default: one of an authority of the server)',
  ],
  proxyClientKeyFile: ['--proxy-client-key-file <file>', 'the key of --proxy-client-cert-file, PEM'],
  // The version, configuration and speed of the server.
  without: [
    '--without <features>',
    'serve without these features, separated by commas; docs/server-settings.md lists the names',
    namesOf,
  ],
  modern: ['--no-modern', 'serve only the groups of the interface, without apps/v1 and the others that came later'],
  kubeVersion: [
    '--kube-version <version>',
    'report this version in /version, such as 1.20 (default: 1.36, with --no-modern 1.5)',
  ],
  authorizationMode: [
    '--authorization-mode <mode>',
    'AlwaysAllow, or RBAC: the stored roles and bindings decide (default: AlwaysAllow)',
  ],
  watchCache: [
    '--watch-cache [boolean]',
    'serve clients as a server with a watch cache does (default: true)',
    (text) => parseBoolean('--watch-cache', text),
  ],
  auditLogPath: ['--audit-log-path <file>', 'append the audit log to this file, or to stdout for -'],
  auditLogFormat: ['--audit-log-format <format>', 'the format of the audit log: json (default: json)'],
  auditPolicyFile: [
    '--audit-policy-file <file>',
    'which requests the audit log has, a Policy of audit.k8s.io/v1 (default: the metadata of all)',
  ],
  maxObjectSize: [
    '--max-object-size <bytes>',
    'refuse to store an object with more bytes of JSON (default: 1572864, as etcd)',
    (text) => numberOf('--max-object-size', text, 1024 ** 3),
  ],
  latency: [
    '--latency <milliseconds>',
    'delay every request by this time, at most 10000',
    (text) => numberOf('--latency', text, 10_000),
  ],
  basePath: ['--base-path <path>', 'serve the whole API below this path, such as /k8s/c1'],
  crashOn: [
    '--crash-on <request>',
    "exit with code 70 at the first such request, for example 'PUT /api/v1/namespaces/*/configmaps/*'",
  ],
  restartAfter: [
    '--restart-after <seconds>',
    'restart once, this long after the crash, at the same address',
    (text) => numberOf('--restart-after', text, 600),
  ],
} as const satisfies Partial<Record<keyof AllOptions | 'restartAfter', Row>>;

type OptionName = Exclude<keyof typeof flags, 'restartAfter'>;

/** The values of the flags, as the command line gives them. */
export interface ServerFlags extends Pick<AllOptions, OptionName> {
  /** In seconds. */
  readonly restartAfter?: number;
}

export function addServerFlags(command: Command): void {
  for (const [flag, description, parse] of Object.values<Row>(flags)) {
    if (parse === undefined) command.option(flag, description);
    else command.option<unknown>(flag, description, (text, before) => parse(text, before as readonly string[]));
  }
}

/**
 * Returns the server options that the flags set. Options without a flag are absent. Throws UsageError if a flag
 * requires another one that is missing.
 */
export function serverOptions(flagValues: ServerFlags): Pick<AllOptions, OptionName> {
  if (flagValues.restartAfter !== undefined && flagValues.crashOn === undefined)
    throw new UsageError('serve: --restart-after requires --crash-on, which is missing');
  const names = (Object.keys(flags) as (keyof typeof flags)[]).filter((name) => name !== 'restartAfter');
  for (const name of names) {
    const value = flagValues[name as OptionName];
    const why = value === undefined ? undefined : whyNotOption(name, value);
    if (why !== undefined) throw new UsageError(`serve: ${flags[name][0].split(' ')[0]}: ${why}`);
  }
  return Object.fromEntries(
    names.filter((name) => flagValues[name] !== undefined).map((name) => [name, flagValues[name]]),
  );
}

function parseBoolean(flag: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new UsageError(`serve: ${flag}: "${text}" is neither true nor false`);
  return text === 'true';
}

function listOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== '')];
}

function namesOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = listOf(text);
  const unexpected = names.find((name) => !name.startsWith('resource:') && !featureNames.includes(name));
  if (unexpected !== undefined) {
    const known = [...featureNames, 'resource:<group>/<plural>'];
    throw new UsageError(`serve: --without: ${unknownName('feature', unexpected, known)}`);
  }
  return [...before, ...names];
}

function numberOf(flag: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new UsageError(`serve: ${flag}: "${text}"; give a whole number from 0 to ${most}`);
}
