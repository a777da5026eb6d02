// How the deletion chapter deletes: options in a body and in the query, objects that nothing holds, finalizers.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { Client } from '../support/client.js';
import { fail } from '../support/expect.js';
import { at, isObject, type JsonObject, merge } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { fill, type Made, type MakeOptions, type Scope } from '../support/scope.js';

/** What a performer returns. */
export type RecordOf<P extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<P>>;

/** A delete as it is sent: `body` as text, or `options` as JSON; `query` with its question mark. */
export interface Deletion {
  readonly body?: string;
  readonly options?: JsonObject;
  readonly type?: string;
  readonly query?: string;
}

export const held = 'kube-api-conformance/held';
export const group = 'kube-api-conformance/group';

/** The resource of an operation. */
export function resourceOf({ resource }: Operation): Resource {
  return resource ?? fail('a delete without a resource');
}

/** Delete options of v1 with those fields. */
export const optionsOf = (fields: JsonObject = {}): JsonObject => ({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  ...fields,
});

/** Sends a delete to a path. */
export function sendDelete(
  client: Client,
  path: string,
  { body, options, type = 'application/json', query = '' }: Deletion,
): Promise<Reply> {
  const text = body ?? (options && JSON.stringify(options));
  return client.send({
    method: 'DELETE',
    path: path + query,
    ...(text === undefined ? {} : { headers: { 'content-type': type }, body: text }),
  });
}

/** Sends a delete of an object. */
export function remove(client: Client, operation: Operation, made: Made, deletion: Deletion = {}): Promise<Reply> {
  return sendDelete(client, fill(operation.path, made.namespace, made.name), deletion);
}

/** The options, unless the operation declares no body. */
export function bodyFor({ body }: Operation, options: JsonObject): Deletion {
  return body === 'options' ? { options } : {};
}

/** The finalizers of an object. */
export function finalizersOf(object: unknown): readonly string[] {
  const finalizers = at(object, 'metadata', 'finalizers');
  return Array.isArray(finalizers) ? finalizers.map(String) : [];
}

/** The time at which an object's deletion began or ends; undefined where nobody deleted it. */
export function endOf(object: unknown): string | undefined {
  const end = at(object, 'metadata', 'deletionTimestamp');
  return typeof end === 'string' ? end : undefined;
}

/** Replaces the object by a change of what it is now. */
export async function rewrite(scope: Scope, made: Made, change: (object: JsonObject) => JsonObject): Promise<Reply> {
  return scope.put({ ...made, object: (await scope.current(made)) ?? made.object }, change);
}

/** Replaces the finalizers of an object. */
export function setFinalizers(scope: Scope, made: Made, finalizers: readonly string[]): Promise<Reply> {
  return rewrite(scope, made, (object) => merge(object, { metadata: { finalizers } }));
}

/** Creates an object that nothing holds: finalizers that the server gave it are taken away. */
export async function makeLoose(scope: Scope, resource: Resource, options: MakeOptions = {}): Promise<Made> {
  const made = await scope.make(resource, options);
  if (finalizersOf(made.object).length === 0) return made;
  const reply = await setFinalizers(scope, made, []);
  const object = reply.tryValue();
  return isObject(object) && reply.status === 200 ? { ...made, object } : made;
}

/** Whether the same object is there, and nobody deletes it. */
export function stays(made: Made, after: JsonObject | undefined): boolean {
  return at(after, 'metadata', 'uid') === at(made.object, 'metadata', 'uid') && endOf(after) === undefined;
}
