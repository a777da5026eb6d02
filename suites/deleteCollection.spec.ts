// Delete collection: what the selector names goes, and nothing else. Sent only after a canary has survived one.
import type { Operation } from '../matrix/api/index.js';
import { defineChapter } from './support/chapter.js';
import type { Client } from './support/client.js';
import { equal, fail, oneOf, success } from './support/expect.js';
import { at } from './support/json.js';
import { fill, type Made, type Scope } from './support/scope.js';
import { isUntouched } from './support/untouched.js';
import { leaving } from './support/validCalls.js';

const group = 'kube-api-conformance/group';

async function deleteGroup(operation: Operation, client: Client, scope: Scope, namespaces: readonly string[]) {
  const resource = operation.resource ?? fail('a delete-collection without a resource');
  await scope.selectorsAreRespected(resource);
  const labels = { [group]: scope.name() };
  const selected: Made[] = [];
  for (const namespace of namespaces) selected.push(await scope.make(resource, { namespace, labels }));
  const spared = await scope.make(resource, { labels: { [group]: 'another' } });
  const query = `?labelSelector=${encodeURIComponent(`${group}=${labels[group]}`)}`;
  const path = fill(operation.path, namespaces[0]) + query;
  const reply = await client.send({ method: 'DELETE', path });
  const after = [];
  for (const made of selected) after.push(await scope.current(made));
  return { reply, resource, after, spared, sparedAfter: await scope.current(spared) };
}

defineChapter(
  'deleteCollection',
  {
    deleteCollections: async ({ operation }, { client, scope }) => {
      const here = await scope.namespace();
      return deleteGroup(operation, client, scope, [here, here]);
    },
    namespacedDeleteCollections: async ({ operation }, { client, scope }) =>
      deleteGroup(operation, client, scope, [await scope.namespace(), await scope.namespace('other')]),
  },
  {
    'effect-selected': ({ reply, after }) => {
      success(reply);
      for (const object of after)
        equal(leaving(object), true, `${reply.request}: a selected object is gone or leaving`);
    },
    'spares-unselected': ({ reply, spared, sparedAfter }) => {
      success(reply);
      isUntouched(spared.object, sparedAfter, `${reply.request}: an object that is not selected`);
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
