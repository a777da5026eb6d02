// The kinds in a target's discovery, in every version of every group.

import { inBatches } from '../../client/backoff.js';
import type { Client } from '../../client/client.js';
import { at, isObject, type Json, type JsonObject, readJson as parseJson } from '../../client/json.js';

interface DiscoveredSubresource {
  readonly kind: string;
  /** The apiVersion of its body, if it is not that of its resource. */
  readonly apiVersion?: string;
  readonly verbs: readonly string[];
}

export interface DiscoveredKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: ReadonlyMap<string, DiscoveredSubresource>;
}

export interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

export const prefixOfVersion = ({ group, version }: GroupVersionName): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** The definitions of custom resources: they name groups on a server that has no list of its groups. */
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Returns every resource in discovery, the groups in the order of the target and their preferred versions first. */
export async function discoverKinds(client: Client): Promise<DiscoveredKind[]> {
  const versions = await groupVersionsOf(client);
  const found = await inBatches(versions, async (version) => {
    const { body } = await readJson(client, prefixOfVersion(version));
    return kindsIn(version, listIn(body, 'resources').filter(isObject));
  });
  return found.flat();
}

/** Reads a path as JSON, whatever type the target gives it: some name their OpenAPI plain text. */
export async function readJson(
  client: Client,
  path: string,
): Promise<{ readonly status: number; readonly body: Json }> {
  const { status, bytes } = await client.send({ method: 'GET', path, headers: { accept: 'application/json' } });
  return { status, body: status === 200 ? parsed(bytes) : null };
}

function parsed(bytes: Buffer): Json {
  try {
    const value: unknown = parseJson(bytes.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the members of a list in a body; empty if there is none. */
export function listIn(body: Json, field: string): readonly Json[] {
  const members = at(body, field);
  return Array.isArray(members) ? members : [];
}

/**
 * Returns the versions of all groups: those in the list of groups or, on a server without such a list, those of its
 * OpenAPI and of the definitions of custom resources.
 */
async function groupVersionsOf(client: Client): Promise<GroupVersionName[]> {
  const core = textsIn(listIn((await readJson(client, '/api')).body, 'versions')).map((version) => ({
    group: '',
    version,
  }));
  const { status, body } = await readJson(client, '/apis');
  const named = status === 200 ? listIn(body, 'groups').flatMap(versionsOfGroup) : await unlistedVersions(client);
  return [...core, ...unique(named)];
}

const textsIn = (values: readonly Json[]): string[] => values.filter((value) => typeof value === 'string');

function versionsOfGroup(group: Json): GroupVersionName[] {
  const preferred = at(group, 'preferredVersion', 'groupVersion');
  const others = listIn(group, 'versions').map((version) => at(version, 'groupVersion'));
  return [preferred, ...others].flatMap((name) => versionNamed(name) ?? []);
}

function versionNamed(name: Json | undefined): GroupVersionName | undefined {
  const [, group, version] = /^([^/]+)\/([^/]+)$/.exec(String(name)) ?? [];
  return group === undefined || version === undefined ? undefined : { group, version };
}

async function unlistedVersions(client: Client): Promise<GroupVersionName[]> {
  const { body: index } = await readJson(client, '/openapi/v3');
  const paths = at(index, 'paths');
  const documented = Object.keys(isObject(paths) ? paths : {}).flatMap(
    (path) => versionNamed(/^apis\/(.*)$/.exec(path)?.[1]) ?? [],
  );
  const { body: definitions } = await readJson(client, definitionsPath);
  const defined = listIn(definitions, 'items').flatMap((definition) => {
    const group = at(definition, 'spec', 'group');
    const versions = at(definition, 'spec', 'versions');
    const served = Array.isArray(versions) ? versions.filter((version) => at(version, 'served') === true) : [];
    return served.flatMap((version) => versionNamed(`${String(group)}/${String(at(version, 'name'))}`) ?? []);
  });
  return [...documented, ...defined];
}

function unique(versions: readonly GroupVersionName[]): GroupVersionName[] {
  return [...new Map(versions.map((version) => [prefixOfVersion(version), version])).values()];
}

function kindsIn({ group, version }: GroupVersionName, entries: readonly JsonObject[]): DiscoveredKind[] {
  const named = entries.filter(({ name, kind }) => typeof name === 'string' && typeof kind === 'string');
  return named.flatMap((entry): DiscoveredKind[] => {
    const {
      name: plural,
      kind,
      singularName,
      namespaced,
    } = entry as { readonly name: string; readonly kind: string } & JsonObject;
    if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(plural) || typeof namespaced !== 'boolean') return [];
    return [
      {
        ...{ group, version, plural, kind, namespaced },
        singular: typeof singularName === 'string' && singularName !== '' ? singularName : kind.toLowerCase(),
        shortNames: textsIn(listIn(entry, 'shortNames')),
        categories: textsIn(listIn(entry, 'categories')),
        verbs: textsIn(listIn(entry, 'verbs')),
        subresources: new Map(named.flatMap((other) => subresourceOf(plural, other))),
      },
    ];
  });
}

function subresourceOf(plural: string, entry: JsonObject): readonly (readonly [string, DiscoveredSubresource])[] {
  const [parent, name, more] = String(entry.name).split('/');
  if (parent !== plural || name === undefined || more !== undefined) return [];
  const { group, version } = entry;
  const apiVersion =
    typeof version === 'string' && version !== '' ? [group, version].filter(Boolean).join('/') : undefined;
  const verbs = textsIn(listIn(entry, 'verbs'));
  return [[name, { kind: String(entry.kind), verbs, ...(apiVersion !== undefined && { apiVersion }) }]];
}
