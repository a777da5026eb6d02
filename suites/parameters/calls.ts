// Valid calls with an additional query parameter, and their outcomes.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { fail, success } from '../client/expect.js';
import { at, type JsonObject, namesIn } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { mismatchOf, type ValidCall } from '../objects/callParts.js';
import { scaled } from '../objects/related.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { leaving, ownGroup, sendValid, validCall } from '../objects/validCalls.js';

export function withQuery(call: ValidCall, query: string): ValidCall {
  return { ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}${query}` };
}

/** Sends a valid call as JSON and asks for JSON. */
export function sendJson(client: Client, call: ValidCall): Promise<Reply> {
  const type = call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' };
  return sendValid(client, call, 'json', { accept: 'application/json', ...type });
}

/** Sends a GET to a list or an object, with a query. */
export function get(client: Client, path: string, query = ''): Promise<Reply> {
  return client.send({ method: 'GET', path: query === '' ? path : `${path}?${query}` });
}

const unknownParameters = 'kube-api-conformance-nothing=1&unknown=true&unknown=2';

/**
 * Sends a valid call with parameters that no server knows, and returns the missing part of its usual effect. Where the
 * call is a list, asks for a watch too, with and without the parameters.
 */
export async function callWithUnknownParameters(operation: Operation, client: Client, sandbox: Sandbox) {
  const call = await validCall(operation, sandbox);
  const reply = await sendJson(client, withQuery(call, unknownParameters));
  const lack = reply.status < 300 ? await mismatchOf(call, sandbox) : undefined;
  if (operation.verb !== 'list' && operation.verb !== 'listAll') return { reply, lack };
  const watch = (query: string): Promise<Reply> => {
    const { path } = withQuery(call, `watch=true&timeoutSeconds=1${query}`);
    return client.send({ method: 'GET', path, headersOnly: true });
  };
  return { reply, lack, watches: [await watch(''), await watch(`&${unknownParameters}`)] as const };
}

/**
 * Sends a delete-collection of one object, selected by its label, with `watch=true`. The version is the object's own:
 * some servers treat it as a precondition, so the version is read again after a conflict.
 */
export async function deleteWatching(operation: Operation, client: Client, sandbox: Sandbox) {
  const { made, path } = await groupOfOne(operation, sandbox);
  for (let attempt = 1; ; attempt += 1) {
    const version = String(at((await sandbox.current(made)) ?? made.object, 'metadata', 'resourceVersion'));
    const query = `watch=true&timeoutSeconds=1&resourceVersion=${encodeURIComponent(version)}`;
    const reply = await client.send({ method: 'DELETE', path: `${path}&${query}` });
    if (reply.status === 409 && attempt < conflicts) continue;
    return { reply, kind: made.resource.kind, gone: leaving(await sandbox.current(made)) };
  }
}

/** Makes an object, and returns the path of a delete-collection that selects only it. */
export async function groupOfOne(
  operation: Operation,
  sandbox: Sandbox,
): Promise<{ made: CreatedObject; path: string }> {
  const resource = resourceOf(operation);
  await sandbox.selectorsAreRespected(resource);
  const { labels, selector } = ownGroup(sandbox);
  const made = await sandbox.make(resource, { labels });
  return { made, path: fill(operation.path, made.namespace) + selector };
}

/** A call on a name, and another object before and after the call. */
export interface NamedCall {
  readonly reply: Reply;
  readonly read: boolean;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** Calls an operation on one name while another object exists, with another name or in another namespace. */
export async function callByName(
  operation: Operation,
  beside: 'another name' | 'another namespace',
  client: Client,
  sandbox: Sandbox,
): Promise<NamedCall> {
  const call = await validCall(operation, sandbox);
  const { name, namespace } = partsOf(operation.path, call.path);
  const resource = scaled(resourceOf(operation));
  const other = beside === 'another name' ? await sandbox.make(resource) : await makeNamed(sandbox, resource, name);
  const before = await sandbox.current(other);
  const reply = await sendJson(client, call);
  return { reply, read: call.method === 'GET', name, namespace, before, after: await sandbox.current(other) };
}

/** Throws Failure unless the other object exists and is unchanged. */
export function leavesAlone({ reply, before, after }: NamedCall): void {
  success(reply);
  if (before === undefined || after === undefined) fail(`${reply.request}: the other object is not there`);
  isUnchanged(before, after, `${reply.request}: the other object`);
}

async function makeNamed(sandbox: Sandbox, resource: Resource, name: string): Promise<CreatedObject> {
  const namespace = await sandbox.namespace('other');
  const sent = sandbox.body(resource, name, namespace);
  await sandbox.attempt(`create ${resource.plural}`, 'POST', pathTo(resource, 'create', namespace), sent);
  return { resource, name, namespace, sent, object: sent };
}

export function partsOf(template: string, path: string): { name: string; namespace: string | undefined } {
  const pattern = template.replace('{namespace}', '(?<namespace>[^/]+)').replace('{name}', '(?<name>[^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(path.split('?')[0] ?? '')?.groups ?? {};
  return { name: decodeURIComponent(found.name ?? ''), namespace: found.namespace };
}

/** Returns the names of the items of a list. */
export function listedNames(reply: Reply): string[] {
  return namesIn(reply.value());
}
