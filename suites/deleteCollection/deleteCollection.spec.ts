// Delete collection: exactly the selected objects are deleted. Sent only after a canary has survived one.

import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, oneOf, success } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { leaving } from '../objects/validCalls.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';

async function deleteGroup(operation: Operation, client: Client, sandbox: Sandbox, namespaces: readonly string[]) {
  const resource = resourceOf(operation);
  await sandbox.selectorsAreRespected(resource);
  const labels = { [groupLabel]: sandbox.name() };
  const selected: CreatedObject[] = [];
  for (const namespace of namespaces) selected.push(await sandbox.make(resource, { namespace, labels }));
  const spared = await sandbox.make(resource, { labels: { [groupLabel]: 'another' } });
  const query = `?labelSelector=${encodeURIComponent(`${groupLabel}=${labels[groupLabel]}`)}`;
  const path = fill(operation.path, namespaces[0]) + query;
  const reply = await client.send({ method: 'DELETE', path });
  const after = [];
  for (const made of selected) after.push(await sandbox.current(made));
  return { reply, resource, after, spared, sparedAfter: await sandbox.current(spared) };
}

defineChapter('deleteCollection', [
  group({
    subjects: 'deleteCollections',
    setup: async ({ operation }, { client, sandbox }) => {
      const here = await sandbox.namespace();
      return deleteGroup(operation, client, sandbox, [here, here]);
    },
    checks: {
      'effect-selected': ({ reply, after }) => {
        success(reply);
        for (const object of after)
          equal(leaving(object), true, `${reply.request}: a selected object is gone or leaving`);
      },
      'spares-unselected': ({ reply, spared, sparedAfter }) => {
        success(reply);
        isUnchanged(spared.object, sparedAfter, `${reply.request}: an object that is not selected`);
      },
      answer: ({ reply, resource }) => {
        success(reply);
        oneOf(at(reply.value(), 'kind'), ['Status', `${resource.kind}List`], `${reply.request}: kind of the answer`);
      },
    },
  }),
  group({
    subjects: 'namespacedDeleteCollections',
    setup: async ({ operation }, { client, sandbox }) =>
      deleteGroup(operation, client, sandbox, [await sandbox.namespace(), await sandbox.namespace('other')]),
    checks: {
      'spares-other-namespaces': ({ reply, after }) => {
        success(reply);
        equal(leaving(after[0]), true, `${reply.request}: the selected object of the namespace is gone or leaving`);
        if (after[1] === undefined) fail(`${reply.request}: the selected object of another namespace is gone`);
        equal(
          at(after[1], 'metadata', 'deletionTimestamp') === undefined,
          true,
          `${reply.request}: the other one stays`,
        );
      },
    },
  }),
]);
