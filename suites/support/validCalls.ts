// For every operation that answers one body: a call that must succeed, and how its effect is seen.
import type { Operation, Verb } from '../../matrix/api/index.js';
import { type Build, changed, mergePatch, on, shows, type ValidCall, withLabel } from './callParts.js';
import type { Client } from './client.js';
import { encode, type ObjectType } from './decoders.js';
import { holds, Prerequisite } from './expect.js';
import { at, isObject, itemsOf, type JsonObject } from './json.js';
import type { Reply } from './reply.js';
import { sampleOf } from './samples/index.js';
import { conflicts, fill, type Scope } from './scope.js';
import {
  bind,
  finalize,
  patchScale,
  patchStatus,
  readScale,
  replaceScale,
  replaceStatus,
  rollback,
} from './subresourceCalls.js';

const deleteOptions = { kind: 'DeleteOptions', apiVersion: 'v1' };

const list: Build = async (scope, operation, resource) => {
  if (resource.kind !== 'ComponentStatus') await scope.make(resource);
  const namespace = resource.namespaced ? await scope.namespace() : undefined;
  return { method: 'GET', path: fill(operation.path, namespace), kinds: [`${resource.kind}List`] };
};

const readObject: Build = async (scope, operation, resource) => ({
  method: 'GET',
  path: on(operation, await scope.make(resource)),
  kinds: [resource.kind],
});

const readListed: Build = async (scope, operation, resource) => {
  const name = at(await scope.list(resource, undefined), 'items', 0, 'metadata', 'name');
  if (typeof name !== 'string') throw new Prerequisite(`no ${resource.kind} is listed`);
  return { method: 'GET', path: fill(operation.path, undefined, name), kinds: [resource.kind] };
};

const create: Build = async (scope, operation, resource) => {
  if (resource.kind === 'Binding') return bind(scope, operation);
  const namespace = resource.namespaced ? await scope.namespace() : undefined;
  const name = scope.name(resource);
  const body = scope.body(resource, name, namespace);
  const made = { resource, name, sent: body, object: body, ...(namespace === undefined ? {} : { namespace }) };
  return {
    method: 'POST',
    path: on(operation, made),
    body,
    kinds: [resource.kind],
    effect: shows(scope, made, { ...sampleOf(resource).fields, metadata: { name } }, 'create'),
  };
};

const replace: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource);
  const part = { metadata: { labels: { [changed]: 'yes' } } };
  return {
    method: 'PUT',
    path: on(operation, made),
    body: withLabel(made.object, 'yes'),
    fresh: async () => withLabel((await scope.current(made)) ?? made.object, 'yes'),
    kinds: [resource.kind],
    effect: shows(scope, made, part, 'replace'),
  };
};

const remove: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource);
  return {
    method: 'DELETE',
    path: on(operation, made),
    ...(operation.body === 'options' ? { body: deleteOptions } : {}),
    kinds: ['Status', resource.kind],
    effect: async () => holds(leaving(await scope.current(made)), true, 'delete, then read: gone or on its way out'),
  };
};

/** Whether an object is gone, or on its way out with something that holds it. */
export function leaving(object: JsonObject | undefined): boolean {
  if (object === undefined) return true;
  const finalizers = [at(object, 'metadata', 'finalizers'), at(object, 'spec', 'finalizers')];
  const held = finalizers.some((list) => Array.isArray(list) && list.length > 0);
  return held && typeof at(object, 'metadata', 'deletionTimestamp') === 'string';
}

const removeSelected: Build = async (scope, operation, resource) => {
  await scope.selectorsAreRespected(resource);
  const group = scope.name();
  const made = await scope.make(resource, { labels: { 'kube-api-conformance/group': group } });
  const selector = encodeURIComponent(`kube-api-conformance/group=${group}`);
  return {
    method: 'DELETE',
    path: `${on(operation, made)}?labelSelector=${selector}`,
    kinds: ['Status', `${resource.kind}List`],
  };
};

const patch: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource);
  const body = { metadata: { labels: { [changed]: 'patched' } } };
  return {
    ...mergePatch(operation, made, body),
    kinds: [resource.kind],
    effect: shows(scope, made, body, 'patch'),
  };
};

const builders: Partial<Record<Verb | 'discover', Build>> = {
  list,
  listAll: list,
  create,
  read: readObject,
  readPlain: readListed,
  replace,
  delete: remove,
  deletePlain: remove,
  deleteCollection: removeSelected,
  patch,
  readStatus: readObject,
  replaceStatus,
  patchStatus,
  readScale,
  replaceScale,
  patchScale,
  rollback,
  finalize,
  bind,
};

/** A valid call of the operation, with everything that it needs created. Throws Prerequisite where that fails. */
export async function validCall(operation: Operation, scope: Scope): Promise<ValidCall> {
  if (operation.verb === 'discover') return { method: 'GET', path: operation.path, kinds: ['APIResourceList'] };
  const build = builders[operation.verb];
  if (build === undefined || operation.resource === undefined) throw new Error(`no valid call for ${operation.id}`);
  return build(scope, operation, operation.resource);
}

/**
 * Sends a valid call: its body in the media type, with these headers. A write that lost against a controller is sent
 * again with a fresh body, as clients do.
 */
export async function sendValid(
  client: Client,
  call: ValidCall,
  mediaType: ObjectType,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const { method, path, fresh } = call;
  for (let attempt = 1; ; attempt += 1) {
    const body = attempt === 1 ? call.body : await fresh?.();
    const reply = await client.send({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: encode(mediaType, body) }),
    });
    if (reply.status !== 409 || fresh === undefined || attempt === conflicts) return reply;
  }
}

/** The apiVersion that an answer of that kind may carry: discovery and Status have their own. */
export function versionsOf(kind: string, own: string): readonly (string | undefined)[] {
  if (kind === 'Status') return ['v1'];
  if (kind === 'APIResourceList') return ['v1', undefined];
  return kind === 'Scale' ? ['extensions/v1beta1'] : kind === 'Binding' ? ['v1'] : [own];
}

/** The object of a list that has that name, and how many there are. */
export function named(list: unknown, name: string): readonly JsonObject[] {
  return itemsOf(list).filter((item) => isObject(item.metadata) && item.metadata.name === name);
}
