// The target of a patch: an object of its resource, the changed field, and the change in each patch type.
import { defined, type MediaType, mediaTypes, type Operation, type Resource } from '../../matrix/api/index.js';
import { fail } from '../client/expect.js';
import { isObject, type Json, type JsonObject, merge, missing } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { scaled } from '../objects/related.js';
import { sampleOf } from '../objects/samples/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';

/** Creates the object that an operation patches: of its resource, or of the resource that it scales. */
export function makeFor(operation: Operation, sandbox: Sandbox, fields: JsonObject = {}): Promise<CreatedObject> {
  return makeWith(sandbox, patchedResource(operation), fields);
}

/** Returns the resource whose object changes: a version that only scales has no objects of its own. */
export const patchedResource = (operation: Operation): Resource =>
  operation.verb === 'patchScale' ? scaled(resourceOf(operation)) : resourceOf(operation);

/** Creates a sample of the resource, merged with these fields. */
export async function makeWith(sandbox: Sandbox, resource: Resource, fields: JsonObject): Promise<CreatedObject> {
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const name = sandbox.name(resource);
  const sent = merge(sandbox.body(resource, name, namespace), fields);
  const path = pathTo(resource, 'create', namespace);
  const object = (await sandbox.attempt(`create ${resource.plural}`, 'POST', path, sent)).tryValue();
  return {
    resource,
    name,
    sent,
    object: isObject(object) ? object : {},
    ...defined({ namespace }),
  };
}

export const pathOn = (operation: Operation, { namespace, name }: Pick<CreatedObject, 'namespace' | 'name'>): string =>
  fill(operation.path, namespace, name);

/** Returns the change of a patch: a label, the status, or the replicas. `value` is the value of the label. */
export function changeOf({ verb, resource }: Operation, value: string): JsonObject {
  if (verb === 'patchScale') return { spec: { replicas: 3 } };
  if (verb === 'patchStatus') return { status: resource === undefined ? {} : (sampleOf(resource).status ?? {}) };
  return { metadata: { labels: { 'kube-api-conformance/changed': value } } };
}

/** The lists of the samples that a strategic merge patch merges by a key, as the cases of lists do. */
const keyedLists = [
  ['ports'],
  ...['containers', 'volumes', 'imagePullSecrets'].map((list) => ['template', 'spec', list]),
];

/**
 * Returns the same with what a replace of the sample changes in the object, so that each field is patched. A kind that
 * only the target knows gets its label alone: no schema says whether its spec may change.
 */
export function wholeChangeOf(operation: Operation, mediaType: MediaType | undefined, value: string): JsonObject {
  const { verb, resource } = operation;
  const change = changeOf(operation, value);
  if (verb !== 'patch' || resource === undefined || resource.found !== undefined) return change;
  const { replaced } = sampleOf(resource);
  const { spec } = replaced;
  if (mediaType !== 'strategicMergePatch' || !isObject(spec)) return merge(replaced, change);
  return merge({ ...replaced, spec: keyedLists.reduce(without, spec) }, change);
}

/** Returns an object without the member at a path. */
function without(object: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const { [key]: inner, ...others } = object;
  if (rest.length === 0 || inner === undefined) return others;
  return isObject(inner) ? { ...others, [key]: without(inner, rest) } : object;
}

/** Returns the Content-Type and the body that make a change to the current object: undefined removes a member. */
export function patchBody(
  mediaType: MediaType | undefined,
  change: JsonObject,
  current: unknown,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  if (mediaType === undefined) fail('a patch without a media type');
  const headers = { 'content-type': mediaTypes[mediaType] };
  if (mediaType === 'jsonPatch') return { headers, body: JSON.stringify(operationsFor(change, current, '')) };
  return { headers, body: JSON.stringify(change, (_, value: unknown) => (value === undefined ? null : value)) };
}

/** Returns the operations of a JSON patch that make a change. */
function operationsFor(change: JsonObject, current: unknown, path: string): Json[] {
  return Object.entries(change).flatMap(([key, value]): Json[] => {
    const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const before = isObject(current) ? current[key] : undefined;
    if (isObject(value) && isObject(before)) return operationsFor(value, before, pointer);
    if (value === undefined) return before === undefined ? [] : [{ op: 'remove', path: pointer }];
    return [{ op: 'add', path: pointer, value }];
  });
}

/** Throws Failure unless the object is unchanged, without the change that was refused. */
export function unchanged(what: string, before: unknown, after: unknown, change: JsonObject = {}): void {
  isUnchanged(before, after, `${what}: the object afterwards`);
  isNotApplied(what, before, after, change);
}

/** Throws Failure if the object has a change that was refused. */
export function isNotApplied(what: string, before: unknown, after: unknown, change: JsonObject): void {
  // A value that existed before the patch shows nothing.
  if (missing(before, change) !== undefined && missing(after, change) === undefined)
    fail(`${what}: it was refused, and its change is there`);
}
