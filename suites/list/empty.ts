// A list that holds nothing, of no object in a namespace and of none that a selector selects.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { wireType } from '../support/decoders.js';
import { equal, fail, nonEmptyString, status } from '../support/expect.js';
import { at, brief, itemsOf } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { fill } from '../support/scope.js';
import type { Context } from '../support/worker.js';

const nothing = '?labelSelector=kube-api-conformance%2Fnothing%3Dnothing';

/** Lists with a selector that nothing matches, and a namespace in which the run makes nothing. */
export async function listNothing({ operation, mediaType }: OperationSubject, { client, scope }: Context) {
  const resource = operation.resource ?? fail('a list without a resource');
  const accept = wireType(mediaType === 'protobuf' ? 'protobuf' : 'json', client.target);
  const namespace = resource.namespaced ? await scope.namespace('empty') : undefined;
  const path = fill(operation.path, namespace);
  const list = (query: string): Promise<Reply> =>
    client.send({ method: 'GET', path: path + query, headers: { accept } });
  const selected = await list(nothing);
  const fresh = operation.path.includes('{namespace}') ? [await list('')] : [];
  // Controllers may have filled the namespace.
  return { resource, replies: [selected, ...fresh.filter((reply) => itemsOf(reply.tryValue()).length === 0)] };
}

/** It is a list all the same. In protobuf nothing is written where there are no items. */
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
