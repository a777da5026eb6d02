// Every kind of which a run can leave objects: the kinds of the interface, and other kinds in a target's discovery.
import { type FoundKind, type Resource, resourceId, resources } from '../../matrix/api/index.js';
import { aliasFor } from '../client/aliases.js';
import { inBatches } from '../client/backoff.js';
import type { Client } from '../client/client.js';
import { at, isObject, type Json } from '../client/json.js';
import { pathTo, segment } from '../client/paths.js';
import type { Alias, NotSupported } from '../requirements/index.js';

/** A kind of the target, with the paths to list and delete its objects. */
export interface TargetKind {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly takesOptions: boolean;
  /** The path of the list of all namespaces. */
  readonly everywhere: string;
  /** Returns the path of the list of one namespace. */
  readonly inNamespace: (namespace: string) => string;
  readonly object: (namespace: string | undefined, name: string) => string;
}

/**
 * Returns the kinds of the interface that the target offers, then the kinds that only its discovery lists. `found`: the
 * kinds beside the interface of which the run created objects.
 */
export async function kindsOfTarget(
  client: Client,
  notSupported: readonly NotSupported[],
  found: readonly Listed[] = [],
): Promise<TargetKind[]> {
  const own = creatable(notSupported, client.target.aliases).map(ofInterface);
  const ofControllers = await others(client, new Set(own.map(({ plural }) => plural)));
  const known = new Set([...own, ...ofControllers].map(({ everywhere }) => everywhere));
  const ofRun = firstVersions(found)
    .map(ofFound)
    .filter(({ everywhere }) => !known.has(everywhere));
  return [...own, ...ofControllers, ...ofRun];
}

/** A kind whose objects can be listed and deleted. */
export type Listed = Pick<FoundKind, 'group' | 'version' | 'plural' | 'namespaced'>;

/** Returns each kind once: all versions of a kind show the same objects. */
function firstVersions(found: readonly Listed[]): Listed[] {
  return [...new Map(found.toReversed().map((kind) => [`${kind.group} ${kind.plural}`, kind])).values()];
}

function ofFound({ group, version, plural, namespaced }: Listed): TargetKind {
  return kindAt(group === '' ? `/api/${version}` : `/apis/${group}/${version}`, plural, namespaced);
}

/** Returns the resources whose objects a run can create, without views of another resource's objects. */
function creatable(notSupported: readonly NotSupported[], aliases: readonly Alias[] = []): Resource[] {
  const absent = new Set(notSupported.map(({ capability }) => capability));
  return resources.filter(
    (resource) =>
      resource.storageVersion === undefined &&
      [...resource.stated, ...resource.unstated].includes('list') &&
      resource.kind !== 'ComponentStatus' &&
      (aliasFor(aliases, { resource }) !== undefined ||
        (!absent.has(`group:${resource.groupVersion.group || 'core'}`) &&
          !absent.has(`resource:${resourceId(resource)}`))),
  );
}

function ofInterface(resource: Resource): TargetKind {
  const { plural, namespaced, stated, unstated } = resource;
  return {
    plural,
    namespaced,
    takesOptions: !stated.includes('deletePlain'),
    everywhere: pathTo(resource, [...stated, ...unstated].includes('listAll') ? 'listAll' : 'list', undefined),
    inNamespace: (namespace) => pathTo(resource, 'list', namespace),
    object: (namespace, name) => pathTo(resource, 'delete', namespace, name),
  };
}

/** The groups of Kubernetes itself: controllers of other groups do not react to the objects of a run. */
const builtIn = /^([a-z]+|[a-z.]+\.k8s\.io)\//;

/** Returns the other kinds in discovery, of which controllers create objects for a run, such as endpoint slices. */
async function others(client: Client, known: ReadonlySet<string>): Promise<TargetKind[]> {
  const versions = list(await read(client, '/apis'), 'groups').flatMap((group) => {
    const version = at(group, 'preferredVersion', 'groupVersion');
    return typeof version === 'string' && builtIn.test(version) ? [version] : [];
  });
  const found = await inBatches(versions, async (version) =>
    list(await read(client, `/apis/${version}`), 'resources').flatMap((row) => kindOf(version, row) ?? []),
  );
  // the same plural in two groups nearly always means the same objects
  const kinds = new Map(found.flat().map((kind) => [kind.plural, kind]));
  return [...kinds.values()].filter(({ plural }) => !known.has(plural));
}

function kindOf(version: string, row: Json): TargetKind | undefined {
  const [name, namespaced, verbs] = [at(row, 'name'), at(row, 'namespaced'), at(row, 'verbs')];
  if (typeof name !== 'string' || !/^[a-z0-9]+$/.test(name) || typeof namespaced !== 'boolean') return undefined;
  if (!Array.isArray(verbs) || !verbs.includes('list') || !verbs.includes('delete')) return undefined;
  return kindAt(`/apis/${version}`, name, namespaced);
}

function kindAt(prefix: string, plural: string, namespaced: boolean): TargetKind {
  const inNamespace = (namespace: string): string => `${prefix}/namespaces/${segment(namespace)}/${plural}`;
  const everywhere = `${prefix}/${plural}`;
  return {
    plural,
    namespaced,
    takesOptions: true,
    everywhere,
    inNamespace,
    object: (namespace, object) =>
      `${namespace === undefined ? everywhere : inNamespace(namespace)}/${segment(object)}`,
  };
}

async function read(client: Client, path: string): Promise<Json> {
  const reply = await client.send({ method: 'GET', path });
  const value = reply.status === 200 ? reply.tryValue() : undefined;
  return isObject(value) ? value : null;
}

function list(value: Json, field: string): readonly Json[] {
  const items = at(value, field);
  return Array.isArray(items) ? items : [];
}
