// Valid calls with a query parameter more, and what becomes of them.
import type { Operation, Resource } from '../../matrix/api/index.js';
import { lackNow, lackOf, type ValidCall } from '../support/callParts.js';
import type { Client } from '../support/client.js';
import { fail, success } from '../support/expect.js';
import { at, itemsOf, type JsonObject } from '../support/json.js';
import { scaled } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { conflicts, fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { isUntouched } from '../support/untouched.js';
import { leaving, sendValid, validCall } from '../support/validCalls.js';

/** A call whose path asks for more. */
export function withQuery(call: ValidCall, query: string): ValidCall {
  return { ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}${query}` };
}

/** Sends a valid call as JSON, for a JSON answer. */
export function sendJson(client: Client, call: ValidCall): Promise<Reply> {
  const type = call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' };
  return sendValid(client, call, 'json', { accept: 'application/json', ...type });
}

/** Sends a list's or object's GET with a query. */
export function get(client: Client, path: string, query = ''): Promise<Reply> {
  return client.send({ method: 'GET', path: query === '' ? path : `${path}?${query}` });
}

/** The resource of an operation. */
export function resourceOf({ resource, id }: Operation): Resource {
  return resource ?? fail(`${id} has no resource`);
}

/** A valid call with parameters that no server knows, and whether it did what it does without them. */
export async function callWithNonsense(operation: Operation, client: Client, scope: Scope) {
  const call = await validCall(operation, scope);
  const query = 'kube-api-conformance-nothing=1&unknown=true&unknown=2';
  const reply = await sendJson(client, withQuery(call, query));
  return { reply, lack: reply.status < 300 ? await lackOf(call) : undefined };
}

/** A write that is only to be tried out, and whether it was done all the same. */
export async function tryOut(operation: Operation, dryRun: string, client: Client, scope: Scope) {
  if (operation.verb === 'deleteCollection') return tryOutDeleteCollection(operation, dryRun, client, scope);
  const valid = await validCall(operation, scope);
  // Options in a body may take the place of those in the query.
  const { body: _, ...bodiless } = valid;
  const call = valid.method === 'DELETE' ? bodiless : valid;
  const reply = await sendJson(client, withQuery(call, `dryRun=${dryRun}`));
  return { reply, done: (await lackNow(call)) === undefined };
}

async function tryOutDeleteCollection(operation: Operation, dryRun: string, client: Client, scope: Scope) {
  const { made, path } = await groupOfOne(operation, scope);
  const reply = await client.send({ method: 'DELETE', path: `${path}&dryRun=${dryRun}` });
  const after = await scope.current(made);
  return { reply, done: after === undefined || at(after, 'metadata', 'deletionTimestamp') !== undefined };
}

/**
 * A delete-collection that asks for a watch at once: of one object, by its label. The version is the object's own:
 * some servers take it for a condition, so that it is looked up again when the object moved.
 */
export async function deleteWatching(operation: Operation, client: Client, scope: Scope) {
  const { made, path } = await groupOfOne(operation, scope);
  for (let attempt = 1; ; attempt += 1) {
    const version = String(at((await scope.current(made)) ?? made.object, 'metadata', 'resourceVersion'));
    const query = `watch=true&timeoutSeconds=1&resourceVersion=${encodeURIComponent(version)}`;
    const reply = await client.send({ method: 'DELETE', path: `${path}&${query}` });
    if (reply.status === 409 && attempt < conflicts) continue;
    return { reply, kind: made.resource.kind, gone: leaving(await scope.current(made)) };
  }
}

async function groupOfOne(operation: Operation, scope: Scope): Promise<{ made: Made; path: string }> {
  const resource = resourceOf(operation);
  await scope.selectorsAreRespected(resource);
  const group = scope.name();
  const made = await scope.make(resource, { labels: { 'kube-api-conformance/group': group } });
  const selector = encodeURIComponent(`kube-api-conformance/group=${group}`);
  return { made, path: `${fill(operation.path, made.namespace)}?labelSelector=${selector}` };
}

/** A call on a name, and an object that it is not about before and after it. */
export interface NamedCall {
  readonly reply: Reply;
  readonly read: boolean;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** Calls an operation on one name, beside an object of another name or of the same name elsewhere. */
export async function callByName(
  operation: Operation,
  beside: 'another name' | 'another namespace',
  client: Client,
  scope: Scope,
): Promise<NamedCall> {
  const call = await validCall(operation, scope);
  const { name, namespace } = partsOf(operation.path, call.path);
  const resource = scaled(resourceOf(operation));
  const other = beside === 'another name' ? await scope.make(resource) : await makeNamed(scope, resource, name);
  const before = await scope.current(other);
  const reply = await sendJson(client, call);
  return { reply, read: call.method === 'GET', name, namespace, before, after: await scope.current(other) };
}

/** The other object is there, and is what it was. */
export function leavesAlone({ reply, before, after }: NamedCall): void {
  success(reply);
  if (before === undefined || after === undefined) fail(`${reply.request}: the other object is not there`);
  isUntouched(before, after, `${reply.request}: the other object`);
}

async function makeNamed(scope: Scope, resource: Resource, name: string): Promise<Made> {
  const namespace = await scope.namespace('other');
  const sent = scope.body(resource, name, namespace);
  await scope.attempt(`create ${resource.plural}`, 'POST', pathTo(resource, 'create', namespace), sent);
  return { resource, name, namespace, sent, object: sent };
}

/** The name and the namespace that a path has where its template has them. */
export function partsOf(template: string, path: string): { name: string; namespace: string | undefined } {
  const pattern = template.replace('{namespace}', '(?<namespace>[^/]+)').replace('{name}', '(?<name>[^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(path.split('?')[0] ?? '')?.groups ?? {};
  return { name: decodeURIComponent(found.name ?? ''), namespace: found.namespace };
}

/** The items of a list with their names. */
export function namesIn(reply: Reply): string[] {
  return itemsOf(reply.value()).map((item) => String(at(item, 'metadata', 'name')));
}
