// For every operation that answers one body: a call that must succeed, and how its effect is seen.
import type { Operation, Resource, Verb } from '../../matrix/api/index.js';
import type { Client } from './client.js';
import { encode, type ObjectType } from './decoders.js';
import { eventually } from './eventually.js';
import { Failure, holds, Prerequisite } from './expect.js';
import { at, isObject, itemsOf, type JsonObject, merge, missing } from './json.js';
import { toldWith } from './overwritten.js';
import { pods, scaled } from './related.js';
import type { Reply } from './reply.js';
import { hasRevision, imageOf, makeApart } from './revisions.js';
import { sampleOf } from './samples/index.js';
import { conflicts, fill, type Made, pathTo, type Scope } from './scope.js';

/** A call that a conforming server answers with success. */
export interface ValidCall {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  /** The body made anew from the object as it is now, for a write that lost against a controller. */
  readonly fresh?: () => Promise<JsonObject>;
  /** The content type of a patch. */
  readonly contentType?: string;
  /** The kinds that the answer may have. */
  readonly kinds: readonly string[];
  /** Looks at the target and throws a Failure where the body's effect is not there. */
  readonly effect?: () => Promise<void>;
  /** A controller does the work, some time after the answer. */
  readonly later?: true;
}

/**
 * What is missing of a call's effect, in words; undefined where it is all there, or where none is to be seen. Waits
 * for an effect that comes later than the answer.
 */
export function lackOf(call: Pick<ValidCall, 'effect' | 'later'>): Promise<string | undefined> {
  if (!call.later) return lackNow(call);
  return eventually(
    () => lackNow(call),
    (lack) => lack === undefined,
  );
}

/** What is missing of a call's effect at this moment. */
export async function lackNow({ effect }: Pick<ValidCall, 'effect'>): Promise<string | undefined> {
  try {
    await effect?.();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

type Build = (scope: Scope, operation: Operation, resource: Resource) => Promise<ValidCall>;

const changed = 'kube-api-conformance/changed';
const deleteOptions = { kind: 'DeleteOptions', apiVersion: 'v1' };

/** The object with a label more. */
export function withLabel(object: JsonObject, value: string): JsonObject {
  return merge(object, { metadata: { labels: { [changed]: value } } });
}

/** Throws a Failure where the object does not carry the label of `withLabel`. */
export function carriesLabel(object: unknown, value: string, what: string): void {
  holds(object, { metadata: { labels: { [changed]: value } } }, what);
}

const on = (operation: Operation, made: Pick<Made, 'name' | 'namespace'>): string =>
  fill(operation.path, made.namespace, made.name);

/** Reads the object and looks for a part of it. */
const shows = (scope: Scope, made: Made, part: JsonObject, what: string) => async (): Promise<void> =>
  holds(await scope.current(made), part, `${what}, then read`);

/** The same, for a part that a controller may write over at once: a watch tells what was there before. */
const showed = (scope: Scope, made: Made, part: JsonObject, what: string) => async (): Promise<void> => {
  const now = await scope.current(made);
  const seen = missing(now, part) === undefined ? now : ((await toldWith(scope, made, part)) ?? now);
  holds(seen, part, `${what}, then read`);
};

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
    method: 'PATCH',
    path: on(operation, made),
    body,
    contentType: 'application/merge-patch+json',
    kinds: [resource.kind],
    effect: shows(scope, made, body, 'patch'),
  };
};

const replaceStatus: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource, { statusToCome: true });
  const status = sampleOf(resource).status ?? {};
  return {
    method: 'PUT',
    path: on(operation, made),
    body: merge(made.object, { status }),
    fresh: async () => merge((await scope.current(made)) ?? made.object, { status }),
    kinds: [resource.kind],
    effect: showed(scope, made, { status }, 'replace of the status'),
  };
};

const patchStatus: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource, { statusToCome: true });
  const body = { status: sampleOf(resource).status ?? {} };
  return {
    method: 'PATCH',
    path: on(operation, made),
    body,
    contentType: 'application/merge-patch+json',
    kinds: [resource.kind],
    effect: showed(scope, made, body, 'patch of the status'),
  };
};

/** The scaled resource: the extensions' replicationcontrollers are the core ones. */
const makeScaled = (scope: Scope, resource: Resource): Promise<Made> => scope.make(scaled(resource));

const readScale: Build = async (scope, operation, resource) => ({
  method: 'GET',
  path: on(operation, await makeScaled(scope, resource)),
  kinds: ['Scale'],
});

const replaceScale: Build = async (scope, operation, resource) => {
  const made = await makeScaled(scope, resource);
  const body = {
    apiVersion: 'extensions/v1beta1',
    kind: 'Scale',
    metadata: { name: made.name, ...(made.namespace === undefined ? {} : { namespace: made.namespace }) },
    spec: { replicas: 2 },
  };
  const effect = shows(scope, made, { spec: { replicas: 2 } }, 'replace of the scale');
  return { method: 'PUT', path: on(operation, made), body, kinds: ['Scale'], effect };
};

const patchScale: Build = async (scope, operation, resource) => {
  const made = await makeScaled(scope, resource);
  const body = { spec: { replicas: 3 } };
  const effect = shows(scope, made, body, 'patch of the scale');
  const contentType = 'application/merge-patch+json';
  return { method: 'PATCH', path: on(operation, made), body, contentType, kinds: ['Scale'], effect };
};

const rollback: Build = async (scope, operation, resource) => {
  const made = await makeApart(scope, resource);
  const image = imageOf(made.object);
  await hasRevision(scope, made, String(image));
  const containers = [{ name: 'main', image: 'registry.example/conformance:2' }];
  const update = { spec: { template: { spec: { containers } } } };
  await scope.attempt('change the template', 'PATCH', pathTo(resource, 'patch', made.namespace, made.name), update);
  const controlled = await hasRevision(scope, made, 'registry.example/conformance:2');
  const body = {
    apiVersion: 'extensions/v1beta1',
    kind: 'DeploymentRollback',
    name: made.name,
    rollbackTo: { revision: 0 },
  };
  const effect = shows(
    scope,
    made,
    { spec: { template: { spec: { containers: [{ image: image ?? null }] } } } },
    'rollback',
  );
  const kinds = ['Status', 'DeploymentRollback'];
  // Without a controller nothing comes of it; that is judged with the subresources.
  const seen = controlled ? ({ effect, later: true } as const) : {};
  return { method: 'POST', path: on(operation, made), body, kinds, ...seen };
};

const finalize: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource);
  const finalizers = ['kubernetes', 'kube-api-conformance/held'];
  const body = merge(made.object, { spec: { finalizers } });
  const effect = shows(scope, made, { spec: { finalizers } }, 'finalize');
  return { method: 'PUT', path: on(operation, made), body, kinds: [resource.kind], effect };
};

async function bind(scope: Scope, operation: Operation): Promise<ValidCall> {
  const pod = await scope.make(pods);
  const body = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: pod.name },
    target: { apiVersion: 'v1', kind: 'Node', name: 'some-node' },
  };
  const effect = shows(scope, pod, { spec: { nodeName: 'some-node' } }, 'binding');
  return { method: 'POST', path: on(operation, pod), body, kinds: ['Status', 'Binding'], effect };
}

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
