// Exports: what a read leaves out, what it keeps, and that somebody can create it elsewhere.
import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../support/client.js';
import { equal, fail, holds, Prerequisite, status } from '../support/expect.js';
import { at, brief, isObject, type JsonObject, merge, missing } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { sampleOf } from '../support/samples/index.js';
import { fill, pathTo, type Scope } from '../support/scope.js';
import { putChanged } from '../support/writes.js';
import { get, resourceOf } from './calls.js';

const json = { 'content-type': 'application/json' };

/** An object and all ways of reading it, and a create of what was exported under another name. */
export async function readExports(operation: Operation, client: Client, scope: Scope) {
  const resource = resourceOf(operation);
  const made = await scope.make(resource, { labels: { 'kube-api-conformance/exported': 'yes' } });
  const path = fill(operation.path, made.namespace, made.name);
  const exported = await get(client, path, 'export=true');
  const name = scope.name(resource);
  const content = exported.tryValue();
  const body = JSON.stringify(merge(isObject(content) ? content : {}, { metadata: { name } }));
  return {
    made,
    exported,
    exact: await get(client, path, 'export=true&exact=true'),
    whole: [await get(client, path, 'export=false'), await get(client, path, 'exact=true')],
    absent: await get(client, fill(operation.path, made.namespace, scope.name(resource)), 'export=true'),
    created: await client.send({
      method: 'POST',
      path: pathTo(resource, 'create', made.namespace),
      headers: json,
      body,
    }),
  };
}

/** Writes a status, and exports the object. */
export async function exportStatus(operation: Operation, client: Client, scope: Scope) {
  const resource = resourceOf(operation);
  const wanted = sampleOf(resource).status ?? fail(`no status in the sample of ${resource.plural}`);
  const made = await scope.make(resource);
  const written = await putChanged(
    scope,
    made,
    pathTo(resource, 'replaceStatus', made.namespace, made.name),
    (object) => merge(object, { status: wanted }),
  );
  if (written.status > 299) throw new Prerequisite(`${written.request}: ${written.status} ${written.excerpt()}`);
  return { wanted, exported: await get(client, fill(operation.path, made.namespace, made.name), 'export=true') };
}

/** The export does not say the status that was written. */
export function leavesOutStatus({ wanted, exported }: Awaited<ReturnType<typeof exportStatus>>): void {
  status(exported, 200);
  if (missing(at(exported.value(), 'status'), wanted) === undefined)
    fail(`${exported.request}: the status that was written is there: ${brief(wanted)}`);
}

/** A Service to which the cluster assigned an address and a port of every node, and its exports. */
export async function readAssigned(operation: Operation, client: Client, scope: Scope) {
  const resource = resourceOf(operation);
  const [name, namespace] = [scope.name(resource), await scope.namespace()];
  const sent = merge(scope.body(resource, name, namespace), { spec: { type: 'NodePort' } });
  await scope.attempt('create services', 'POST', pathTo(resource, 'create', namespace), sent);
  const path = fill(operation.path, namespace, name);
  return {
    whole: await get(client, path),
    exported: await get(client, path, 'export=true'),
    exact: await get(client, path, 'export=true&exact=true'),
  };
}

/** The field is not there, or says nothing. */
export function lacks(reply: Reply, ...path: readonly (string | number)[]): void {
  status(reply, 200);
  const value = at(reply.value(), ...path);
  if (value === undefined || value === null || value === '' || value === 0) return;
  fail(`${reply.request}: ${path.join('.')} is ${brief(value)}`);
}

/** The export says what the user wrote. */
export function keeps(reply: Reply, sent: JsonObject, name: string): void {
  status(reply, 200);
  const { metadata, ...fields } = sent;
  holds(reply.value(), { ...fields, metadata: { name, labels: at(metadata, 'labels') ?? {} } }, reply.request);
}

/** An exact export keeps what the cluster assigned, any other leaves it out. */
export function leavesOutAssigned({ whole, exported, exact }: Awaited<ReturnType<typeof readAssigned>>): void {
  for (const path of [
    ['spec', 'clusterIP'],
    ['spec', 'ports', 0, 'nodePort'],
  ] as const) {
    status(whole, 200);
    const assigned = at(whole.value(), ...path);
    if (typeof assigned !== 'string' && typeof assigned !== 'number') fail(`${whole.request}: no ${path.join('.')}`);
    lacks(exported, ...path);
    equal(at(exact.value(), ...path), assigned, `${exact.request}: ${path.join('.')}`);
  }
}
