// Read: the object that the path names, from where it is, and from nowhere else.

import { withLabel } from './support/callParts.js';
import { defineChapter } from './support/chapter.js';
import { clientError, equal, fail, holds, nonEmptyString, status, statusObject } from './support/expect.js';
import { at } from './support/json.js';
import type { Reply } from './support/reply.js';
import { sampleOf } from './support/samples/index.js';
import { conflicts, fill, type Made, type Scope } from './support/scope.js';

defineChapter(
  'read',
  {
    reads: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a read without a resource');
      const made = await scope.make(resource);
      const read = (name: string, namespace: string | undefined) =>
        client.send({ method: 'GET', path: fill(operation.path, namespace, name) });
      const absentName = scope.name(resource);
      return {
        made,
        absentName,
        reply: await read(made.name, made.namespace),
        identity: await lastWrite(scope, made, () => read(made.name, made.namespace)),
        absent: await read(absentName, made.namespace),
      };
    },
    namespacedReads: async ({ operation }, { client, scope }) => {
      const made = await scope.make(operation.resource ?? fail('a read without a resource'));
      const other = await scope.namespace('other');
      return {
        here: await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) }),
        elsewhere: await client.send({ method: 'GET', path: fill(operation.path, other, made.name) }),
      };
    },
  },
  {
    object: ({ reply, made }) => {
      status(reply, 200);
      const { name, namespace } = made;
      const metadata = {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        labels: at(made.sent, 'metadata', 'labels'),
      };
      holds(reply.value(), { kind: made.resource.kind, metadata, ...sampleOf(made.resource).fields }, reply.request);
    },
    identity: ({ identity: { written, reply } }) => {
      status(reply, 200);
      for (const field of ['uid', 'resourceVersion']) {
        const value = nonEmptyString(at(written, 'metadata', field), `the last write: metadata.${field}`);
        equal(at(reply.value(), 'metadata', field), value, `${reply.request}: metadata.${field} of the last write`);
      }
    },
    absent: ({ absent, absentName }) => {
      status(absent, 404);
      statusObject(absent, 'NotFound');
      equal(at(absent.value(), 'details', 'name'), absentName, `${absent.request}: details.name`);
    },
    'other-namespace': ({ here, elsewhere }) => {
      status(here, 200);
      clientError(elsewhere);
    },
  },
);

/** A write and the read after it. Where a controller wrote in between, both are done again. */
async function lastWrite(scope: Scope, made: Made, read: () => Promise<Reply>) {
  let written: unknown = made.object;
  let reply = await read();
  for (let attempt = 1; attempt < conflicts && !sameRevision(written, reply.tryValue()); attempt += 1) {
    written = (await scope.put(made, (object) => withLabel(object, `write-${attempt}`))).tryValue();
    reply = await read();
  }
  return { written, reply };
}

function sameRevision(one: unknown, other: unknown): boolean {
  return at(one, 'metadata', 'resourceVersion') === at(other, 'metadata', 'resourceVersion');
}
