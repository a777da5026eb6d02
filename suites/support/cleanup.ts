// Removes what a run created, and lists what is left of it.
import { type Resource, resourceId, resources } from '../../matrix/api/index.js';
import type { Alias, NotOffered } from '../../matrix/requirements/index.js';
import { aliasFor } from './aliases.js';
import type { Client } from './client.js';
import type { Undeletable } from './deletes.js';
import { at, isObject, itemsOf, type JsonObject } from './json.js';
import { namespaces as namespaceRow } from './related.js';
import { NoAnswer } from './reply.js';
import { namePrefix, runLabel } from './run.js';
import { pathTo } from './scope.js';

const settle = { tries: 20, milliseconds: 50 } as const;

/** Resources whose objects a run can create, without views of another resource's objects. */
function creatable(notOffered: readonly NotOffered[], aliases: readonly Alias[] = []): Resource[] {
  const absent = new Set(notOffered.map(({ capability }) => capability));
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

/**
 * Deletes every object of the run, its namespaces last, and returns the names of what is still there. Only objects
 * whose name starts with the run's prefix, or that stand in a namespace of the run, are touched; none is where the
 * target cannot be trusted to delete what it is told.
 */
export async function cleanUp(
  client: Client,
  runId: string,
  notOffered: readonly NotOffered[],
  undeletable: Undeletable = {},
): Promise<string[]> {
  const kinds = creatable(notOffered, client.target.aliases);
  // What an alias made is deleted where the alias leads.
  client.alias = client.target.aliases?.[0]?.to;
  if (undeletable.objects !== undefined) return leftovers(client, runId, kinds);
  const clusterWide = kinds.filter(({ namespaced, plural }) => !namespaced && plural !== 'namespaces');
  for (const resource of clusterWide) {
    await inBatches(await ownObjects(client, resource, runId), (object) => remove(client, resource, object));
  }
  const spaces = await ownObjects(client, namespaceRow, runId);
  await inBatches(spaces, (space) => remove(client, namespaceRow, space));
  const namespaced = kinds.filter((resource) => resource.namespaced);
  await inBatches(await stillThere(client, spaces), (space) => finishByHand(client, space, namespaced));
  await stillThere(client, spaces);
  client.takeExchanges();
  return leftovers(client, runId, kinds);
}

async function inBatches<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 8) await Promise.all(items.slice(start, start + 8).map(act));
}

/** What of the run is still on the target, as `plural/name`. */
async function leftovers(client: Client, runId: string, kinds: readonly Resource[]): Promise<string[]> {
  const left: string[] = [];
  for (const resource of kinds) {
    for (const object of await ownObjects(client, resource, runId)) left.push(`${resource.plural}/${nameOf(object)}`);
  }
  return left;
}

/** The objects of a resource in all namespaces. */
function everywhere(client: Client, resource: Resource): Promise<JsonObject[]> {
  const across = [...resource.stated, ...resource.unstated].includes('listAll') ? 'listAll' : 'list';
  return listed(client, pathTo(resource, across, undefined));
}

async function ownObjects(client: Client, resource: Resource, runId: string): Promise<JsonObject[]> {
  return (await everywhere(client, resource)).filter(
    (item) => nameOf(item).startsWith(`${namePrefix(runId)}-`) || at(item, 'metadata', 'labels', runLabel) === runId,
  );
}

async function listed(client: Client, path: string): Promise<JsonObject[]> {
  const reply = await client.send({ method: 'GET', path });
  return reply.status === 200 ? itemsOf(reply.tryValue()) : [];
}

/** Deletes one object at once; finalizers that hold it are taken off, because nobody else will. */
async function remove(client: Client, resource: Resource, object: JsonObject, namespace?: string): Promise<void> {
  const path = pathTo(resource, 'delete', namespace, nameOf(object));
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
  const json = { 'content-type': 'application/json' };
  const body = resource.stated.includes('deletePlain') ? {} : { headers: json, body: JSON.stringify(options) };
  const reply = await client.send({ method: 'DELETE', path, ...body });
  const finalizers = at(reply.tryValue(), 'metadata', 'finalizers');
  if (reply.status !== 200 || !Array.isArray(finalizers) || finalizers.length === 0) return;
  const patch = JSON.stringify({ metadata: { finalizers: null } });
  await client.send({
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: patch,
  });
}

/** The namespaces that are still there after a while. */
async function stillThere(client: Client, spaces: readonly JsonObject[]): Promise<JsonObject[]> {
  let left = [...spaces];
  for (let attempt = 0; attempt < settle.tries && left.length > 0; attempt += 1) {
    const names = new Set((await listed(client, pathTo(namespaceRow, 'list', undefined))).map(nameOf));
    left = left.filter((space) => names.has(nameOf(space)));
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, settle.milliseconds));
  }
  return left;
}

/** Empties and finalizes a namespace whose server has no controller that does. */
async function finishByHand(client: Client, space: JsonObject, kinds: readonly Resource[]): Promise<void> {
  const name = nameOf(space);
  for (const resource of kinds) {
    const items = await listed(client, pathTo(resource, 'list', name));
    // who ignores the namespace of a list shows what is not ours
    const own = items.filter((item) => at(item, 'metadata', 'namespace') === name);
    for (const item of own) await remove(client, resource, item, name);
  }
  const path = pathTo(namespaceRow, 'read', undefined, name);
  const reply = await client.send({ method: 'GET', path });
  const object = reply.tryValue();
  if (reply.status !== 200 || !isObject(object)) return;
  const body = JSON.stringify({ ...object, spec: { finalizers: [] } });
  await client.send({ method: 'PUT', path: `${path}/finalize`, headers: { 'content-type': 'application/json' }, body });
}

function nameOf(object: JsonObject): string {
  return String(at(object, 'metadata', 'name') ?? '');
}

/** Cleans up without letting an unreachable target hide how the run went. */
export async function tryCleanUp(...of: Parameters<typeof cleanUp>): Promise<string[]> {
  try {
    return await cleanUp(...of);
  } catch (error) {
    if (error instanceof NoAnswer) return [`unknown: ${error.message}`];
    throw error;
  }
}

/** The ids of the runs that left something on the target, each with how many objects. */
export async function findLeftRuns(client: Client, notOffered: readonly NotOffered[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const resource of creatable(notOffered)) {
    for (const object of await everywhere(client, resource)) {
      const runId = runOf(object);
      if (runId !== undefined) found.set(runId, (found.get(runId) ?? 0) + 1);
    }
  }
  return found;
}

/** The run that made an object, by its label, its name or its namespace. */
function runOf(object: JsonObject): string | undefined {
  const names = [nameOf(object), String(at(object, 'metadata', 'namespace') ?? '')];
  const named = names.flatMap((name) => namePattern.exec(name)?.[1] ?? [])[0];
  return named ?? (String(at(object, 'metadata', 'labels', runLabel) ?? '') || undefined);
}

const namePattern = new RegExp(`^${namePrefix('([0-9a-f]{6})')}-`);
