// Delete collection: exactly the selected objects are deleted. Sent only after a canary has survived one.

import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, oneOf, status, success } from '../client/expect.js';
import { at, namesIn } from '../client/json.js';
import { pagesOf } from '../client/pages.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { runningTime } from '../client/runningTime.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import { beside, extended, makeNeighbourhood, sparesNeighbours } from '../objects/neighbourhood.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { leaving } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import { defineChapter } from '../run/chapter.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

const selecting = (label: unknown): string => `?labelSelector=${encodeURIComponent(`${groupLabel}=${String(label)}`)}`;

/** The number of selected objects: of one kind more than the hundred, and the five hundred, of usual pages. */
const countOf = (resource: Resource, variant: string | undefined): number =>
  variant === '505 objects' ? 505 : resourceId(resource) === 'core/configmaps' ? 105 : 2;

/** Milliseconds after which a slow target gets no more objects. */
const patience = 30_000;

/**
 * Calls a function for each item, for seven at a time, and for no more once a time is over. Returns the results in the
 * order of the items.
 */
async function someAtOnce<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<readonly R[]> {
  const started = runningTime();
  const results: R[] = [];
  while (results.length < items.length && runningTime() - started < milliseconds)
    results.push(...(await Promise.all(items.slice(results.length, results.length + 7).map(act))));
  return results;
}

/** Returns the names of the items of pages. */
const namesOn = (pages: readonly Reply[]): string =>
  pages
    .flatMap((page) => namesIn(page.tryValue()))
    .sort()
    .join(' ');

/** Watches the objects with a label from the beginning, until so many are told. */
function begun(client: Client, path: string, label: string, count: number) {
  return watching(client, path, { labelSelector: `${groupLabel}=${label}` }, async (stream) => {
    await stream.until((events) => events.length >= count);
    const added = eventsOf(stream).flatMap(({ type, name }) => (type === 'ADDED' ? [name] : []));
    return { request: stream.request, names: added.sort().join(' ') };
  });
}

/** Lists, and then deletes, objects by their label. The label and the name of another object begin with those of the first. */
async function deleteGroup({ operation, variant }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  await sandbox.selectorsAreRespected(resource);
  const label = sandbox.name();
  const place = variant === undefined ? {} : { namespace: await sandbox.namespace('many') };
  const make = () => sandbox.make(resource, { labels: { [groupLabel]: label }, ...place });
  const selected = await someAtOnce(Array.from({ length: countOf(resource, variant) }), make, patience);
  const [{ namespace, name }] = selected as readonly [CreatedObject, ...CreatedObject[]];
  const spared = await sandbox.make(resource, {
    name: extended(name),
    labels: { [groupLabel]: `${label}-b` },
    ...place,
  });
  const path = fill(operation.path, namespace) + selecting(label);
  const whole = await client.send({ method: 'GET', path });
  const pages: Reply[] = [];
  for await (const page of pagesOf(client, path)) pages.push(page);
  const watched =
    variant === undefined ? undefined : await begun(client, fill(operation.path, namespace), label, selected.length);
  const reply = await client.send({ method: 'DELETE', path });
  const after = await someAtOnce(selected, (made) => sandbox.current(made));
  const names = selected.map((made) => made.name).sort();
  return { whole, pages, watched, names, reply, resource, after, spared, sparedAfter: await sandbox.current(spared) };
}

defineChapter('deleteCollection', [
  group({
    subjects: 'selectedDeleteCollections',
    setup: (subject, context) => deleteGroup(subject, context),
    checks: {
      'selected-listed': ({ whole, pages, watched, names }) => {
        for (const list of [[whole], pages]) {
          for (const page of list) status(page, 200);
          const continues = list !== pages && Boolean(at(whole.value(), 'metadata', 'continue'));
          if (!continues) equal(namesOn(list), names.join(' '), `${whole.request}: the names of the selected objects`);
        }
        if (watched !== undefined)
          equal(watched.names, names.join(' '), `${watched.request}, from the beginning: the names of the additions`);
      },
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
