// Deletes an object of the run for good, on servers with and without controllers that let go of it.

import { at, isObject, type JsonObject } from '../support/json.js';
import { namespaces } from '../support/related.js';
import { type Made, pathTo, type Scope } from '../support/scope.js';

/** Deletes an object; where it stays because something holds it that nobody else takes off, that is taken off. */
export async function remove(scope: Scope, made: Pick<Made, 'resource' | 'name' | 'namespace'>): Promise<void> {
  const { resource, name, namespace } = made;
  const path = pathTo(resource, 'delete', namespace, name);
  const query = 'propagationPolicy=Background&gracePeriodSeconds=0';
  const reply = await scope.attempt(`delete ${resource.plural}`, 'DELETE', `${path}?${query}`);
  await release(scope, made, reply.tryValue());
}

/** Takes off what holds an object that was deleted; `answer` is the object where it stays. */
export async function release(
  scope: Scope,
  { resource, name, namespace }: Pick<Made, 'resource' | 'name' | 'namespace'>,
  answer: unknown,
): Promise<void> {
  if (!isObject(answer) || at(answer, 'metadata', 'deletionTimestamp') === undefined) return;
  const path = pathTo(resource, 'patch', namespace, name);
  if (holders(answer, 'metadata') > 0) await write(scope, 'PATCH', path, { metadata: { finalizers: null } });
  if (resource.kind !== namespaces.kind || holders(answer, 'spec') === 0 || (await someoneFinalizes(scope))) return;
  await write(scope, 'PUT', `${path}/finalize`, { ...answer, spec: { finalizers: [] } });
}

const holders = (object: JsonObject, part: 'metadata' | 'spec'): number => {
  const finalizers = at(object, part, 'finalizers');
  return Array.isArray(finalizers) ? finalizers.length : 0;
};

/** A write that may lose against a controller with the same intention, and no harm done. */
async function write({ client }: Scope, method: string, path: string, body: JsonObject): Promise<void> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  await client.send({ method, path, headers: { 'content-type': type }, body: JSON.stringify(body) });
}

const known = new WeakMap<Scope, Promise<boolean>>();

/** Whether controllers look after namespaces: one that fills them is there, so the one that empties them is too. */
function someoneFinalizes(scope: Scope): Promise<boolean> {
  const found = known.get(scope) ?? lookForController(scope);
  known.set(scope, found);
  return found;
}

async function lookForController(scope: Scope): Promise<boolean> {
  const path = `/api/v1/namespaces/${await scope.namespace()}/serviceaccounts/default`;
  return (await scope.client.send({ method: 'GET', path })).status === 200;
}
