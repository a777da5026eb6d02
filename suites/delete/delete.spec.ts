// Delete: exactly one object is deleted.

import { equal, fail, holds, oneOf, success } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { beside, makeNeighbourhood, sparesNeighbours } from '../objects/neighbourhood.js';
import { saysAbsent } from '../objects/refused.js';
import { leaving, objectsNamed } from '../objects/validCalls.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';

const json = { 'content-type': 'application/json' };
const options = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1' });

defineChapter('delete', [
  group({
    subjects: 'deletes',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const near = await makeNeighbourhood(sandbox, resource, { sameLabel: true });
      const made = near.own;
      const { done: reply, beside: neighbours } = await beside(sandbox, near, () =>
        client.send({
          method: 'DELETE',
          path: fill(operation.path, made.namespace, made.name),
          ...(operation.body === 'options' ? { headers: json, body: options } : {}),
        }),
      );
      return {
        reply,
        made,
        neighbours,
        read: await sandbox.current(made),
        listed: objectsNamed(await sandbox.list(resource, made.namespace), made.name)[0],
      };
    },
    checks: {
      answer: ({ reply, made }) => {
        success(reply);
        oneOf(at(reply.value(), 'kind'), ['Status', made.resource.kind], `${reply.request}: kind of the answer`);
        if (at(reply.value(), 'kind') === 'Status') holds(reply.value(), { status: 'Success' }, reply.request);
        else holds(reply.value(), { metadata: { name: made.name } }, reply.request);
      },
      'effect-read': ({ reply, read }) => {
        success(reply);
        if (!leaving(read)) fail(`${reply.request}, then read: the object is still there and nothing holds it`);
      },
      'effect-list': ({ reply, listed }) => {
        success(reply);
        if (!leaving(listed)) fail(`${reply.request}, then list: the object is still there and nothing holds it`);
      },
      'spares-others': ({ reply, neighbours }) => {
        success(reply);
        sparesNeighbours(neighbours, reply.request);
      },
    },
  }),
  group({
    subjects: 'deletesWithoutOptions',
    setup: async ({ operation }, { client, sandbox }) => {
      const made = await sandbox.make(resourceOf(operation));
      const reply = await client.send({ method: 'DELETE', path: fill(operation.path, made.namespace, made.name) });
      return { reply, read: await sandbox.current(made) };
    },
    checks: {
      'without-options': ({ reply, read }) => {
        success(reply);
        equal(leaving(read), true, `${reply.request}, then read: gone or on its way out`);
      },
    },
  }),
  group({
    subjects: 'refusedDeletes',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
      const name = sandbox.name(resource);
      return {
        resource,
        name,
        absent: await client.send({ method: 'DELETE', path: fill(operation.path, namespace, name) }),
      };
    },
    checks: {
      absent: ({ absent, ...object }) => saysAbsent(absent, object),
    },
  }),
]);
