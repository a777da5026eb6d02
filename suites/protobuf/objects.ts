// Objects and lists have the same content in protobuf and JSON: read in both, and written in one and read in the other.

import { defined, type Resource } from '../../matrix/api/index.js';
import { wireType } from '../client/decoders.js';
import { fail, holds, status, success } from '../client/expect.js';
import { at, essence, itemsOf, type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { readAtRest } from '../objects/atRest.js';
import { hostileMetadata } from '../objects/callParts.js';
import { scaled } from '../objects/related.js';
import { sameObject } from '../objects/sameness.js';
import { richnessOf } from '../objects/samples/index.js';
import { type CreatedObject, conflicts, groupLabel } from '../objects/sandbox.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { sendProtobuf } from './sending.js';

/** Reads a path in both types. Reads again if an object was written in between. */
export function readTwice({ client }: Context, path: string): Promise<{ json: Reply; protobuf: Reply }> {
  const read = (accept: string): Promise<Reply> => client.send({ method: 'GET', path, headers: { accept } });
  const accept = wireType('protobuf', client.target);
  return readAtRest(async () => ({ json: await read('application/json'), protobuf: await read(accept) }));
}

/** Replaces the metadata of an object. Retries after a conflict with a controller. */
async function replaced(made: CreatedObject, path: string, { client, sandbox }: Pick<Context, 'client' | 'sandbox'>) {
  for (let attempt = 1; ; attempt += 1) {
    const body = merge((await sandbox.current(made)) ?? made.object, { metadata: hostileMetadata });
    const reply = await sendProtobuf(client, 'PUT', fill(path, made.namespace, made.name), body);
    if (reply.status === 409 && attempt < conflicts) continue;
    return { reply, sent: merge(essence(body), { metadata: hostileMetadata }), after: await sandbox.current(made) };
  }
}

/** What the sample of a resource has, and metadata whose text is not ASCII, or empty. */
export const textsOf = (resource: Resource): JsonObject => merge(richnessOf(resource), { metadata: hostileMetadata });

export const objectGroups = [
  group({
    subjects: 'protobufReads',
    setup: async ({ operation }, context) => {
      const resource = scaled(resourceOf(operation));
      const made = await context.sandbox.make(resource, { change: textsOf(resource) });
      return readTwice(context, fill(operation.path, made.namespace, made.name));
    },
    checks: {
      'same-object': ({ json, protobuf }) => {
        status(protobuf, 200);
        sameObject(protobuf.value(), json.value(), protobuf.request);
      },
    },
  }),
  group({
    subjects: 'protobufLists',
    setup: async ({ operation }, context) => {
      const { sandbox } = context;
      const resource = resourceOf(operation);
      const labels = { [groupLabel]: sandbox.name() };
      const made = await sandbox.make(resource, { labels });
      await sandbox.make(resource, { labels, change: textsOf(resource) });
      const selector = encodeURIComponent(`${groupLabel}=${labels[groupLabel]}`);
      const path = `${fill(operation.path, made.namespace)}?labelSelector=${selector}`;
      return { whole: await readTwice(context, path), page: await readTwice(context, `${path}&limit=1`) };
    },
    checks: {
      'same-list': ({ whole, page }) => {
        for (const { json, protobuf } of [whole, page]) {
          status(protobuf, 200);
          const [left, right] = [protobuf.value(), json.value()].map(withoutVersion);
          sameObject(left, right, protobuf.request);
        }
        const { protobuf } = whole;
        const { length } = itemsOf(protobuf.value());
        if (length !== 2) fail(`${protobuf.request}: expected 2 items, got ${length}`);
      },
    },
  }),
  group({
    subjects: 'protobufWrites',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      if (operation.verb === 'replace')
        return replaced(await sandbox.make(resource), operation.path, { client, sandbox });
      const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
      const name = sandbox.name(resource);
      const sent = sandbox.body(resource, name, namespace, { change: textsOf(resource) });
      const reply = await sendProtobuf(client, 'POST', fill(operation.path, namespace), sent);
      const made = { resource, name, ...defined({ namespace }) };
      return { reply, sent, after: await sandbox.current(made) };
    },
    checks: {
      'round-trip': ({ reply, sent, after }) => {
        success(reply);
        holds(after, sent, `${reply.request}, then read as JSON`);
      },
    },
  }),
];

/** Removes what changes with writes of other clients: the version of a list, and the place where its next page begins. */
function withoutVersion(list: unknown): JsonObject {
  const goesOn = at(list, 'metadata', 'continue') ? 'more' : '';
  return merge(Object(list) as JsonObject, { metadata: { resourceVersion: '', continue: goesOn } });
}
