// The options of a server, by name, and what each must be: for programs, and for the flags of `serve`.

import type {
  RemoteAuthenticationOptions,
  RequestHeaderOptions,
} from '../reference-server/authentication/remoteOptions.js';
import { whyNoToken } from '../reference-server/authentication/staticToken.js';
import {
  boolean,
  type Check,
  type Checks,
  fields,
  filled,
  listOf,
  oneOf,
  text,
  whole,
} from '../reference-server/fieldChecks.js';
import { newestKubeVersion } from '../reference-server/later/index.js';
import { OptionError } from '../reference-server/optionValues.js';
import type { StorageOptions } from '../reference-server/storages/options.js';
import type { AppOptions, StartOptions } from './optionTypes.js';
import { mostNodes } from './serveNodes.js';

const names = listOf('texts', text);

const version: Check = (value) => {
  if (typeof value === 'number') return `give a text, such as '1.30': a number loses the 0 at its end`;
  const [, major, minor] = /^(\d{1,2})\.(\d{1,3})$/.exec(String(value)) ?? [];
  if (minor === undefined) return `"${String(value)}" is not a version; write it as ${newestKubeVersion}`;
  const isKnown = major === '1' && Number(minor) <= Number(newestKubeVersion.slice(2));
  return isKnown ? undefined : `there is no ${value} to report; the newest version is ${newestKubeVersion}`;
};

const token: Check = (value) => {
  const why = typeof value === 'string' ? whyNoToken(value) : undefined;
  return text(value) ?? (why && `it ${why}`);
};

const user = fields({ name: filled, uid: text, groups: listOf('texts', filled) }, ['name', 'groups']);
const users = listOf('tokens', fields({ token, user }, ['token', 'user']));
const tokens: Check = (value) => {
  const why = users(value);
  if (why !== undefined) return why;
  const all = (value as readonly { readonly token: string }[]).map((each) => each.token);
  const again = all.findIndex((each, index) => all.indexOf(each) !== index);
  return again === -1 ? undefined : `[${again}].token: it is that of an earlier one`;
};

const ofRemotes = {
  oidcIssuerUrl: filled,
  oidcClientId: filled,
  oidcCaFile: filled,
  oidcUsernameClaim: filled,
  oidcGroupsClaim: filled,
  authenticationTokenWebhookConfigFile: filled,
  authenticationTokenWebhookCacheTtl: filled,
  experimentalKeystoneUrl: filled,
  experimentalKeystoneCaFile: filled,
  authenticationDomain: filled,
  requestheaderClientCaFile: filled,
  requestheaderAllowedNames: names,
  requestheaderUsernameHeaders: names,
  requestheaderUidHeaders: names,
  requestheaderGroupHeaders: names,
  requestheaderExtraHeadersPrefix: names,
} as const satisfies Record<keyof RemoteAuthenticationOptions | keyof RequestHeaderOptions, Check>;

const ofStorage = {
  dataDir: filled,
  etcdServers: filled,
  etcdPrefix: text,
  etcdCafile: filled,
  etcdCertfile: filled,
  etcdKeyfile: filled,
  etcdCompactionInterval: filled,
} as const satisfies Record<keyof StorageOptions, Check>;

const others = {
  vendor: filled,
  tokens,
  tokenAuthFile: filled,
  basicAuthFile: filled,
  serviceAccountKeyFile: filled,
  anonymousAuth: boolean,
  runtimeConfig: text,
  without: listOf('names of features', filled),
  modern: boolean,
  kubeVersion: version,
  authorizationMode: oneOf('mode', ['AlwaysAllow', 'RBAC']),
  watchCache: boolean,
  auditLogPath: filled,
  auditLogFormat: filled,
  auditPolicyFile: filled,
  maxObjectSize: whole(0, 1024 ** 3),
  latency: whole(0, 10_000),
  crashOn: filled,
  allowLoopbackWebhooks: boolean,
  kubeletCertificateAuthority: filled,
  kubeletClientCertificate: filled,
  kubeletClientKey: filled,
  proxyClientCertFile: filled,
  proxyClientKeyFile: filled,
  onRejection: (value: unknown) => (typeof value === 'function' ? undefined : 'give a function'),
} as const satisfies Partial<Record<keyof AppOptions, Check>>;

/** The options that servers and applications share. */
const shared = { ...ofRemotes, ...ofStorage, ...others } as const;

const ofApps = {
  ...shared,
  clientCertificates: boolean,
  clientAuthorities: text,
  rootCa: text,
  egressProxy: filled,
} as const satisfies Record<keyof AppOptions, Check>;

const journal = fields({ limit: whole(1), bodies: boolean });

const ofServers = {
  ...shared,
  port: whole(0, 65_535),
  bindAddress: filled,
  tls: fields({ certificate: filled, key: filled, ca: filled }, ['certificate', 'key']),
  clientCaFile: filled,
  nodes: whole(0, mostNodes),
  basePath: text,
  requests: (value: unknown) => (typeof value === 'object' ? journal(value) : boolean(value)),
} as const satisfies Record<keyof StartOptions, Check>;

const checksOf = { startServer: ofServers, createApp: ofApps } as const;

/** Throws an OptionError for options of a function that are unknown or not right. */
export function requireOptions(called: keyof typeof checksOf, options: unknown): void {
  const why = fields(checksOf[called], [], 'option')(options);
  if (why !== undefined) throw new OptionError(why === 'give an object' ? `${called}: ${why}` : why.replace(/^\./, ''));
}

/** Returns why the value of a flag cannot be that of its option; undefined if it can, and for other flags. */
export const whyNotOption = (name: string, value: unknown): string | undefined =>
  (({ ...ofApps, ...ofServers }) as Checks)[name]?.(value);

/** The names of flags that are parts of an option. */
const parts: Readonly<Record<string, string>> = {
  'tls-cert-file': 'tls.certificate',
  'tls-private-key-file': 'tls.key',
  'root-ca-file': 'tls.ca',
  // the beginning of several
  oidc: 'oidc',
};

/** Returns an error with the names of options in place of the flags of `serve`: the words of a program. */
export function inOptions(error: unknown): unknown {
  if (!(error instanceof OptionError)) return error;
  const known: ReadonlySet<string> = new Set([...Object.keys(ofApps), ...Object.keys(ofServers)]);
  const message = error.message.replaceAll(/--([a-z]+(?:-[a-z]+)*)-?/g, (flag, name: string) => {
    const option = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return parts[name] ?? (known.has(option) ? option : flag);
  });
  return message === error.message ? error : new OptionError(message);
}
