// Writes that are only tried out: a dry run leaves nothing behind, and takes nothing.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { fail, Prerequisite, success } from '../client/expect.js';
import { at, type JsonObject, merge } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import type { ValidCall } from '../objects/callParts.js';
import { observeVain, type Untouched, type Written } from '../objects/effects/index.js';
import { atRest } from '../objects/effects/settled.js';
import { pods, scaled } from '../objects/related.js';
import { conflicts, type Sandbox } from '../objects/sandbox.js';
import { validCall } from '../objects/validCalls.js';
import type { Context } from '../run/context.js';
import { groupOfOne, partsOf, sendJson, withQuery } from './calls.js';

/** Sends a valid write as a dry run, known and unknown, and looks at its object in every place. */
export function tryOut(
  operation: Operation,
  { client, sandbox }: Pick<Context, 'client' | 'sandbox'>,
): Promise<Untouched> {
  let attempt = 0;
  return observeVain(sandbox, async () => {
    attempt += 1;
    const call = await callOf(operation, sandbox);
    const written = writtenBy(operation, call);
    const isCreate = operation.verb === 'create' && written.resource === operation.resource;
    const send = async () => {
      const unknown = await sendJson(client, withQuery(call, 'dryRun=NoSuchValue'));
      const all = await sendJson(client, withQuery(call, 'dryRun=All'));
      return unknown.status < 300 ? unknown : all;
    };
    if (isCreate) return { written, send };
    const object = attempt === 1 ? await sandbox.current(written) : await atRest(sandbox, written, attempt);
    if (object === undefined) throw new Prerequisite(`${written.name} is gone`);
    return { written: { ...written, object }, send };
  });
}

/** A valid call, with the name of its object if the path has none. */
interface DryCall extends ValidCall {
  readonly name?: string;
}

async function callOf(operation: Operation, sandbox: Sandbox): Promise<DryCall> {
  if (operation.verb === 'deleteCollection') {
    const { made, path } = await groupOfOne(operation, sandbox);
    return { method: 'DELETE', path, kinds: [], name: made.name };
  }
  const valid = await validCall(operation, sandbox);
  // Options in a body may replace those in the query.
  const { body: _, ...bodiless } = valid;
  return valid.method === 'DELETE' ? bodiless : valid;
}

/** Returns the object that a call writes: of its resource, of the resource that it scales, or the pod of a Binding. */
function writtenBy(operation: Operation, call: DryCall): Written {
  const own = resourceOf(operation);
  const resource: Resource =
    call.body?.kind === 'Binding' ? pods : operation.verb.endsWith('Scale') ? scaled(own) : own;
  const { name, namespace } = partsOf(operation.path, call.path);
  const named = call.name ?? (name === '' ? String(at(call.body, 'metadata', 'name')) : name);
  return { resource, name: named, ...(namespace === undefined ? {} : { namespace }) };
}

/** A create that was tried out, and the same create for real. */
export interface Claims {
  readonly dry: Reply;
  readonly real: Reply;
}

/**
 * Tries out a create of a Service with an address and a port that are free, and creates one with both. Another client
 * may take them first; then the dry run is refused, and other ones are taken.
 */
export async function claim(operation: Operation, client: Client, sandbox: Sandbox): Promise<Claims> {
  const resource = resourceOf(operation);
  for (let attempt = 1; ; attempt += 1) {
    const given = await sandbox.make(resource, { change: { spec: { type: 'NodePort' } } });
    const { namespace } = given;
    await sandbox.attempt('free the address', 'DELETE', pathTo(resource, 'delete', namespace, given.name));
    const ports = given.object.spec === undefined ? undefined : at(given.object, 'spec', 'ports');
    const spec = { type: 'NodePort', clusterIP: at(given.object, 'spec', 'clusterIP'), ports } as JsonObject;
    const post = (query: string): Promise<Reply> => {
      const name = sandbox.name(resource);
      const body = JSON.stringify(merge(sandbox.body(resource, name, namespace), { spec }));
      const headers = { 'content-type': 'application/json' };
      return client.send({ method: 'POST', path: fill(operation.path, namespace) + query, headers, body });
    };
    const dry = await post('?dryRun=All');
    if (dry.status > 299 && attempt < conflicts) continue;
    const real = await post('');
    const made = real.tryValue();
    if (real.status < 300) {
      const name = String(at(made, 'metadata', 'name'));
      await client.send({ method: 'DELETE', path: pathTo(resource, 'delete', namespace, name) });
    } else if (attempt < conflicts) continue;
    return { dry, real };
  }
}

/** Throws Failure unless the create after the dry run got the address and the port. */
export function isFree({ dry, real }: Claims): void {
  success(dry);
  if (real.status > 299)
    fail(`${real.request} after a dry run of it: expected success, got ${real.status} ${real.excerpt()}`);
}
