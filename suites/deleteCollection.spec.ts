// Delete collection: exactly the selected objects are deleted. Sent only after a canary has survived one.
import type { Operation } from '../matrix/api/index.js';
import type { Client } from './support/http/client.js';
import { equal, fail, oneOf, success } from './support/http/expect.js';
import { at } from './support/http/json.js';
import { fill, resourceOf } from './support/http/paths.js';
import type { CreatedObject, Sandbox } from './support/objects/sandbox.js';
import { isUnchanged } from './support/objects/unchanged.js';
import { leaving } from './support/objects/validCalls.js';
import { defineChapter } from './support/run/chapter.js';

const group = 'kube-api-conformance/group';

async function deleteGroup(operation: Operation, client: Client, sandbox: Sandbox, namespaces: readonly string[]) {
  const resource = resourceOf(operation);
  await sandbox.selectorsAreRespected(resource);
  const labels = { [group]: sandbox.name() };
  const selected: CreatedObject[] = [];
  for (const namespace of namespaces) selected.push(await sandbox.make(resource, { namespace, labels }));
  const spared = await sandbox.make(resource, { labels: { [group]: 'another' } });
  const query = `?labelSelector=${encodeURIComponent(`${group}=${labels[group]}`)}`;
  const path = fill(operation.path, namespaces[0]) + query;
  const reply = await client.send({ method: 'DELETE', path });
  const after = [];
  for (const made of selected) after.push(await sandbox.current(made));
  return { reply, resource, after, spared, sparedAfter: await sandbox.current(spared) };
}

defineChapter(
  'deleteCollection',
  {
    deleteCollections: async ({ operation }, { client, sandbox }) => {
      const here = await sandbox.namespace();
      return deleteGroup(operation, client, sandbox, [here, here]);
    },
    namespacedDeleteCollections: async ({ operation }, { client, sandbox }) =>
      deleteGroup(operation, client, sandbox, [await sandbox.namespace(), await sandbox.namespace('other')]),
  },
  {
    'effect-selected': ({ reply, after }) => {
      success(reply);
      for (const object of after)
        equal(leaving(object), true, `${reply.request}: a selected object is gone or leaving`);
    },
    'spares-unselected': ({ reply, spared, sparedAfter }) => {
      success(reply);
      isUnchanged(spared.object, sparedAfter, `${reply.request}: an object that is not selected`);
    },
    'spares-other-namespaces': ({ reply, after }) => {
      success(reply);
      equal(leaving(after[0]), true, `${reply.request}: the selected object of the namespace is gone or leaving`);
      if (after[1] === undefined) fail(`${reply.request}: the selected object of another namespace is gone`);
      equal(at(after[1], 'metadata', 'deletionTimestamp') === undefined, true, `${reply.request}: the other one stays`);
    },
    answer: ({ reply, resource }) => {
      success(reply);
      oneOf(at(reply.value(), 'kind'), ['Status', `${resource.kind}List`], `${reply.request}: kind of the answer`);
    },
  },
);
