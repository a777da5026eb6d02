// For every operation with one response body: a call that must succeed, and the check of its effect.
import { defined, type Operation, type Verb } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { encodeBody, type ObjectType } from '../client/decoders.js';
import { holds, Prerequisite } from '../client/expect.js';
import { at, isEnding, isObject, itemsOf, type JsonObject } from '../client/json.js';
import { fill } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { type Build, changedLabel, mergePatch, objectPath, shows, type ValidCall, withLabel } from './callParts.js';
import { sampleOf } from './samples/index.js';
import { conflicts, groupLabel, isTransient, type Sandbox } from './sandbox.js';
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

/** Returns labels for the object of one call, and the query that selects it. */
export function ownGroup(sandbox: Sandbox) {
  const group = sandbox.name();
  const selector = `?labelSelector=${encodeURIComponent(`${groupLabel}=${group}`)}`;
  return { labels: { [groupLabel]: group }, selector };
}

const list: Build = async (sandbox, operation, resource) => {
  const namespace = resource.namespaced ? await sandbox.listed() : undefined;
  const call = { method: 'GET', path: fill(operation.path, namespace), kinds: [`${resource.kind}List`] };
  if (resource.kind === 'ComponentStatus') return call;
  const { labels, selector } = ownGroup(sandbox);
  await sandbox.make(resource, { labels, ...defined({ namespace }) });
  return { ...call, selected: call.path + selector };
};

const readObject: Build = async (sandbox, operation, resource) => ({
  method: 'GET',
  path: objectPath(operation, await sandbox.make(resource)),
  kinds: [resource.kind],
});

const readListed: Build = async (sandbox, operation, resource) => {
  const name = at(await sandbox.list(resource, undefined), 'items', 0, 'metadata', 'name');
  if (typeof name !== 'string') throw new Prerequisite(`no ${resource.kind} is listed`);
  return { method: 'GET', path: fill(operation.path, undefined, name), kinds: [resource.kind] };
};

const create: Build = async (sandbox, operation, resource) => {
  if (resource.kind === 'Binding') return bind(sandbox, operation);
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const name = sandbox.name(resource);
  const body = sandbox.body(resource, name, namespace);
  const made = { resource, name, sent: body, object: body, ...defined({ namespace }) };
  return {
    method: 'POST',
    path: objectPath(operation, made),
    body,
    kinds: [resource.kind],
    // A review is answered, and never stored.
    ...(!isTransient(resource) && {
      effect: shows(sandbox, made, { ...sampleOf(resource).fields, metadata: { name } }, 'create'),
    }),
  };
};

const replace: Build = async (sandbox, operation, resource) => {
  const made = await sandbox.make(resource);
  const part = { metadata: { labels: { [changedLabel]: 'yes' } } };
  return {
    method: 'PUT',
    path: objectPath(operation, made),
    body: withLabel(made.object, 'yes'),
    fresh: async () => withLabel((await sandbox.current(made)) ?? made.object, 'yes'),
    kinds: [resource.kind],
    effect: shows(sandbox, made, part, 'replace'),
  };
};

const remove: Build = async (sandbox, operation, resource) => {
  const made = await sandbox.make(resource);
  return {
    method: 'DELETE',
    path: objectPath(operation, made),
    ...(operation.body === 'options' ? { body: deleteOptions } : {}),
    kinds: ['Status', resource.kind],
    effect: async () => holds(leaving(await sandbox.current(made)), true, 'delete, then read: gone or on its way out'),
  };
};

/** Reports whether an object is gone, or is being deleted and held by a finalizer or a grace period. */
export function leaving(object: JsonObject | undefined): boolean {
  if (object === undefined) return true;
  const finalizers = [at(object, 'metadata', 'finalizers'), at(object, 'spec', 'finalizers')];
  const held = finalizers.some((list) => Array.isArray(list) && list.length > 0);
  return held && isEnding(object);
}

const removeSelected: Build = async (sandbox, operation, resource) => {
  await sandbox.selectorsAreRespected(resource);
  const { labels, selector } = ownGroup(sandbox);
  const made = await sandbox.make(resource, { labels });
  return { method: 'DELETE', path: objectPath(operation, made) + selector, kinds: ['Status', `${resource.kind}List`] };
};

const patch: Build = async (sandbox, operation, resource) => {
  const made = await sandbox.make(resource);
  const body = { metadata: { labels: { [changedLabel]: 'patched' } } };
  return {
    ...mergePatch(operation, made, body),
    kinds: [resource.kind],
    effect: shows(sandbox, made, body, 'patch'),
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

/** Returns a valid call of the operation, and creates the objects that it needs. Throws Prerequisite if that fails. */
export async function validCall(operation: Operation, sandbox: Sandbox): Promise<ValidCall> {
  if (operation.verb === 'discover') return { method: 'GET', path: operation.path, kinds: ['APIResourceList'] };
  const build = builders[operation.verb];
  if (build === undefined || operation.resource === undefined) throw new Error(`no valid call for ${operation.id}`);
  return build(sandbox, operation, operation.resource);
}

/**
 * Sends a valid call with its body in the media type and with these headers. Retries a write with a fresh body after a
 * conflict with a controller, as clients do.
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
      ...(body === undefined ? {} : { body: encodeBody(mediaType, body) }),
    });
    if (reply.status !== 409 || fresh === undefined || attempt === conflicts) return reply;
  }
}

/** Returns the apiVersions that a response of that kind may have: discovery and Status have their own. */
export function versionsOf(kind: string, own: string, scale = 'extensions/v1beta1'): readonly (string | undefined)[] {
  if (kind === 'Status') return ['v1'];
  if (kind === 'APIResourceList') return ['v1', undefined];
  return kind === 'Scale' ? [scale] : kind === 'Binding' ? ['v1'] : [own];
}

export function objectsNamed(list: unknown, name: string): readonly JsonObject[] {
  return itemsOf(list).filter((item) => isObject(item.metadata) && item.metadata.name === name);
}
