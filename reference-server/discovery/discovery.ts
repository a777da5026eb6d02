// Discovery: the groups, versions and resources, the server's version, and its health.

import type { Socket } from 'node:net';
import { groupBy } from '../../matrix/api/groupBy.js';
import {
  apiVersionOf,
  type GroupVersion,
  type Operation,
  pageOf,
  type Resource,
  resources,
} from '../../matrix/api/index.js';
import type { ApiObject, Codec, Encodable } from '../codecs/codec.js';
import { noSuchPath } from '../errors.js';
import type { Answer, Handler } from '../request.js';
import type { Route } from '../resolver/resolver.js';
import { healthPaths, healthy } from './health.js';
import type { Hints } from './hints.js';
import { type ApiResource, apiResources } from './resources.js';

/** The pages for one table of resources. */
export interface Discovery {
  /** The operations in addition to those of the table: `/api`, `/apis`, `/version` and others. */
  readonly operations: readonly Operation[];
  readonly handler: Handler;
  /** The version of Kubernetes that the pages contain, such as `1.5`. */
  readonly kubeVersion: string;
  readonly paths: readonly string[];
}

/** The version of Kubernetes with the API of this server. */
export const ownKubeVersion = '1.5';

/** Returns the whole version of a server with the API of a version of Kubernetes. */
export const gitVersionOf = (kubeVersion: string): string => `v${kubeVersion}.0+kube-api-conformance`;

/** The page `/version`. Clients choose their requests by the version, so its metadata names this server. */
const versionOf = (kubeVersion: string) => ({
  ...minorOf(kubeVersion),
  gitVersion: gitVersionOf(kubeVersion),
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node-${process.version}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch}`,
});

/** Since this version, servers also say as which version they behave, and with which one they may run beside. */
const emulationSince = 34;

function minorOf(kubeVersion: string): Readonly<Record<string, string>> {
  const [major = '', minor = ''] = kubeVersion.split('.');
  if (Number(minor) < emulationSince) return { major, minor };
  const least = { minCompatibilityMajor: major, minCompatibilityMinor: String(Number(minor) - 1) };
  return { major, minor, emulationMajor: major, emulationMinor: minor, ...least };
}

const versionPath = '/version';

/** A page, or a page that contains the address of the server as the client sees it. */
type Page = Answer | ((address: string) => Answer);

/**
 * Makes the pages for a table of resources. `kubeVersion` is the version that they contain, such as `1.5`. `more` are
 * pages of other handlers, for the list of all paths.
 */
export function createDiscovery(
  table: readonly Resource[] = resources,
  kubeVersion = ownKubeVersion,
  more: readonly string[] = [],
): Discovery {
  const rows = groupBy(table, ({ groupVersion }) => groupVersion);
  const versions = [...rows.keys()];
  const core = versions.filter(({ group }) => group === '');
  const named = groupBy(
    versions.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  const groups = [...named].map(([name, of]) => groupOf(name, of));
  const pages = new Map<string, Page>();
  const page = (path: string, make: () => ApiObject) => pages.set(path, { status: 200, body: constant(make) });

  for (const group of groups) page(`/apis/${group.name}`, () => ({ kind: 'APIGroup', apiVersion: 'v1', ...group }));
  for (const [groupVersion, own] of rows) page(groupVersion.prefix, () => resourceList(groupVersion, own, table));
  page(versionPath, () => versionOf(kubeVersion));
  const addressed = (path: string, objectAt: (address: string) => ApiObject) =>
    pages.set(path, (address) => ({
      status: 200,
      body: { encode: (codec, pretty) => codec.encode(objectAt(address), pretty) },
    }));
  addressed('/api', (address) => apiVersions(core, address));
  addressed('/apis', (address) => {
    const more = kubeVersion === ownKubeVersion ? serverAddresses(address) : {};
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => ({ ...group, ...more })) };
  });
  for (const path of healthPaths) pages.set(path, healthy);
  const paths = lazily(() =>
    [...pages.keys()]
      .filter((path) => path !== '/')
      .concat(more)
      .sort(),
  );
  const listed = lazily(() => JSON.stringify({ paths: paths() }, undefined, 2));
  const list = (status: number): Answer => ({ status, raw: listed(), mediaType: 'application/json' });
  pages.set('/', () => list(200));

  const stated = new Set(versions.map(({ prefix }) => prefix));
  const isPlain = (path: string) => path === '/' || healthPaths.includes(path);
  return {
    get operations() {
      return [...pages.keys()].filter((path) => !stated.has(path)).map((path) => operation(path, isPlain(path)));
    },
    kubeVersion,
    get paths() {
      return paths();
    },
    handler: ({ operation: { path }, raw }) => {
      const page = pages.get(path) ?? list(404);
      return typeof page === 'function' ? page(addressOf(raw.socket)) : page;
    },
  };
}

/** Reports whether a path is a health page, which also supports HEAD. */
export const answersHead = (pathname: string): boolean => healthPaths.includes(pathname);

/** Reports whether a page is an object of the API: all are, except the version. */
export const answersKind = (path: string): boolean => path !== versionPath;

/** Returns the route for an unknown path: a 404 with the list of paths. Throws 404 below `/api` and `/apis`. */
export function missing(pathname: string, hints: Hints): Route {
  if (/^\/apis?(\/|$)/.test(pathname)) throw noSuchPath(hints.of(pathname));
  return { operation: operation(pathname, true), path: {} };
}

/** Returns a function that makes a value when it is called first. */
function lazily<Value extends {}>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function groupOf(name: string, versions: readonly GroupVersion[]) {
  const entries = [...versions]
    .sort((one, other) => versionRank(other) - versionRank(one) || (one.version < other.version ? -1 : 1))
    .map((groupVersion) => ({ groupVersion: apiVersionOf(groupVersion), version: groupVersion.version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

/**
 * Returns the resource without the names that another group before it has too, on servers with later groups: clients
 * warn of a name with two meanings, and show the objects of a category twice.
 */
function named(resource: Resource, table: readonly Resource[]): Resource {
  const { group } = resource.groupVersion;
  if (resource.modern === true || group === '' || !table.some(({ modern }) => modern === true)) return resource;
  const first = firstOf(table).get(resource.plural);
  const isFirst = first === undefined || first.groupVersion.group === group;
  return isFirst ? resource : { ...resource, shortNames: [], categories: [] };
}

const firsts = new WeakMap<readonly Resource[], ReadonlyMap<string, Resource>>();

/** Returns the first resource of each plural outside of the core group. */
function firstOf(table: readonly Resource[]): ReadonlyMap<string, Resource> {
  const known = firsts.get(table);
  if (known !== undefined) return known;
  const named = table.filter(({ groupVersion }) => groupVersion.group !== '').reverse();
  const made = new Map(named.map((resource) => [resource.plural, resource]));
  firsts.set(table, made);
  return made;
}

/** Clients prefer stable versions, the latest first: v2, v1, v1beta1; and names of any other form last. */
export function versionRank({ version }: GroupVersion): number {
  const [found, major = '', stage, minor = ''] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (found === undefined) return -1;
  const stability = stage === undefined ? 2 : stage === 'beta' ? 1 : 0;
  return stability * 10_000 + Number(major) * 100 + Number(minor);
}

function resourceList(groupVersion: GroupVersion, own: readonly Resource[], table: readonly Resource[]): ApiObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf(groupVersion),
    resources: resourcesOf(own, table),
  };
}

/** Returns the entries of a group version: its own resources and their subresources, sorted by name. */
export const resourcesOf = (own: readonly Resource[], table: readonly Resource[]): ApiResource[] =>
  apiResources(
    own.map((resource) => named(resource, table)),
    table,
  );

function apiVersions(core: readonly GroupVersion[], serverAddress: string): ApiObject {
  return {
    kind: 'APIVersions',
    versions: core.map(({ version }) => version),
    ...serverAddresses(serverAddress),
  };
}

/** The address of the server for each client. Servers as old as this API add it to each listed group. */
const serverAddresses = (serverAddress: string) => ({
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

/** The server's address on a connection. */
function addressOf({ localAddress = '', localPort }: Socket): string {
  const host = localAddress.replace(/^::ffff:/, '');
  return `${host.includes(':') ? `[${host}]` : host}:${localPort}`;
}

/** Makes an encodable object that never changes: it is made when it is asked for, and encoded once for each codec. */
function constant(make: () => ApiObject): Encodable {
  const object = lazily(make);
  const encoded = new Map<Codec, Uint8Array>();
  return {
    encode(codec, pretty) {
      if (pretty) return codec.encode(object(), true);
      const bytes = encoded.get(codec) ?? codec.encode(object(), false);
      encoded.set(codec, bytes);
      return bytes;
    },
  };
}

export const groupPage = (group: string): Operation => operation(`/apis/${group}`, false);

const operation = (path: string, isPlain: boolean): Operation => pageOf(path, ['json', 'yaml'], isPlain);
