// The deletes of this chapter: options in a body and in the query, objects without finalizers.

import { defined, type Operation, type Resource } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import type { Client } from '../client/client.js';
import { encodeBody } from '../client/decoders.js';
import { at, isEnding, isObject, type JsonObject, merge } from '../client/json.js';
import { fill } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import type { CreatedObject, MakeOptions, Sandbox } from '../objects/sandbox.js';

/** The content of a delete: `body` as text, or `options` as JSON; `query` with its question mark. */
export interface Deletion {
  readonly body?: string;
  readonly options?: JsonObject;
  readonly type?: string;
  readonly query?: string;
  readonly over?: Call['over'];
}

export const held = 'kube-api-conformance/held';
/** Returns DeleteOptions of v1 with these fields. */
export const optionsOf = (fields: JsonObject = {}): JsonObject => ({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  ...fields,
});

/** Returns options as a body in YAML. */
export const inYaml = (options: JsonObject): Deletion => ({
  body: String(encodeBody('yaml', options)),
  type: 'application/yaml',
});

export function sendDelete(
  client: Client,
  path: string,
  { body, options, type = 'application/json', query = '', over }: Deletion,
): Promise<Reply> {
  const text = body ?? (options && JSON.stringify(options));
  return client.send({
    method: 'DELETE',
    path: path + query,
    ...(text === undefined ? {} : { headers: { 'content-type': type }, body: text, ...defined({ over }) }),
  });
}

/** Sends a delete of an object. */
export function remove(
  client: Client,
  operation: Operation,
  made: CreatedObject,
  deletion: Deletion = {},
): Promise<Reply> {
  return sendDelete(client, fill(operation.path, made.namespace, made.name), deletion);
}

/** Returns the options as a body, unless the operation declares no body. */
export function bodyFor({ body }: Operation, options: JsonObject): Deletion {
  return body === 'options' ? { options } : {};
}

export function finalizersOf(object: unknown): readonly string[] {
  const finalizers = at(object, 'metadata', 'finalizers');
  return Array.isArray(finalizers) ? finalizers.map(String) : [];
}

/** Replaces an object with a change of its current state. */
export async function rewrite(
  sandbox: Sandbox,
  made: CreatedObject,
  change: (object: JsonObject) => JsonObject,
): Promise<Reply> {
  return sandbox.put({ ...made, object: (await sandbox.current(made)) ?? made.object }, change);
}

/** Replaces the finalizers of an object. */
export function setFinalizers(sandbox: Sandbox, made: CreatedObject, finalizers: readonly string[]): Promise<Reply> {
  return rewrite(sandbox, made, (object) => merge(object, { metadata: { finalizers } }));
}

/** Creates an object without finalizers: finalizers that the server set are removed. */
export async function makeWithoutFinalizers(
  sandbox: Sandbox,
  resource: Resource,
  options: MakeOptions = {},
): Promise<CreatedObject> {
  const made = await sandbox.make(resource, options);
  if (finalizersOf(made.object).length === 0) return made;
  const reply = await setFinalizers(sandbox, made, []);
  const object = reply.tryValue();
  return isObject(object) && reply.status === 200 ? { ...made, object } : made;
}

/** Reports whether the same object exists and is not being deleted. */
export function stays(made: CreatedObject, after: JsonObject | undefined): boolean {
  return at(after, 'metadata', 'uid') === at(made.object, 'metadata', 'uid') && !isEnding(after);
}
