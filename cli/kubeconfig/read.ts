// Turns a context of a kubeconfig into a target: its address, route and credentials.

import { unknownField } from '../../matrix/api/nearest.js';
import type { Credential, Route, Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { besideFile, readTextFile } from '../files.js';
import { bearerToken, bearerTokenIn } from './bearer.js';
import { type KubeconfigContext, type KubeconfigEntry, optionalText, readContext } from './context.js';
import { type CredentialSource, execPlugin } from './exec.js';
import { keepFresh } from './renewal.js';

/** The part of a target from a kubeconfig. */
export interface FromKubeconfig {
  /** The name of the context. */
  readonly context: string;
  readonly url: string;
  readonly ca?: string;
  /** The file or field that the authority is from. */
  readonly caFrom?: string;
  readonly route?: Route;
  /** The proxy of the target, and the field that names it. */
  readonly proxy?: { readonly url: string; readonly where: string };
  readonly renewal?: string;
  readonly credentials: Target['credentials'];
}

const clusterFields = [
  ...['server', 'certificate-authority', 'certificate-authority-data', 'insecure-skip-tls-verify', 'tls-server-name'],
  ...['proxy-url', 'disable-compression', 'extensions', 'api-version'],
];
const userFields = [
  ...['client-certificate', 'client-certificate-data', 'client-key', 'client-key-data', 'token', 'tokenFile'],
  ...['username', 'password', 'exec', 'extensions'],
];
/** Unsupported fields of a user, with a remedy. */
const refused: Readonly<Record<string, string>> = {
  as: 'impersonation is not supported; give the credentials of that user',
  'auth-provider': 'removed from Kubernetes; use an exec plugin, or give --token',
};
const impersonation = ['as', 'as-uid', 'as-groups', 'as-user-extra'];

/** The interval of checks of a token file, in milliseconds. */
const tokenFileInterval = 10_000;

/**
 * Reads a context of a kubeconfig, or of several separated by the path delimiter. Throws UsageError for a missing,
 * malformed or unsupported field: one line that names the file and the field. With `withUser` false, only the cluster
 * is read. `where`: the option, variable or field that names the file.
 */
export function readKubeconfig(
  list: string,
  wanted: string | undefined,
  withUser = true,
  where = '--kubeconfig',
): FromKubeconfig {
  const context = readContext(list, wanted, where);
  const { cluster, user } = context;
  checkFields(cluster, 'cluster', clusterFields);
  if (withUser) checkFields(user, 'user', userFields);
  const server = optionalText(cluster.fields.server, `${cluster.file}: server`) ?? '';
  if (server === '') throw new UsageError(`${cluster.file}: the cluster of the context ${context.name} has no server`);
  const ca = dataOf(cluster, 'certificate-authority');
  const route = routeOf(cluster, ca);
  const proxy = optionalText(cluster.fields['proxy-url'], `${cluster.file}: proxy-url`) ?? '';
  const credentials = withUser ? credentialsOf(user) : {};
  // As kubectl reads host:port.
  const usesTls = ca !== undefined || route?.insecure === true || credentials.clientCertificate !== undefined;
  const url = server.includes('://') ? server : `${usesTls ? 'https' : 'http'}://${server}`;
  const source = withUser ? sourceOf(context, ca) : undefined;
  return {
    context: context.name,
    url,
    ...(ca === undefined ? {} : { ca, caFrom: placeOf(cluster, 'certificate-authority') }),
    ...(route === undefined ? {} : { route }),
    ...(proxy === '' ? {} : { proxy: { url: proxy, where: `${cluster.file}: proxy-url` } }),
    ...(source === undefined ? {} : { renewal: keepFresh(source) }),
    credentials,
  };
}

function checkFields({ file, fields }: KubeconfigEntry, what: string, known: readonly string[]): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === '' || known.includes(name)) continue;
    const why = refused[impersonation.includes(name) ? 'as' : name];
    if (why !== undefined) throw new UsageError(`${file}: ${what}: ${name}: ${why}`);
    throw new UsageError(`${file}: ${what}: ${unknownField(name, known)}`);
  }
}

function routeOf({ file, fields }: KubeconfigEntry, ca: string | undefined): Route | undefined {
  const insecure = fields['insecure-skip-tls-verify'];
  if (insecure !== undefined && typeof insecure !== 'boolean')
    throw new UsageError(`${file}: insecure-skip-tls-verify is true or false`);
  if (insecure === true && ca !== undefined)
    throw new UsageError(
      `${file}: insecure-skip-tls-verify and certificate-authority contradict each other: remove one of them`,
    );
  const serverName = optionalText(fields['tls-server-name'], `${file}: tls-server-name`) ?? '';
  const route: Route = {
    ...(insecure === true && { insecure: true as const }),
    ...(serverName !== '' && { serverName }),
  };
  return Object.keys(route).length === 0 ? undefined : route;
}

function credentialsOf(user: KubeconfigEntry): Target['credentials'] {
  const { file, fields } = user;
  const field = (name: string): string | undefined => optionalText(fields[name], `${file}: ${name}`);
  const [token, username] = [field('token'), field('username')];
  const [certificate, key] = [dataOf(user, 'client-certificate'), dataOf(user, 'client-key')];
  if ((certificate === undefined) !== (key === undefined))
    throw new UsageError(`${file}: client-certificate and client-key go together: give both`);
  const basic: Credential = { username: username ?? '', password: field('password') ?? '' };
  return {
    ...(token === undefined || token === '' ? {} : { staticToken: { token: bearerToken(token, `${file}: token`) } }),
    ...(username === undefined || username === '' ? {} : { staticPassword: basic }),
    ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
  };
}

/** Returns the source of credentials that may change during a run. */
function sourceOf({ cluster, user }: KubeconfigContext, ca: string | undefined): CredentialSource | undefined {
  const { file, fields } = user;
  const tokenFile = optionalText(fields.tokenFile, `${file}: tokenFile`) ?? '';
  if (fields.exec !== undefined && fields.exec !== null) {
    if (typeof fields.exec !== 'object') throw new UsageError(`${file}: exec: must be an object`);
    const plugin: KubeconfigEntry = { file, fields: fields.exec as KubeconfigEntry['fields'] };
    return execPlugin(plugin, clusterInfo(cluster, ca));
  }
  if (tokenFile === '') return undefined;
  const path = besideFile(file, tokenFile);
  const now = () => {
    const token = bearerTokenIn(path, `${file}: tokenFile`);
    return { credential: { token }, until: Date.now() + 2 * tokenFileInterval };
  };
  return { now, again: async () => now() };
}

/** Returns the cluster information for plugins. An extension has the configuration for them. */
function clusterInfo({ fields }: KubeconfigEntry, ca: string | undefined) {
  const extensions: unknown = fields.extensions;
  const rows: readonly unknown[] = Array.isArray(extensions) ? extensions : [];
  const own = rows.find(
    (row) => (row as KubeconfigEntry['fields'] | null)?.name === 'client.authentication.k8s.io/exec',
  );
  const config = (own as KubeconfigEntry['fields'] | undefined)?.extension;
  return {
    server: String(fields.server),
    ...(fields['tls-server-name'] ? { 'tls-server-name': fields['tls-server-name'] } : {}),
    ...(fields['insecure-skip-tls-verify'] === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(fields['proxy-url'] ? { 'proxy-url': fields['proxy-url'] } : {}),
    ...(config === undefined ? {} : { config }),
  };
}

/** Returns the data in the file itself, or in the file that it names. */
function dataOf({ file, fields }: KubeconfigEntry, key: string): string | undefined {
  const inline = optionalText(fields[`${key}-data`], `${file}: ${key}-data`) ?? '';
  if (inline !== '') return decoded(inline, `${file}: ${key}-data`);
  const path = optionalText(fields[key], `${file}: ${key}`) ?? '';
  return path === '' ? undefined : readTextFile(besideFile(file, path), `${file}: ${key}`);
}

/** Returns where the data of a field is from. */
function placeOf({ file, fields }: KubeconfigEntry, key: string): string {
  return fields[`${key}-data`] ? `${file}: ${key}-data` : `${file}: ${key}`;
}

/** Decodes base64, which may have line breaks. Throws UsageError for any other text: Node.js would skip what is none. */
function decoded(text: string, where: string): string {
  const plain = text.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) throw new UsageError(`${where}: not base64: give PEM as base64`);
  return Buffer.from(plain, 'base64').toString('utf8');
}
