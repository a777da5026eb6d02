// Delete collection: exactly the selected objects are deleted. Sent only after a canary has survived one.

import { type Operation, type Resource, resourceId } from '../../matrix/api/index.js';
import { equal, oneOf, success } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { beside, extended, makeNeighbourhood, sparesNeighbours } from '../objects/neighbourhood.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { leaving } from '../objects/validCalls.js';
import { defineChapter } from '../run/chapter.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

const selecting = (label: unknown): string => `?labelSelector=${encodeURIComponent(`${groupLabel}=${String(label)}`)}`;

/** The number of selected objects: of one kind more than the hundred that is a page of many servers and stores. */
const countOf = (resource: Resource): number => (resourceId(resource) === 'core/configmaps' ? 105 : 2);

/** Calls a function for each item, for seven at a time. Returns the results in the order of the items. */
async function someAtOnce<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  while (results.length < items.length)
    results.push(...(await Promise.all(items.slice(results.length, results.length + 7).map(act))));
  return results;
}

/** Deletes objects by their label. The label and the name of another object begin with those of the first. */
async function deleteGroup(operation: Operation, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  await sandbox.selectorsAreRespected(resource);
  const label = sandbox.name();
  const make = () => sandbox.make(resource, { labels: { [groupLabel]: label } });
  const selected = await someAtOnce(Array.from({ length: countOf(resource) }), make);
  const [{ namespace, name }] = selected as readonly [CreatedObject, ...CreatedObject[]];
  const spared = await sandbox.make(resource, { name: extended(name), labels: { [groupLabel]: `${label}-b` } });
  const reply = await client.send({ method: 'DELETE', path: fill(operation.path, namespace) + selecting(label) });
  const after = await someAtOnce(selected, (made) => sandbox.current(made));
  return { reply, resource, after, spared, sparedAfter: await sandbox.current(spared) };
}

defineChapter('deleteCollection', [
  group({
    subjects: 'deleteCollections',
    setup: ({ operation }, context) => deleteGroup(operation, context),
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
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      await sandbox.selectorsAreRespected(resource);
      const near = await makeNeighbourhood(sandbox, resource, { sameLabel: true });
      const { own } = near;
      const path = fill(operation.path, own.namespace) + selecting(at(own.object, 'metadata', 'labels', groupLabel));
      const seen = await beside(sandbox, near, () => client.send({ method: 'DELETE', path }));
      return { reply: seen.done, neighbours: seen.beside, after: await sandbox.current(own) };
    },
    checks: {
      'spares-other-namespaces': ({ reply, neighbours, after }) => {
        success(reply);
        equal(leaving(after), true, `${reply.request}: the selected object of the namespace is gone or leaving`);
        sparesNeighbours(neighbours, reply.request);
      },
    },
  }),
]);
