// The forms of a watch: its path, the namespace of its objects, its first version, and the writes to its objects.
import { defined, type Operation, type Resource } from '../../matrix/api/index.js';
import type { StreamCall } from '../client/calls.js';
import type { Client } from '../client/client.js';
import { Prerequisite } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { fill, pathTo } from '../client/paths.js';
import type { Stream } from '../client/streams/stream.js';
import { type WatchQuery, watching } from '../client/streams/watches.js';
import type { CreatedObject, MakeOptions, Sandbox } from '../objects/sandbox.js';

/** One way to watch a kind, with a filled-in path. */
export interface WatchForm {
  readonly resource: Resource;
  readonly path: string;
  /** The namespace of the objects; absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** The name of the object of a watch of one object. */
  readonly name: string;
}

/** Fills the path of a watch with the worker's namespace and a new name. */
export async function formOf({ resource, path }: Operation, sandbox: Sandbox): Promise<WatchForm> {
  if (resource === undefined) throw new Prerequisite('a watch without a resource');
  const name = sandbox.name(resource);
  if (!resource.namespaced) return { resource, name, path: fill(path, undefined, name) };
  const namespace = await sandbox.namespace();
  return { resource, name, namespace, path: fill(path, namespace, name) };
}

/** Returns the current version of the collection. */
export async function versionNow(
  sandbox: Sandbox,
  { resource, namespace }: Pick<WatchForm, 'resource' | 'namespace'>,
): Promise<string> {
  const version = at(await sandbox.list(resource, namespace, '?limit=1'), 'metadata', 'resourceVersion');
  if (typeof version !== 'string' || version === '')
    throw new Prerequisite(`a list of ${resource.plural} has no version`);
  return version;
}

/** Watches a form from its current version. */
export async function watchFromNow<T>(
  { client, sandbox }: { readonly client: Client; readonly sandbox: Sandbox },
  form: WatchForm,
  query: WatchQuery,
  read: (stream: Stream) => Promise<T>,
  call: Omit<StreamCall, 'method' | 'path'> = {},
): Promise<T> {
  return watching(client, form.path, { resourceVersion: await versionNow(sandbox, form), ...query }, read, call);
}

/** Creates the object of a form. */
export function makeNamed(
  sandbox: Sandbox,
  { resource, name, namespace }: WatchForm,
  options: MakeOptions = {},
): Promise<CreatedObject> {
  return sandbox.make(resource, { name, ...defined({ namespace }), ...options });
}

/** Changes an object with a merge patch. Returns the response body. */
export async function change(
  sandbox: Sandbox,
  { resource, name, namespace }: CreatedObject,
  patch: JsonObject,
): Promise<JsonObject> {
  const reply = await sandbox.attempt(
    `patch ${resource.plural}`,
    'PATCH',
    pathTo(resource, 'patch', namespace, name),
    patch,
  );
  return reply.value() as JsonObject;
}
