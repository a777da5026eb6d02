// The forms of a watch: which path, where its objects stand, from which version, and how they go.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { StreamCall } from '../support/calls.js';
import type { Client } from '../support/client.js';
import { Prerequisite } from '../support/expect.js';
import { at, type JsonObject } from '../support/json.js';
import { fill, type Made, type MakeOptions, pathTo, type Scope } from '../support/scope.js';
import type { Stream } from '../support/stream.js';
import { type WatchQuery, watching } from '../support/watching.js';

/** One way of watching a kind, filled in. */
export interface Form {
  readonly resource: Resource;
  readonly path: string;
  /** Where the objects stand; absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** The name of the object that a watch of one object is about. */
  readonly name: string;
}

/** Fills the path of a watch with the worker's namespace and a new name. */
export async function formOf({ resource, path }: Operation, scope: Scope): Promise<Form> {
  if (resource === undefined) throw new Prerequisite('a watch without a resource');
  const name = scope.name(resource);
  if (!resource.namespaced) return { resource, name, path: fill(path, undefined, name) };
  const namespace = await scope.namespace();
  return { resource, name, namespace, path: fill(path, namespace, name) };
}

/** The version that the collection has now. */
export async function versionNow(scope: Scope, { resource, namespace }: Form): Promise<string> {
  const version = at(await scope.list(resource, namespace, '?limit=1'), 'metadata', 'resourceVersion');
  if (typeof version !== 'string' || version === '')
    throw new Prerequisite(`a list of ${resource.plural} has no version`);
  return version;
}

/** Watches a form from now on. */
export async function watchFromNow<T>(
  { client, scope }: { readonly client: Client; readonly scope: Scope },
  form: Form,
  query: WatchQuery,
  read: (stream: Stream) => Promise<T>,
  call: Omit<StreamCall, 'method' | 'path'> = {},
): Promise<T> {
  return watching(client, form.path, { resourceVersion: await versionNow(scope, form), ...query }, read, call);
}

/** Creates the object that a form is about. */
export function makeNamed(scope: Scope, { resource, name, namespace }: Form, options: MakeOptions = {}): Promise<Made> {
  return scope.make(resource, { name, ...(namespace === undefined ? {} : { namespace }), ...options });
}

/** Changes an object by a merge patch; returns the answer. */
export async function change(
  scope: Scope,
  { resource, name, namespace }: Made,
  patch: JsonObject,
): Promise<JsonObject> {
  const reply = await scope.attempt(
    `patch ${resource.plural}`,
    'PATCH',
    pathTo(resource, 'patch', namespace, name),
    patch,
  );
  return reply.value() as JsonObject;
}
