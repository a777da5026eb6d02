// Discovery: which groups, versions and resources there are, the version and the health of the server.
import { apiVersionOf, type GroupVersion, type Operation, type Resource, resources } from '../matrix/api/index.js';
import type { ApiObject, Codec } from './codecs/codec.js';
import { apiResources } from './discoveryResources.js';
import { noSuchPath } from './errors.js';
import type { Answer, Encodable, Handler } from './request.js';

/** The pages of one state of the table. */
export interface Discovery {
  /** The operations beside those of the table: `/api`, `/apis`, `/version` and the like. */
  readonly operations: readonly Operation[];
  readonly handler: Handler;
  /** True for the health pages, which answer HEAD too. */
  readonly answersHead: (pathname: string) => boolean;
  /** False for the one page that is no object of the API: the version. */
  readonly answersKind: (path: string) => boolean;
  /** The answer to a path that nobody serves: the list of paths, or below `/api` and `/apis` a Status. */
  readonly missing: (pathname: string) => Answer;
}

/** The interface's own age. */
export const ownKubeVersion = '1.5';

/** What `/version` says: a version that is marked as this server's, since clients choose what they send by it. */
const versionOf = (kubeVersion: string) => ({
  major: kubeVersion.split('.')[0],
  minor: kubeVersion.split('.')[1],
  gitVersion: `v${kubeVersion}.0+kube-api-conformance`,
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node-${process.version}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch}`,
});

const versionPath = '/version';
const health = ['/healthz', '/healthz/ping', '/livez', '/readyz'];

/**
 * Makes the pages for a table of resources; `address` is the host and port that clients reach, `kubeVersion` is what
 * the server says that it is, such as `1.5`.
 */
export function createDiscovery(
  table: readonly Resource[] = resources,
  address: () => string = () => '',
  kubeVersion = ownKubeVersion,
): Discovery {
  const versions = [...new Set(table.map(({ groupVersion }) => groupVersion))];
  const core = versions.filter(({ group }) => group === '');
  const named = versions.filter(({ group }) => group !== '');
  const groups = [...new Set(named.map(({ group }) => group))].map((name) => groupOf(name, named));
  const pages = new Map<string, Answer>();
  const page = (path: string, object: ApiObject) => pages.set(path, { status: 200, body: constant(object) });

  for (const group of groups) page(`/apis/${group.name}`, { kind: 'APIGroup', apiVersion: 'v1', ...group });
  for (const groupVersion of versions) page(groupVersion.prefix, resourceList(groupVersion, table));
  page(versionPath, versionOf(kubeVersion));
  // where the server is reached is known only once it listens
  const late = (path: string, object: () => ApiObject) =>
    pages.set(path, { status: 200, body: { encode: (codec, pretty) => codec.encode(object(), pretty) } });
  late('/api', () => apiVersions(core, address()));
  const reached = () => (kubeVersion === ownKubeVersion ? serverAddresses(address()) : {});
  const listed = () => groups.map((group) => ({ ...group, ...reached() }));
  late('/apis', () => ({ kind: 'APIGroupList', apiVersion: 'v1', groups: listed() }));
  for (const path of health) pages.set(path, { status: 200, raw: 'ok', mediaType: 'text/plain; charset=utf-8' });
  const paths = JSON.stringify({ paths: [...pages.keys()].sort() }, undefined, 2);
  const list = (status: number): Answer => ({ status, raw: paths, mediaType: 'application/json' });
  pages.set('/', list(200));

  const stated = new Set(versions.map(({ prefix }) => prefix));
  const isPlain = (path: string) => path === '/' || health.includes(path);
  return {
    operations: [...pages.keys()].filter((path) => !stated.has(path)).map((path) => operation(path, isPlain(path))),
    handler: ({ operation: { path } }) => pages.get(path) ?? list(404),
    answersHead: (pathname) => health.includes(pathname),
    answersKind: (path) => path !== versionPath,
    missing: (pathname) => {
      if (/^\/apis?(\/|$)/.test(pathname)) throw noSuchPath();
      return list(404);
    },
  };
}

function groupOf(name: string, versions: readonly GroupVersion[]) {
  const entries = versions
    .filter(({ group }) => group === name)
    .map((groupVersion) => ({ groupVersion: apiVersionOf(groupVersion), version: groupVersion.version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

function resourceList(groupVersion: GroupVersion, table: readonly Resource[]): ApiObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf(groupVersion),
    resources: apiResources(table.filter((resource) => resource.groupVersion === groupVersion)),
  };
}

function apiVersions(core: readonly GroupVersion[], serverAddress: string): ApiObject {
  return {
    kind: 'APIVersions',
    versions: core.map(({ version }) => version),
    ...serverAddresses(serverAddress),
  };
}

/** Where each client reaches the server: servers of the interface's own age say it of each listed group too. */
const serverAddresses = (serverAddress: string) => ({
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

/** An object that never changes: encoded once for each codec. */
function constant(object: ApiObject): Encodable {
  const encoded = new Map<Codec, Uint8Array>();
  return {
    encode(codec, pretty) {
      if (pretty) return codec.encode(object, true);
      const bytes = encoded.get(codec) ?? codec.encode(object, false);
      encoded.set(codec, bytes);
      return bytes;
    },
  };
}

function operation(path: string, isPlain: boolean): Operation {
  const groupVersion: GroupVersion = {
    group: '',
    version: '',
    prefix: path,
    responseTypes: ['json', 'yaml'],
    watchTypes: [],
    stated: false,
  };
  return {
    id: `GET ${path}`,
    method: 'GET',
    path,
    verb: 'discover',
    groupVersion,
    query: 'none',
    body: 'none',
    requestTypes: [],
    responseTypes: isPlain ? 'any' : groupVersion.responseTypes,
    success: 'default',
    stated: false,
    section: 'Conventions',
  };
}
