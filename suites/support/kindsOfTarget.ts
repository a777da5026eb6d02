// Every kind of which a run can leave objects: those of the interface, and what else a target's discovery lists.
import { type Resource, resourceId, resources } from '../../matrix/api/index.js';
import type { Alias, NotSupported } from '../../matrix/requirements/index.js';
import { aliasFor } from './aliases.js';
import { inBatches } from './batches.js';
import type { Client } from './client.js';
import { at, isObject, type Json } from './json.js';
import { pathTo } from './scope.js';

/** A kind of the target, as far as objects are looked for and deleted. */
export interface TargetKind {
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether a delete takes options. */
  readonly takesOptions: boolean;
  /** The path of the list of all objects. */
  readonly everywhere: string;
  /** The path of the list of one namespace. */
  readonly inNamespace: (namespace: string) => string;
  readonly object: (namespace: string | undefined, name: string) => string;
}

/** The kinds of the interface that the target offers, then those that only its discovery knows. */
export async function kindsOfTarget(client: Client, notSupported: readonly NotSupported[]): Promise<TargetKind[]> {
  const own = creatable(notSupported, client.target.aliases).map(ofInterface);
  return [...own, ...(await others(client, new Set(own.map(({ plural }) => plural))))];
}

/** Resources whose objects a run can create, without views of another resource's objects. */
function creatable(notSupported: readonly NotSupported[], aliases: readonly Alias[] = []): Resource[] {
  const absent = new Set(notSupported.map(({ capability }) => capability));
  return resources.filter(
    (resource) =>
      resource.sharedWith === undefined &&
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

/** The groups of Kubernetes itself: controllers of others know nothing of the run. */
const builtIn = /^([a-z]+|[a-z.]+\.k8s\.io)\//;

/** What discovery lists beside: controllers make such objects of the run's, as endpoint slices of its services. */
async function others(client: Client, known: ReadonlySet<string>): Promise<TargetKind[]> {
  const versions = list(await read(client, '/apis'), 'groups').flatMap((group) => {
    const version = at(group, 'preferredVersion', 'groupVersion');
    return typeof version === 'string' && builtIn.test(version) ? [version] : [];
  });
  const found = await inBatches(versions, async (version) =>
    list(await read(client, `/apis/${version}`), 'resources').flatMap((row) => kindOf(version, row) ?? []),
  );
  // the same plural in two groups is nearly always the same objects
  const kinds = new Map(found.flat().map((kind) => [kind.plural, kind]));
  return [...kinds.values()].filter(({ plural }) => !known.has(plural));
}

function kindOf(version: string, row: Json): TargetKind | undefined {
  const [name, namespaced, verbs] = [at(row, 'name'), at(row, 'namespaced'), at(row, 'verbs')];
  if (typeof name !== 'string' || !/^[a-z0-9]+$/.test(name) || typeof namespaced !== 'boolean') return undefined;
  if (!Array.isArray(verbs) || !verbs.includes('list') || !verbs.includes('delete')) return undefined;
  const inNamespace = (namespace: string): string => `/apis/${version}/namespaces/${namespace}/${name}`;
  const everywhere = `/apis/${version}/${name}`;
  return {
    plural: name,
    namespaced,
    takesOptions: true,
    everywhere,
    inNamespace,
    object: (namespace, object) => `${namespace === undefined ? everywhere : inNamespace(namespace)}/${object}`,
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
