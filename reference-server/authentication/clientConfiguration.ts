// The client configuration (kubeconfig) of the token webhook: the service, and how to connect (Webhook token review,
// 1).
import { dirname, resolve } from 'node:path';
import { load, YAMLException } from 'js-yaml';
import { OptionError, readOptionFile } from '../optionValues.js';
import { httpsUrl, isObject, type PeerTls } from './peer.js';
import { checkAuthorities, checkPair } from './pem.js';

/** The remote service of the current context, and how to connect to it. */
export interface ClientConfiguration {
  readonly server: URL;
  readonly tls: PeerTls;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that change the connection or its trust. They are refused, because the server would ignore them silently. */
const unsupported: Readonly<Record<'cluster' | 'user', readonly string[]>> = {
  cluster: ['insecure-skip-tls-verify', 'tls-server-name', 'proxy-url'],
  user: ['token', 'tokenFile', 'username', 'password', 'auth-provider', 'exec', 'as'],
};

/**
 * Reads a configuration once. Files in it are relative to its directory; inline data takes precedence over a file.
 * Throws an OptionError that names the option, the file and the mistake, and quotes no content.
 */
export async function readClientConfiguration(option: string, file: string): Promise<ClientConfiguration> {
  const where = `${option}: ${file}`;
  const root = parse(where, await readOptionFile(option, file));
  const current = text(where, root, 'current-context');
  if (current === undefined) throw new OptionError(`${where}: current-context is missing: name a context in it`);
  const context = named(where, root, 'context', current);
  const entry = (kind: 'cluster' | 'user'): Fields => {
    const name = text(where, context, kind);
    if (name === undefined) throw new OptionError(`${where}: the context "${current}" names no ${kind}`);
    const fields = named(where, root, kind, name);
    const field = unsupported[kind].find((key) => fields[key] !== undefined && fields[key] !== false);
    if (field !== undefined) throw new OptionError(`${where}: ${field} is not supported; remove it`);
    return fields;
  };
  const cluster = entry('cluster');
  const user = entry('user');
  const pem = (fields: Fields, key: string) => content(where, dirname(file), fields, key);
  return {
    server: serverOf(where, cluster),
    tls: {
      ...authorityOf(where, await pem(cluster, 'certificate-authority')),
      ...pairOf(where, await pem(user, 'client-certificate'), await pem(user, 'client-key')),
    },
  };
}

function parse(where: string, yaml: string): Fields {
  try {
    const root: unknown = load(yaml);
    if (isObject(root) && (root.kind ?? 'Config') === 'Config' && (root.apiVersion ?? 'v1') === 'v1') return root;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // The message quotes nearby lines, which may contain a key.
    throw new OptionError(`${where}, line ${(error.mark?.line ?? 0) + 1}: ${error.reason}`);
  }
  throw new OptionError(`${where}: no client configuration: give one of apiVersion v1 and kind Config`);
}

/** Returns the entry with a name in the list of its kind, such as `clusters: [{name, cluster: {…}}]`. */
function named(where: string, root: Fields, kind: 'context' | 'cluster' | 'user', name: string): Fields {
  const list = root[`${kind}s`];
  const found = Array.isArray(list) ? list.find((item) => isObject(item) && item.name === name) : undefined;
  if (found === undefined) throw new OptionError(`${where}: there is no ${kind} "${name}" in ${kind}s`);
  const fields: unknown = found[kind] ?? {};
  if (!isObject(fields)) throw new OptionError(`${where}: the ${kind} "${name}" has no fields`);
  return fields;
}

function text(where: string, fields: Fields, key: string): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new OptionError(`${where}: ${key} is not a string`);
  return value;
}

async function content(where: string, folder: string, fields: Fields, key: string): Promise<string | undefined> {
  const data = text(where, fields, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const file = text(where, fields, key);
  return file === undefined ? undefined : await readOptionFile(`${where}: ${key}`, resolve(folder, file));
}

function serverOf(where: string, cluster: Fields): URL {
  const server = text(where, cluster, 'server');
  if (server === undefined) throw new OptionError(`${where}: the cluster has no server: give an https URL`);
  return httpsUrl(`${where}: server`, server);
}

const authorityOf = (where: string, pem: string | undefined): PeerTls =>
  pem === undefined ? {} : { authority: checkAuthorities(`${where}: certificate-authority`, pem) };

function pairOf(where: string, certificate: string | undefined, key: string | undefined): PeerTls {
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined) {
    throw new OptionError(`${where}: client-certificate and client-key go together: give both`);
  }
  checkPair(where, certificate, key);
  return { certificate, key };
}
