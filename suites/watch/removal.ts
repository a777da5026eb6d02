// Deletes an object of the run for good, on servers with and without controllers that finish deletes.

import { defined } from '../../matrix/api/index.js';
import { at, isEnding, isObject, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { isHeld, releaseAnyhow } from '../objects/anyhow.js';
import { hadControllers } from '../objects/controllers.js';
import { namespaces } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { sendBody } from '../objects/writes.js';

/** Deletes an object, and removes its finalizers if the object stays because of them. */
export async function remove(
  sandbox: Sandbox,
  made: Pick<CreatedObject, 'resource' | 'name' | 'namespace'>,
): Promise<void> {
  const { resource, name, namespace } = made;
  const path = pathTo(resource, 'delete', namespace, name);
  const query = 'propagationPolicy=Background&gracePeriodSeconds=0';
  const reply = await sandbox.attempt(`delete ${resource.plural}`, 'DELETE', `${path}?${query}`);
  await releaseDeleted(sandbox, made, reply.tryValue());
}

/**
 * Creates an object of the name of one that was removed. Undefined if the server still holds the name, refuses the
 * create, or if a controller has removed the successor with its predecessor.
 */
export async function succeed(
  sandbox: Sandbox,
  { resource, name, namespace }: Pick<CreatedObject, 'resource' | 'name' | 'namespace'>,
): Promise<JsonObject | undefined> {
  const sent = sandbox.body(resource, name, namespace);
  const reply = await sendBody(sandbox, 'POST', pathTo(resource, 'create', namespace), sent);
  const object = reply.tryValue();
  if (reply.status > 299 || !isObject(object)) return undefined;
  const left = await sandbox.current({ resource, name, ...defined({ namespace }) });
  return at(left, 'metadata', 'uid') === at(object, 'metadata', 'uid') ? object : undefined;
}

/** Removes the finalizers of an object that was deleted; `answer` is the response to the delete. */
export async function releaseDeleted(
  sandbox: Sandbox,
  { resource, name, namespace }: Pick<CreatedObject, 'resource' | 'name' | 'namespace'>,
  answer: unknown,
): Promise<void> {
  if (!isObject(answer) || !isEnding(answer)) return;
  const path = pathTo(resource, 'patch', namespace, name);
  if (isHeld(answer)) await releaseAnyhow(sandbox.client, path);
  if (resource.kind !== namespaces.kind || !hasHolders(answer) || (await hadControllers(sandbox))) return;
  // It may fail without harm if a controller does the same.
  await sandbox.client.send({
    method: 'PUT',
    path: `${path}/finalize`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...answer, spec: { finalizers: [] } }),
  });
}

/** Reports whether a namespace has finalizers in its spec. */
function hasHolders(namespace: JsonObject): boolean {
  const finalizers = at(namespace, 'spec', 'finalizers');
  return Array.isArray(finalizers) && finalizers.length > 0;
}
