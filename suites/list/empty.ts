// Empty lists: of a namespace without objects, and of a selector that matches none.

import { wireType } from '../client/decoders.js';
import { equal, fail, nonEmptyString, status } from '../client/expect.js';
import { at, brief, itemsOf } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/worker.js';

const nothing = '?labelSelector=kube-api-conformance%2Fnothing%3Dnothing';

/** Lists with a selector that matches nothing, and in a namespace in which the run creates nothing. */
export async function listNothing({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const accept = wireType(mediaType === 'protobuf' ? 'protobuf' : 'json', client.target);
  const namespace = resource.namespaced ? await sandbox.namespace('empty') : undefined;
  const path = fill(operation.path, namespace);
  const list = (query: string): Promise<Reply> =>
    client.send({ method: 'GET', path: path + query, headers: { accept } });
  const selected = await list(nothing);
  const fresh = operation.path.includes('{namespace}') ? [await list('')] : [];
  // Controllers may have created objects in the namespace.
  return { resource, replies: [selected, ...fresh.filter((reply) => itemsOf(reply.tryValue()).length === 0)] };
}

/** Throws Failure unless the body is a list. In protobuf, a list without items has no bytes for them. */
export function isEmptyList({ resource, replies }: Awaited<ReturnType<typeof listNothing>>): void {
  for (const reply of replies) {
    status(reply, 200);
    const body = reply.value();
    equal(at(body, 'kind'), `${resource.kind}List`, `${reply.request}: kind`);
    nonEmptyString(at(body, 'metadata', 'resourceVersion'), `${reply.request}: metadata.resourceVersion`);
    const items = at(body, 'items');
    const isEmpty = Array.isArray(items) ? items.length === 0 : items === undefined && reply.mediaType !== json;
    if (!isEmpty) fail(`${reply.request}: items is ${brief(items)}, not an empty list`);
  }
}

const json = 'application/json';
