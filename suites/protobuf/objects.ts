// Objects and lists in protobuf are those in JSON: read in both, written in one and read in the other.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { readAtRest } from '../support/atRest.js';
import { wireType } from '../support/decoders.js';
import { fail, holds, status, success } from '../support/expect.js';
import { essence, itemsOf, type JsonObject, merge } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { scaled } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { conflicts, fill, type Made } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { richnessOf } from './rich.js';
import { sameObject } from './sameness.js';
import { sendProtobuf } from './sending.js';

const group = 'kube-api-conformance/group';

/** Reads a path in both types, again where something was written in between. */
export function readTwice({ client }: Context, path: string): Promise<{ json: Reply; protobuf: Reply }> {
  const read = (accept: string): Promise<Reply> => client.send({ method: 'GET', path, headers: { accept } });
  const accept = wireType('protobuf', client.target);
  return readAtRest(async () => ({ json: await read('application/json'), protobuf: await read(accept) }));
}

export const objectPerformers = {
  protobufReads: async ({ operation }: OperationSubject, context: Context) => {
    const resource = scaled(operation.resource ?? fail('a read without a resource'));
    const made = await context.scope.make(resource, { change: richnessOf(resource) });
    return readTwice(context, fill(operation.path, made.namespace, made.name));
  },
  protobufLists: async ({ operation }: OperationSubject, context: Context) => {
    const { scope } = context;
    const resource = operation.resource ?? fail('a list without a resource');
    const labels = { [group]: scope.name() };
    const made = await scope.make(resource, { labels });
    await scope.make(resource, { labels, change: richnessOf(resource) });
    const selector = encodeURIComponent(`${group}=${labels[group]}`);
    return readTwice(context, `${fill(operation.path, made.namespace)}?labelSelector=${selector}`);
  },
  protobufWrites: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const resource = operation.resource ?? fail('a write without a resource');
    if (operation.verb === 'replace') return replaced(await scope.make(resource), operation.path, { client, scope });
    const namespace = resource.namespaced ? await scope.namespace() : undefined;
    const name = scope.name(resource);
    const sent = scope.body(resource, name, namespace, { change: richnessOf(resource) });
    const reply = await sendProtobuf(client, 'POST', fill(operation.path, namespace), sent);
    const made = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
    return { reply, sent, after: await scope.current(made) };
  },
};

/** Replaces an object by one with new metadata; one that lost against a controller is sent again. */
async function replaced(made: Made, path: string, { client, scope }: Pick<Context, 'client' | 'scope'>) {
  const { metadata } = richnessOf(made.resource);
  for (let attempt = 1; ; attempt += 1) {
    const body = merge((await scope.current(made)) ?? made.object, { metadata: metadata ?? {} });
    const reply = await sendProtobuf(client, 'PUT', fill(path, made.namespace, made.name), body);
    if (reply.status === 409 && attempt < conflicts) continue;
    return { reply, sent: merge(essence(body), { metadata: metadata ?? {} }), after: await scope.current(made) };
  }
}

type Performers = typeof objectPerformers;

export const objectChecks = {
  'same-object': ({ json, protobuf }: Recorded<Performers['protobufReads']>) => {
    status(protobuf, 200);
    sameObject(protobuf.value(), json.value(), protobuf.request);
  },
  'same-list': ({ json, protobuf }: Recorded<Performers['protobufLists']>) => {
    status(protobuf, 200);
    const listed = protobuf.value();
    if (itemsOf(listed).length !== 2) fail(`${protobuf.request}: expected 2 items, got ${itemsOf(listed).length}`);
    const [left, right] = [listed, json.value()].map(withoutVersion);
    sameObject(left, right, protobuf.request);
  },
  'round-trip': ({ reply, sent, after }: Recorded<Performers['protobufWrites']>) => {
    success(reply);
    holds(after, sent, `${reply.request}, then read as JSON`);
  },
};

/** Whoever writes elsewhere moves the version of a list. */
function withoutVersion(list: unknown): JsonObject {
  return merge(Object(list) as JsonObject, { metadata: { resourceVersion: '' } });
}
