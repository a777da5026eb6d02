// Resolves the user's input (a URL, a kubeconfig, a target file) to a target.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { defined } from '../../matrix/api/index.js';
import { near } from '../../matrix/api/nearest.js';
import type { Alias, Route, Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { packageRoot, readTextFile, shownPath } from '../files.js';
import { bearerToken, bearerTokenIn } from '../kubeconfig/bearer.js';
import { kubeconfigOfEnvironment } from '../kubeconfig/context.js';
import { startRelay } from '../kubeconfig/proxy.js';
import { type FromKubeconfig, readKubeconfig } from '../kubeconfig/read.js';
import { readTargetFile, type TargetFile } from './file.js';

/** The options that address a target, and say how it may be treated. */
export interface TargetOptions {
  /** The name of the server in reports. */
  readonly name?: string;
  readonly url?: string;
  readonly ca?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly insecure?: boolean;
  readonly tlsServerName?: string;
  /** The only namespace that the user may use. */
  readonly namespace?: string;
  readonly namespaceServer?: string;
  readonly namespaceServerCa?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly target?: string;
  readonly disposable?: boolean;
}

/** The default names of a target (readings, 1). */
export const defaultNames = {
  vendor: 'kubernetes',
  domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
} as const satisfies Partial<Target>;

/** Returns a parser of an option that addresses a target: a second value would silently replace the first. */
export function once(option: string): (text: string, before?: string) => string {
  return (text, before) => {
    if (before === undefined || before === text) return text;
    throw new UsageError(`${option} is given twice, as ${before} and as ${text}: give it once`);
  };
}

/** The target file of a command line without one. */
const noFile: TargetFile = { notSupported: [], deviations: [], dangerous: [] };

export function addTargetOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the server, as https://host:port', once('--url'))
    .option('--ca <file>', "the CA that signed the server's certificate, PEM")
    .option('--token <token>', 'bearer token')
    .option('--token-file <file>', 'file with the bearer token, such as the one that is mounted into a pod')
    .option('--client-certificate <file>', 'client certificate, PEM')
    .option('--client-key <file>', 'key of the client certificate, PEM')
    .option('--insecure', "do not verify the server's certificate")
    .option('--tls-server-name <name>', "name to expect in the server's certificate, if not the host of the URL")
    .option('--namespace <name>', 'use this existing namespace only: make no other, and touch nothing outside of it')
    .option('--namespace-server <url>', 'the server that keeps the namespaces of a target that has none itself')
    .option('--namespace-server-ca <file>', 'the CA that signed its certificate, PEM (default: that of --ca)')
    .option('--kubeconfig <file>', 'take server, CA and credentials from this kubeconfig', once('--kubeconfig'))
    .option('--context <name>', 'context of the kubeconfig (default: its current context)');
}

/**
 * Returns the target of the options, which override the target file. The URL of a target that the run starts is known
 * only after its start. Throws UsageError with a remedy.
 */
export function resolveTarget(options: TargetOptions): Target {
  const file = options.target === undefined ? noFile : fileOf(options.target);
  if (options.url !== undefined && options.kubeconfig !== undefined)
    throw new UsageError('--url and --kubeconfig contradict each other: give only one of them');
  const { config, where } = kubeconfigOf(options, file);
  if (config === undefined && options.context !== undefined)
    throw new UsageError('--context requires --kubeconfig or the variable KUBECONFIG');
  const hasOwn = [options.token, options.tokenFile, options.clientCertificate].some((one) => one !== undefined);
  const kubeconfig =
    config === undefined ? undefined : readKubeconfig(config, options.context ?? file.context, !hasOwn, where);
  const url = options.url ?? kubeconfig?.url ?? file.url ?? '';
  const lifecycle = lifecycleOf(file);
  if (url === '' && lifecycle === undefined) {
    if (options.target !== undefined)
      throw new UsageError(`${options.target} names no server: add url, kubeconfig or start and stop, or give --url`);
    throw new UsageError('no target: give --url https://host:port, --kubeconfig FILE, or --target FILE');
  }
  const isStarted = lifecycle !== undefined && options.url === undefined && options.kubeconfig === undefined;
  const ca = caOf(options, kubeconfig, file);
  const route = routeOf(options, kubeconfig, url);
  if (route?.insecure)
    process.stderr.write(`the certificate of ${url} is not verified: another server could answer in its place\n`);
  const { nodes, features, images, notSupported, deviations, dangerous } = file;
  const aliases = aliasesOf(file);
  return {
    vendor: file.vendor ?? defaultNames.vendor,
    domains: { ...defaultNames.domains, ...file.domains },
    name: options.name ?? file.name ?? kubeconfig?.context ?? (url === '' ? 'target' : nameOf(url)),
    url: url === '' ? '' : originOf(url),
    ...ca,
    ...(route === undefined ? {} : { route }),
    ...onlyOf(options),
    ...namespaceServerOf(options, file),
    ...(kubeconfig?.renewal === undefined ? {} : { renewal: kubeconfig.renewal }),
    credentials: {
      ...(file.token !== undefined && { staticToken: { token: bearerToken(file.token, `${options.target}: token`) } }),
      ...kubeconfig?.credentials,
      ...ownCredentials(options),
    },
    notSupported,
    deviations,
    ...(dangerous.length > 0 && { dangerous }),
    // Only a server that the run starts itself is disposable where nobody says so.
    disposable: options.namespace === undefined && (options.disposable ?? file.disposable ?? isStarted),
    ...(nodes === undefined ? {} : { nodes }),
    ...(features === undefined ? {} : { features }),
    ...(aliases.length > 0 && { aliases }),
    ...(images === undefined ? {} : { images }),
    ...(isStarted && { lifecycle }),
  };
}

/** Returns the authority of the target, and where it is from: the options, the kubeconfig or the target file. */
function caOf(
  options: TargetOptions,
  kubeconfig: FromKubeconfig | undefined,
  file: TargetFile,
): Pick<Target, 'ca' | 'caFrom'> {
  if (options.ca !== undefined) return { ca: readTextFile(options.ca, '--ca'), caFrom: options.ca };
  if (kubeconfig?.ca !== undefined) return { ca: kubeconfig.ca, ...defined({ caFrom: kubeconfig.caFrom }) };
  return file.ca === undefined ? {} : { ca: file.ca, caFrom: `${options.target}: ca` };
}

/** Returns the kubeconfig that the options, the target file or KUBECONFIG name, and where it is named. */
function kubeconfigOf(options: TargetOptions, file: TargetFile): { readonly config?: string; readonly where: string } {
  if (options.kubeconfig !== undefined) return { config: options.kubeconfig, where: '--kubeconfig' };
  if (file.kubeconfig !== undefined) return { config: file.kubeconfig, where: `${options.target}: kubeconfig` };
  const config = options.url === undefined && options.target === undefined ? kubeconfigOfEnvironment() : undefined;
  return { ...(config !== undefined && { config }), where: 'KUBECONFIG' };
}

/** Reads a target file. Throws UsageError, for a file that is not there with the nearest target that is. */
function fileOf(name: string): TargetFile {
  if (!existsSync(name)) {
    const folder = join(packageRoot, 'targets');
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
    const shipped = files.map((file) => shownPath(join(folder, file)));
    const guess =
      shipped.find((path) => basename(path, '.yaml') === basename(name, '.yaml')) ??
      near(
        name,
        ['reference-server', 'kube-apiserver', ...shipped].filter((one) => one !== name),
      );
    if (guess !== undefined) throw new UsageError(`--target: there is no ${name}; did you mean ${guess}?`);
  }
  return readTargetFile(name);
}

function lifecycleOf({ start, stop, fixtures = false }: TargetFile): Target['lifecycle'] {
  return start === undefined || stop === undefined ? undefined : { start, stop, fixtures };
}

/** Where later versions of Kubernetes have what left `extensions/v1beta1`, for a target whose file names no aliases. */
const usualAliases: readonly Alias[] = Object.entries({
  daemonsets: 'apps/v1',
  deployments: 'apps/v1',
  networkpolicies: 'networking.k8s.io/v1',
  replicasets: 'apps/v1',
}).map(([resource, to]) => ({ groupVersion: 'extensions/v1beta1', resource, to, usual: true }));

function aliasesOf({ aliases }: TargetFile): readonly Alias[] {
  if (aliases === undefined) return usualAliases;
  return Object.entries(aliases).flatMap(([groupVersion, rows]) =>
    Object.entries(rows).map(([resource, to]) => ({ groupVersion, resource, to })),
  );
}

/** Returns the route to the target, from the kubeconfig and the options. */
function routeOf(
  { insecure, tlsServerName, ca }: TargetOptions,
  kubeconfig: FromKubeconfig | undefined,
  url: string,
): Route | undefined {
  if (insecure && ca !== undefined)
    throw new UsageError('--insecure and --ca contradict each other: give only one of them');
  const proxy = kubeconfig?.proxy;
  const route: Route = {
    ...kubeconfig?.route,
    ...(insecure && { insecure: true as const }),
    ...(tlsServerName !== undefined && { serverName: tlsServerName }),
    ...(proxy !== undefined && { relay: startRelay(proxy.url, originOf(url), proxy.where) }),
  };
  return Object.keys(route).length === 0 ? undefined : route;
}

function onlyOf({ namespace, disposable }: TargetOptions): Pick<Target, 'only'> | undefined {
  if (namespace === undefined) return undefined;
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace))
    throw new UsageError(`--namespace: ${namespace} is not the name of a namespace`);
  if (disposable) throw new UsageError('--namespace and --disposable contradict each other: give only one of them');
  return { only: { namespace } };
}

/** Returns the server that keeps the namespaces of the target, from the options or the target file. */
function namespaceServerOf(
  { namespaceServer: url, namespaceServerCa: ca }: TargetOptions,
  file: TargetFile,
): Pick<Target, 'namespaceServer'> | undefined {
  if (url === undefined && ca !== undefined)
    throw new UsageError('--namespace-server-ca requires --namespace-server, which is missing');
  const ofFile = file.namespaceServer;
  if (url === undefined) return ofFile && { namespaceServer: { ...ofFile, url: originOf(ofFile.url) } };
  const own = ca === undefined ? {} : { ca: readTextFile(ca, '--namespace-server-ca') };
  return { namespaceServer: { url: originOf(url, '--namespace-server'), ...own } };
}

function ownCredentials(options: TargetOptions): Target['credentials'] {
  const { clientCertificate, clientKey } = options;
  const token = tokenOf(options);
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new UsageError('--client-certificate and --client-key go together: give both');
  }
  return {
    ...(token === undefined ? {} : { staticToken: { token } }),
    ...(clientCertificate === undefined || clientKey === undefined
      ? {}
      : {
          clientCertificate: {
            certificate: readTextFile(clientCertificate, '--client-certificate'),
            key: readTextFile(clientKey, '--client-key'),
          },
        }),
  };
}

function tokenOf({ token, tokenFile }: TargetOptions): string | undefined {
  if (tokenFile === undefined) return token === undefined ? undefined : bearerToken(token, '--token');
  if (token !== undefined)
    throw new UsageError('--token and --token-file contradict each other: give only one of them');
  return bearerTokenIn(tokenFile, '--token-file');
}

function originOf(url: string, option = '--url'): string {
  try {
    const { protocol, origin, pathname, username, search, hash } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') throw new UsageError(`${option}: ${url} is not http or https`);
    if (username !== '') throw new UsageError(`${option}: remove the user name, and give the credentials as options`);
    if (search !== '' || hash !== '') throw new UsageError(`${option}: ${url} has a query or a fragment: remove it`);
    return origin + (pathname === '/' ? '' : pathname.replace(/\/$/, ''));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${option}: ${url} is not a URL; write it as https://host:port`);
  }
}

/** Returns the host, with the path if there is one. */
const nameOf = (url: string): string => originOf(url).replace(/^https?:\/\//, '');
