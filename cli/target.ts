// Resolves what the user pointed at (a URL, a kubeconfig, a target file) to a target.
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import type { Credential, Deviation, Lifecycle, NotOffered, Target } from '../matrix/requirements/index.js';
import { itemLines } from './declarations.js';
import { checkSometimes, namingFields, readNaming, usualNames } from './targetFields.js';
import { UsageError } from './usageError.js';

/** What `run` was told about its target. */
export interface TargetOptions {
  readonly url?: string;
  readonly ca?: string;
  readonly token?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly target?: string;
  readonly disposable?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The target that the options describe. A target file gives everything but what `--url`, `--ca` and `--token` override;
 * the url of a managed target is known only once it is started. Throws UsageError with what to do.
 */
export function resolveTarget(options: TargetOptions): Target {
  const file = options.target === undefined ? {} : readTargetFile(options.target);
  const config = options.kubeconfig ?? file.kubeconfig;
  const kubeconfig = config === undefined ? {} : readKubeconfig(config, options.context ?? file.context);
  const url = options.url ?? kubeconfig.url ?? file.url ?? '';
  if (url === '' && file.lifecycle === undefined) {
    throw new UsageError('no target: give --url https://host:port, --kubeconfig FILE, or --target FILE');
  }
  const ca = options.ca === undefined ? (kubeconfig.ca ?? file.ca) : readText(options.ca, '--ca');
  const disposable = options.disposable ?? file.disposable ?? false;
  return {
    vendor: file.vendor ?? usualNames.vendor,
    domains: file.domains ?? usualNames.domains,
    name: file.name ?? (url === '' ? 'target' : hostOf(url)),
    url: url === '' ? '' : originOf(url),
    ...(ca === undefined ? {} : { ca }),
    credentials: { ...file.credentials, ...kubeconfig.credentials, ...ownCredentials(options) },
    notOffered: file.notOffered ?? [],
    deviations: file.deviations ?? [],
    disposable,
    ...(file.nodes === undefined ? {} : { nodes: file.nodes }),
    ...(file.aliases === undefined ? {} : { aliases: file.aliases }),
    ...(file.images === undefined ? {} : { images: file.images }),
    ...(file.lifecycle === undefined || options.url !== undefined || options.kubeconfig !== undefined
      ? {}
      : { lifecycle: file.lifecycle }),
  };
}

function ownCredentials(options: TargetOptions): Target['credentials'] {
  const { token, clientCertificate, clientKey } = options;
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

/** What a target file gives: a part of the target, or where a kubeconfig has it. */
type TargetFile = Partial<Target> & Pick<TargetOptions, 'kubeconfig' | 'context'>;

/** Reads a target file. Throws UsageError naming the file and the field that is wrong. */
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
    ...namingFields,
    'notOffered',
    'deviations',
  ];
  const strange = Object.keys(fields).find((key) => !known.includes(key));
  if (strange !== undefined) throw new UsageError(`${file}: unknown field ${strange}; known are ${known.join(', ')}`);
  const ca = optionalText(fields.ca, `${file}: ca`);
  const token = optionalText(fields.token, `${file}: token`);
  const lifecycle = readLifecycle(file, fields);
  const name = optionalText(fields.name, `${file}: name`);
  const url = optionalText(fields.url, `${file}: url`);
  const kubeconfig = optionalText(fields.kubeconfig, `${file}: kubeconfig`);
  const context = optionalText(fields.context, `${file}: context`);
  if (context !== undefined && kubeconfig === undefined)
    throw new UsageError(`${file}: context goes with kubeconfig, which is missing`);
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
    notOffered: declarations(file, 'notOffered', fields.notOffered, [
      'capability',
      'reason',
    ]) as unknown as NotOffered[],
    deviations: checkSometimes(
      declarations(file, 'deviations', fields.deviations, ['requirement', 'reason']) as unknown as Deviation[],
      `${file}: deviations`,
    ),
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

/** The rows of a list of declarations, each with the line where it stands. */
function declarations(file: string, list: string, value: unknown, required: readonly string[]): Fields[] {
  if (value === undefined || value === null) return [];
  const where = `${file}: ${list}`;
  if (!Array.isArray(value)) throw new UsageError(`${where}: a list is needed`);
  const lines = itemLines(readText(file, '--target'), list);
  return value.map((row: unknown, index) => {
    const fields = (row ?? {}) as Fields;
    const lack = required.find(
      (key) => typeof fields[key] !== 'string' && !(key === 'requirement' && isTexts(fields[key])),
    );
    if (lack !== undefined) throw new UsageError(`${where}[${index}]: ${lack} is missing`);
    if (!isTexts(fields.subject)) optionalText(fields.subject, `${where}[${index}]: subject`);
    const link = optionalText(fields.link, `${where}[${index}]: link`);
    if (link !== undefined && !/^https?:\/\/./.test(link)) {
      throw new UsageError(`${where}[${index}]: link: write it as https://…`);
    }
    const { capability } = fields;
    if (typeof capability === 'string' && !/^(group|resource|operation|mediaType|mechanism|nodes):./.test(capability)) {
      throw new UsageError(
        `${where}[${index}]: ${capability} is no capability; write group:, resource:, operation:, mediaType:, ` +
          `mechanism: or nodes: and its name`,
      );
    }
    const line = lines[index];
    return line === undefined ? fields : { ...fields, at: `${file}:${line}` };
  });
}

interface FromKubeconfig {
  readonly url?: string;
  readonly ca?: string;
  readonly credentials?: Target['credentials'];
}

/** Reads the cluster and the user of a kubeconfig's context, files or inline data. */
function readKubeconfig(file: string, context: string | undefined): FromKubeconfig {
  const config = readYaml(file, '--kubeconfig');
  const wanted = context ?? optionalText(config['current-context'], `${file}: current-context`);
  if (wanted === undefined) throw new UsageError(`${file}: no current-context; name one with --context`);
  const chosen = entry(config, 'contexts', wanted, 'context', file);
  const cluster = entry(config, 'clusters', String(chosen.cluster), 'cluster', file);
  const user = entry(config, 'users', String(chosen.user), 'user', file);
  const data = (fields: Fields, key: string): string | undefined => {
    const inline = optionalText(fields[`${key}-data`], `${file}: ${key}-data`);
    if (inline !== undefined) return Buffer.from(inline, 'base64').toString('utf8');
    const path = optionalText(fields[key], `${file}: ${key}`);
    return path === undefined ? undefined : readText(beside(file, path), `${file}: ${key}`);
  };
  const ca = data(cluster, 'certificate-authority');
  const certificate = data(user, 'client-certificate');
  const key = data(user, 'client-key');
  const basic: Credential = { username: String(user.username), password: String(user.password ?? '') };
  return {
    url: optionalText(cluster.server, `${file}: server`) ?? '',
    ...(ca === undefined ? {} : { ca }),
    credentials: {
      ...(typeof user.token === 'string' ? { staticToken: { token: user.token } } : {}),
      ...(typeof user.username === 'string' ? { staticPassword: basic } : {}),
      ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
    },
  };
}

function entry(config: Fields, list: string, name: string, field: string, file: string): Fields {
  const found = (Array.isArray(config[list]) ? (config[list] as Fields[]) : []).find((item) => item?.name === name);
  const value = found?.[field];
  if (typeof value !== 'object' || value === null) throw new UsageError(`${file}: ${list} has no ${name}`);
  return value as Fields;
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

function readText(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}

/** Whether it is a list of texts with something in it. */
function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function optionalText(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new UsageError(`${where}: text is needed`);
  return value;
}

const beside = (file: string, path: string): string => (isAbsolute(path) ? path : join(dirname(resolve(file)), path));

function originOf(url: string): string {
  try {
    const { protocol, origin, pathname } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') throw new UsageError(`--url: ${url} is not http or https`);
    return origin + (pathname === '/' ? '' : pathname.replace(/\/$/, ''));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--url: ${url} is not a URL; write it as https://host:port`);
  }
}

const hostOf = (url: string): string => new URL(originOf(url)).host;
