// Resolves the user's input (a URL, a kubeconfig, a target file) to a target.
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { unknownField } from '../matrix/api/nearest.js';
import type { Danger, Deviation, Lifecycle, Route, Target } from '../suites/requirements/index.js';
import { declarations, optionalText, readAbsences, readText } from './declarations.js';
import { readDemanded } from './demandedFeatures.js';
import { kubeconfigOfEnvironment } from './kubeconfig/files.js';
import { startRelay } from './kubeconfig/proxy.js';
import { type FromKubeconfig, readKubeconfig } from './kubeconfig/read.js';
import { checkSometimes, defaultNames, membersOf, namingFields, readNaming } from './targetFields.js';
import { UsageError } from './usageError.js';

/** The options of a target. */
export interface TargetOptions {
  readonly url?: string;
  readonly ca?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly insecure?: boolean;
  readonly tlsServerName?: string;
  readonly namespaceServer?: string;
  readonly namespaceServerCa?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly target?: string;
  readonly disposable?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the target of the options. `--url`, `--ca` and `--token` override the target file. The URL of a managed
 * target is known only after its start. Throws UsageError with a remedy.
 */
export function resolveTarget(options: TargetOptions): Target {
  const file = options.target === undefined ? {} : readTargetFile(options.target);
  const kubeconfigPath = options.kubeconfig ?? file.kubeconfig;
  const isElsewhere = options.url !== undefined || options.target !== undefined;
  const config = kubeconfigPath ?? (isElsewhere ? undefined : kubeconfigOfEnvironment());
  if (config === undefined && options.context !== undefined)
    throw new UsageError('--context requires --kubeconfig or the variable KUBECONFIG');
  const hasOwn = [options.token, options.tokenFile, options.clientCertificate].some((one) => one !== undefined);
  const kubeconfig =
    config === undefined ? undefined : readKubeconfig(config, options.context ?? file.context, !hasOwn);
  const url = options.url ?? kubeconfig?.url ?? file.url ?? '';
  if (url === '' && file.lifecycle === undefined) {
    throw new UsageError('no target: give --url https://host:port, --kubeconfig FILE, or --target FILE');
  }
  const ca = options.ca === undefined ? (kubeconfig?.ca ?? file.ca) : readText(options.ca, '--ca');
  const route = routeOf(options, kubeconfig, url);
  if (route?.insecure)
    process.stderr.write(`the certificate of ${url} is not verified: another server could answer in its place\n`);
  const disposable = options.disposable ?? file.disposable ?? false;
  return {
    vendor: file.vendor ?? defaultNames.vendor,
    domains: file.domains ?? defaultNames.domains,
    name: file.name ?? (url === '' ? 'target' : nameOf(url)),
    url: url === '' ? '' : originOf(url),
    ...(ca === undefined ? {} : { ca }),
    ...(route === undefined ? {} : { route }),
    ...namespaceServerOf(options, file),
    ...(kubeconfig?.renewal === undefined ? {} : { renewal: kubeconfig.renewal }),
    credentials: { ...file.credentials, ...kubeconfig?.credentials, ...ownCredentials(options) },
    notSupported: file.notSupported ?? [],
    deviations: file.deviations ?? [],
    ...(file.dangerous === undefined ? {} : { dangerous: file.dangerous }),
    disposable,
    ...(file.nodes === undefined ? {} : { nodes: file.nodes }),
    ...(file.features === undefined ? {} : { features: file.features }),
    ...(file.aliases === undefined ? {} : { aliases: file.aliases }),
    ...(file.images === undefined ? {} : { images: file.images }),
    ...(file.lifecycle === undefined || options.url !== undefined || options.kubeconfig !== undefined
      ? {}
      : { lifecycle: file.lifecycle }),
  };
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

/** Returns the server that keeps the namespaces of the target, from the options or the target file. */
function namespaceServerOf(
  { namespaceServer: url, namespaceServerCa: ca }: TargetOptions,
  file: TargetFile,
): Pick<Target, 'namespaceServer'> {
  if (url === undefined && ca !== undefined)
    throw new UsageError('--namespace-server-ca requires --namespace-server, which is missing');
  if (url === undefined) return file.namespaceServer === undefined ? {} : { namespaceServer: file.namespaceServer };
  const own = ca === undefined ? {} : { ca: readText(ca, '--namespace-server-ca') };
  return { namespaceServer: { url: originOf(url, '--namespace-server'), ...own } };
}

function readNamespaceServer(file: string, value: unknown): Pick<Target, 'namespaceServer'> {
  if (value === undefined) return {};
  const where = `${file}: namespaceServer`;
  const fields = membersOf(value, ['url', 'ca'], where);
  const url = optionalText(fields.url, `${where}: url`);
  const ca = optionalText(fields.ca, `${where}: ca`);
  if (url === undefined) throw new UsageError(`${where}: url is missing`);
  const own = ca === undefined ? {} : { ca: readText(beside(file, ca), `${where}: ca`) };
  return { namespaceServer: { url: originOf(url, `${where}: url`), ...own } };
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
            certificate: readText(clientCertificate, '--client-certificate'),
            key: readText(clientKey, '--client-key'),
          },
        }),
  };
}

function tokenOf({ token, tokenFile }: TargetOptions): string | undefined {
  if (tokenFile === undefined) return token;
  if (token !== undefined)
    throw new UsageError('--token and --token-file contradict each other: give only one of them');
  const text = readText(tokenFile, '--token-file').trim();
  if (text === '') throw new UsageError(`--token-file: ${tokenFile} is empty`);
  return text;
}

/** The contents of a target file: a part of the target, or a reference to a kubeconfig. */
type TargetFile = Partial<Target> & Pick<TargetOptions, 'kubeconfig' | 'context'>;

/** Reads a target file. Throws UsageError that names the file and the invalid field. */
function readTargetFile(file: string): TargetFile {
  const fields = readYaml(file, '--target');
  const known = [
    'name',
    'url',
    'ca',
    'token',
    'disposable',
    'start',
    'stop',
    'fixtures',
    'nodes',
    'kubeconfig',
    'context',
    'features',
    'namespaceServer',
    ...namingFields,
    'notSupported',
    'deviations',
    'dangerous',
  ];
  const unexpected = Object.keys(fields).find((key) => !known.includes(key));
  if (unexpected !== undefined) {
    throw new UsageError(`${file}: ${unknownField(unexpected, known)}`);
  }
  const ca = optionalText(fields.ca, `${file}: ca`);
  const token = optionalText(fields.token, `${file}: token`);
  const lifecycle = readLifecycle(file, fields);
  const name = optionalText(fields.name, `${file}: name`);
  const url = optionalText(fields.url, `${file}: url`);
  const kubeconfig = optionalText(fields.kubeconfig, `${file}: kubeconfig`);
  const context = optionalText(fields.context, `${file}: context`);
  if (context !== undefined && kubeconfig === undefined)
    throw new UsageError(`${file}: context requires kubeconfig, which is missing`);
  return {
    ...readNaming(file, fields),
    ...(kubeconfig === undefined ? {} : { kubeconfig: beside(file, kubeconfig) }),
    ...(context === undefined ? {} : { context }),
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(ca === undefined ? {} : { ca: readText(beside(file, ca), `${file}: ca`) }),
    credentials: token === undefined ? {} : { staticToken: { token } },
    disposable: fields.disposable === true || lifecycle !== undefined,
    ...readNodes(file, fields.nodes),
    ...readNamespaceServer(file, fields.namespaceServer),
    ...(fields.features === undefined ? {} : { features: readDemanded(fields.features, `${file}: features`) }),
    notSupported: readAbsences(file, fields),
    deviations: checkSometimes(
      declarations(file, 'deviations', fields.deviations, ['requirement', 'reason']) as unknown as Deviation[],
      `${file}: deviations`,
    ),
    ...(fields.dangerous === undefined
      ? {}
      : {
          dangerous: declarations(file, 'dangerous', fields.dangerous, [
            'requirement',
            'reason',
          ]) as unknown as Danger[],
        }),
    ...(lifecycle === undefined ? {} : { lifecycle }),
  };
}

function readNodes(file: string, nodes: unknown): Pick<Target, 'nodes'> {
  if (nodes === undefined) return {};
  if (nodes === 'ours' || nodes === 'theirs' || nodes === 'none') return { nodes };
  throw new UsageError(`${file}: nodes is ours, theirs or none`);
}

function readLifecycle(file: string, { start, stop, fixtures = false }: Fields): Lifecycle | undefined {
  if (typeof fixtures !== 'boolean') throw new UsageError(`${file}: fixtures is true or false`);
  if (start === undefined && stop === undefined) return undefined;
  if (typeof start !== 'string' || typeof stop !== 'string') {
    throw new UsageError(`${file}: start and stop go together and are commands`);
  }
  return { start, stop, fixtures };
}

function readYaml(file: string, option: string): Fields {
  let value: unknown;
  try {
    value = load(readText(file, option));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: not YAML: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
  if (typeof value !== 'object' || value === null) throw new UsageError(`${file}: no fields in it`);
  return value as Fields;
}

const beside = (file: string, path: string): string => (isAbsolute(path) ? path : join(dirname(resolve(file)), path));

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
