// Read: the object that the path names, only from its own namespace.

import { defined } from '../../matrix/api/index.js';
import { clientError, equal, holds, nonEmptyString, status } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { withLabel } from '../objects/callParts.js';
import { atRest } from '../objects/effects/settled.js';
import { saysAbsent } from '../objects/refused.js';
import { sampleOf } from '../objects/samples/index.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';

defineChapter('read', [
  group({
    subjects: 'reads',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const made = await sandbox.make(resource);
      const read = (name: string, namespace: string | undefined, query = '') =>
        client.send({ method: 'GET', path: fill(operation.path, namespace, name) + query });
      const version = encodeURIComponent(String(at(made.object, 'metadata', 'resourceVersion')));
      const absentName = sandbox.name(resource);
      return {
        made,
        absentName,
        reply: await read(made.name, made.namespace),
        identity: await lastWrite(sandbox, made, () => read(made.name, made.namespace)),
        since: await read(made.name, made.namespace, `?resourceVersion=${version}`),
        absent: await read(absentName, made.namespace),
        inCapitals: await read(made.name.toUpperCase(), made.namespace),
      };
    },
    checks: {
      object: ({ reply, made }) => {
        status(reply, 200);
        const { name, namespace } = made;
        const metadata = {
          name,
          ...defined({ namespace }),
          labels: at(made.sent, 'metadata', 'labels'),
        };
        holds(reply.value(), { kind: made.resource.kind, metadata, ...sampleOf(made.resource).fields }, reply.request);
      },
      identity: ({ identity: { written, reply }, since }) => {
        status(reply, 200);
        status(since, 200);
        equal(
          at(since.value(), 'metadata', 'uid'),
          String(at(written, 'metadata', 'uid')),
          `${since.request}: metadata.uid`,
        );
        for (const field of ['uid', 'resourceVersion']) {
          const value = nonEmptyString(at(written, 'metadata', field), `the last write: metadata.${field}`);
          equal(at(reply.value(), 'metadata', field), value, `${reply.request}: metadata.${field} of the last write`);
        }
      },
      absent: ({ absent, absentName, made, inCapitals }) => {
        saysAbsent(absent, { ...made, name: absentName });
        clientError(inCapitals);
      },
    },
  }),
  group({
    subjects: 'namespacedReads',
    setup: async ({ operation }, { client, sandbox }) => {
      const made = await sandbox.make(resourceOf(operation));
      const other = await sandbox.namespace('other');
      return {
        here: await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) }),
        elsewhere: await client.send({ method: 'GET', path: fill(operation.path, other, made.name) }),
      };
    },
    checks: {
      'other-namespace': ({ here, elsewhere }) => {
        status(here, 200);
        clientError(elsewhere);
      },
    },
  }),
]);

/** Writes an object and reads it. Repeats both if a controller wrote in between, once it is done. */
async function lastWrite(sandbox: Sandbox, made: CreatedObject, read: () => Promise<Reply>) {
  let written: unknown = made.object;
  let reply = await read();
  for (let attempt = 1; attempt < conflicts && !sameRevision(written, reply.tryValue()); attempt += 1) {
    await atRest(sandbox, made, attempt);
    written = (await sandbox.put(made, (object) => withLabel(object, `write-${attempt}`))).tryValue();
    reply = await read();
  }
  return { written, reply };
}

function sameRevision(one: unknown, other: unknown): boolean {
  return at(one, 'metadata', 'resourceVersion') === at(other, 'metadata', 'resourceVersion');
}
