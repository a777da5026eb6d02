// What a patch is sent to: an object of its resource, what is changed of it, and the change in each patch type.
import { type MediaType, mediaTypes, type Operation, type Resource } from '../../matrix/api/index.js';
import { fail } from '../support/expect.js';
import { isObject, type Json, type JsonObject, merge, missing } from '../support/json.js';
import { scaled } from '../support/related.js';
import { sampleOf } from '../support/samples/index.js';
import { fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { isUntouched } from '../support/untouched.js';

/** The object that an operation patches: of its resource, or what its resource scales. */
export function makeFor(operation: Operation, scope: Scope, fields: JsonObject = {}): Promise<Made> {
  return makeWith(scope, patchedResource(operation), fields);
}

/** The resource whose objects an operation patches. */
export const patchedResource = ({ resource }: Operation): Resource =>
  scaled(resource ?? fail('a patch without a resource'));

/** Creates a sample of the resource with these fields over its own. */
export async function makeWith(scope: Scope, resource: Resource, fields: JsonObject): Promise<Made> {
  const namespace = resource.namespaced ? await scope.namespace() : undefined;
  const name = scope.name(resource);
  const sent = merge(scope.body(resource, name, namespace), fields);
  const path = pathTo(resource, 'create', namespace);
  const object = (await scope.attempt(`create ${resource.plural}`, 'POST', path, sent)).tryValue();
  return {
    resource,
    name,
    sent,
    object: isObject(object) ? object : {},
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** The path of the operation on that object. */
export const pathOn = (operation: Operation, { namespace, name }: Pick<Made, 'namespace' | 'name'>): string =>
  fill(operation.path, namespace, name);

/** What a patch of the operation changes: a label, the status, or the replicas. `value` tells one from another. */
export function changeOf({ verb, resource }: Operation, value: string): JsonObject {
  if (verb === 'patchScale') return { spec: { replicas: 3 } };
  if (verb === 'patchStatus') return { status: resource === undefined ? {} : (sampleOf(resource).status ?? {}) };
  return { metadata: { labels: { 'kube-api-conformance/changed': value } } };
}

/** The Content-Type and the body that make a change to what an object is now. */
export function patchBody(
  mediaType: MediaType | undefined,
  change: JsonObject,
  current: unknown,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  if (mediaType === undefined) fail('a patch without a media type');
  const patch = mediaType === 'jsonPatch' ? operationsFor(change, current, '') : change;
  return { headers: { 'content-type': mediaTypes[mediaType] }, body: JSON.stringify(patch) };
}

/** The operations of a JSON patch that make a change. */
function operationsFor(change: JsonObject, current: unknown, path: string): Json[] {
  return Object.entries(change).flatMap(([key, value]): Json[] => {
    const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const before = isObject(current) ? current[key] : undefined;
    if (isObject(value) && isObject(before)) return operationsFor(value, before, pointer);
    return [{ op: 'add', path: pointer, value: value ?? null }];
  });
}

/** The object afterwards is as it was before, without the change that was refused. */
export function unchanged(what: string, before: unknown, after: unknown, change: JsonObject = {}): void {
  isUntouched(before, after, `${what}: the object afterwards`);
  isNotDone(what, before, after, change);
}

/** A change that was refused is not there. */
export function isNotDone(what: string, before: unknown, after: unknown, change: JsonObject): void {
  // What was there before the patch says nothing about it.
  if (missing(before, change) !== undefined && missing(after, change) === undefined)
    fail(`${what}: it was refused, and its change is there`);
}
