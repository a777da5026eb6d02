// Exports: the fields that an export omits and keeps, and a create from the result.
import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, holds, Prerequisite, status } from '../client/expect.js';
import { at, brief, isObject, type JsonObject, merge, missing } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { boundMetadata, unbind } from '../objects/effects/index.js';
import { sampleOf } from '../objects/samples/index.js';
import type { Sandbox } from '../objects/sandbox.js';
import { putChanged } from '../objects/writes.js';
import { get } from './calls.js';

const json = { 'content-type': 'application/json' };

/** Reads an object in all ways, and creates another object from the export. */
export async function readExports(operation: Operation, client: Client, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  // A server may give an export no name where there is a generateName.
  const { generateName: _, ...ofOthers } = await boundMetadata(sandbox, resource);
  const made = await sandbox.make(resource, {
    labels: { 'kube-api-conformance/exported': 'yes' },
    change: { metadata: { annotations: { 'kube-api-conformance/exported': 'yes' }, ...ofOthers } },
  });
  const path = fill(operation.path, made.namespace, made.name);
  const exported = await get(client, path, 'export=true');
  const name = sandbox.name(resource);
  const content = exported.tryValue();
  const body = JSON.stringify(merge(isObject(content) ? content : {}, { metadata: { name } }));
  const record = {
    made,
    exported,
    exact: await get(client, path, 'export=true&exact=true'),
    whole: [await get(client, path, 'export=false'), await get(client, path, 'exact=true')],
    absent: await get(client, fill(operation.path, made.namespace, sandbox.name(resource)), 'export=true'),
    created: await client.send({
      method: 'POST',
      path: pathTo(resource, 'create', made.namespace),
      headers: json,
      body,
    }),
  };
  for (const each of [made, { ...made, name }]) await unbind(sandbox, each);
  return record;
}

/** Writes a status, and exports the object. */
export async function exportStatus(operation: Operation, client: Client, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  const wanted = sampleOf(resource).status ?? fail(`no status in the sample of ${resource.plural}`);
  const made = await sandbox.make(resource, { statusToCome: true });
  const written = await putChanged(
    sandbox,
    made,
    pathTo(resource, 'replaceStatus', made.namespace, made.name),
    (object) => merge(object, { status: wanted }),
  );
  if (written.status > 299) throw new Prerequisite(`${written.request}: ${written.status} ${written.excerpt()}`);
  return { wanted, exported: await get(client, fill(operation.path, made.namespace, made.name), 'export=true') };
}

/** Throws Failure if the export has the status that was written. */
export function leavesOutStatus({ wanted, exported }: Awaited<ReturnType<typeof exportStatus>>): void {
  status(exported, 200);
  if (missing(at(exported.value(), 'status'), wanted) === undefined)
    fail(`${exported.request}: the status that was written is there: ${brief(wanted)}`);
}

/** Creates a Service with a cluster IP and a node port, and exports it. */
export async function readAssigned(operation: Operation, client: Client, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  const [name, namespace] = [sandbox.name(resource), await sandbox.namespace()];
  const sent = merge(sandbox.body(resource, name, namespace), { spec: { type: 'NodePort' } });
  await sandbox.attempt('create services', 'POST', pathTo(resource, 'create', namespace), sent);
  const path = fill(operation.path, namespace, name);
  return {
    whole: await get(client, path),
    exported: await get(client, path, 'export=true'),
    exact: await get(client, path, 'export=true&exact=true'),
  };
}

/** Throws Failure unless the field is absent or empty. */
export function lacks(reply: Reply, ...path: readonly (string | number)[]): void {
  status(reply, 200);
  const value = at(reply.value(), ...path);
  if (value === undefined || value === null || value === '' || value === 0) return;
  fail(`${reply.request}: ${path.join('.')} is ${brief(value)}`);
}

/** Throws Failure unless the export has the fields that the user wrote. */
export function keeps(reply: Reply, sent: JsonObject, name: string): void {
  status(reply, 200);
  const { metadata, ...fields } = sent;
  const { namespace: _, ...written } = isObject(metadata) ? metadata : {};
  holds(reply.value(), { ...fields, metadata: { ...written, name } }, reply.request);
}

/** Throws Failure unless an exact export keeps the assigned values and other exports omit them. */
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
