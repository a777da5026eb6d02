// Watches with selectors: the objects that they omit, and objects that start and stop to match.

import { resourceId } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, holds, Unchecked } from '../client/expect.js';
import { at, brief, type JsonObject, merge } from '../client/json.js';
import type { Stream } from '../client/streams/stream.js';
import {
  eventsAbout,
  eventsOf,
  hasCome,
  type WatchEvent,
  type WatchQuery,
  watching,
} from '../client/streams/watches.js';
import { extended } from '../objects/neighbourhood.js';
import { type CreatedObject, groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { group } from '../run/group.js';
import { change, formOf, makeNamed, versionNow, type WatchForm } from './forms.js';
import { remove, succeed } from './removal.js';

const labelled = (value: string): JsonObject => ({ metadata: { labels: { [groupLabel]: value } } });

/** The label of the object that the narrower watches leave out. */
const sideLabel = 'kube-api-conformance/side';
const aside: JsonObject = { metadata: { labels: { [sideLabel]: 'b' } } };

/** A selection that an object enters and leaves, by a label or by a field that clients can write. */
interface Selection {
  readonly query: WatchQuery;
  readonly into: JsonObject;
  readonly out: JsonObject;
  /** Watches of some of the objects: those without the other label, or the one of this name. */
  readonly narrower?: (mover: string) => readonly WatchQuery[];
}

const byLabel = (id: string): Selection => {
  const query = { labelSelector: `${groupLabel}=${id}` };
  return {
    query,
    into: labelled(id),
    out: labelled(`${id}-left`),
    narrower: (mover) => [
      { labelSelector: `${groupLabel} in (${id}, ${id}-none),${sideLabel} notin (a, b)` },
      { labelSelector: `${groupLabel}=${id},${sideLabel}!=b` },
      { labelSelector: `${groupLabel}=${id},!${sideLabel}` },
      { ...query, fieldSelector: `metadata.name=${mover}` },
    ],
  };
};

/** Fields, other than name and namespace, that clients can write and by which a kind is selected. */
const byField: Readonly<Record<string, Selection>> = {
  'core/nodes': {
    query: { fieldSelector: 'spec.unschedulable=true' },
    into: { spec: { unschedulable: true } },
    out: { spec: { unschedulable: false } },
  },
};

/**
 * Watches a selection while an object enters and leaves it, and another object matches from its create. The event of a
 * last object shows that no more events are to come.
 */
async function move({ client, sandbox }: Context, form: WatchForm, { query, into, out, narrower }: Selection) {
  const resourceVersion = await versionNow(sandbox, form);
  const name = sandbox.name(form.resource);
  const queries = [query, ...(narrower?.(name) ?? [])].map((each) => ({ resourceVersion, ...each }));
  return watchingAll(client, form.path, queries, async ([stream, ...others]) => {
    const make = (fields: JsonObject) => sandbox.make(form.resource, { change: fields });
    const mover = await sandbox.make(form.resource, { name, change: out });
    const stays = await make(merge(into, aside));
    const entered = await change(sandbox, mover, into);
    const left = await change(sandbox, mover, out);
    const last = await make(into);
    const comes = ({ name }: CreatedObject, on: Stream) => on.until(() => eventsAbout(name, on).length > 0);
    await comes(last, stream);
    const about = ({ name }: { name: string }) => eventsAbout(name, stream);
    return {
      ...seenIn(stream),
      into,
      made: [mover, stays, last].map(({ name }) => name),
      mover: { events: about(mover), entered: versionOf(entered), left: versionOf(left) },
      stays: about(stays),
      last: about(last),
      narrower: await Promise.all(
        others.map(async (other, index) => {
          const byFields = queries[index + 1]?.fieldSelector !== undefined;
          await comes(byFields ? mover : last, other);
          return { ...seenIn(other), byFields, selected: byFields ? [mover.name] : [mover.name, last.name] };
        }),
      ),
    };
  });
}

/** Opens a watch for each query, and passes all of them to `read`. */
async function watchingAll<T>(
  client: Client,
  path: string,
  [query = {}, ...queries]: readonly WatchQuery[],
  read: (streams: readonly [Stream, ...Stream[]]) => Promise<T>,
): Promise<T> {
  return watching(client, path, query, (stream) =>
    queries.length === 0 ? read([stream]) : watchingAll(client, path, queries, (streams) => read([stream, ...streams])),
  );
}

/** Watches one namespace by a field on a path of all namespaces, while objects are created in another and in that one. */
async function namespaceByField({ client, sandbox }: Context, form: WatchForm) {
  const { resource, path, namespace = '' } = form;
  const other = await sandbox.namespace('other');
  const query = { resourceVersion: await versionNow(sandbox, form), fieldSelector: `metadata.namespace=${namespace}` };
  return watching(client, path, query, async (stream) => {
    await sandbox.make(resource, { namespace: other });
    const last = await sandbox.make(resource, { namespace });
    await stream.until(() => eventsAbout(last.name, stream).length > 0);
    return { ...seenIn(stream), namespace, last: last.name };
  });
}

/**
 * Watches one name while objects of that name and of another are created. A change of the first object comes last, but
 * for what a controller makes of it, or the create of its successor.
 */
async function named({ client, sandbox }: Context, form: WatchForm) {
  const query = { resourceVersion: await versionNow(sandbox, form), fieldSelector: `metadata.name=${form.name}` };
  return watching(client, form.path, query, async (stream) => {
    const made = await makeNamed(sandbox, form);
    await makeNamed(sandbox, { ...form, name: extended(form.name) });
    const changed = await change(sandbox, made, labelled('last'));
    await remove(sandbox, made);
    const version = versionOf((await succeed(sandbox, made)) ?? changed);
    await stream.until(hasCome(stream, (event) => event.version === version));
    return { ...seenIn(stream), name: form.name, version };
  });
}

const seenIn = (stream: Stream) => ({
  request: `${stream.request}, ${stream.status}`,
  status: stream.status,
  events: eventsOf(stream),
});

const versionOf = (object: JsonObject): string => String(at(object, 'metadata', 'resourceVersion'));

async function selectedWatched({ operation }: OperationSubject, context: Context) {
  const form = await formOf(operation, context.sandbox);
  const byItsField = byField[resourceId(form.resource)];
  return {
    labels: await move(context, form, byLabel(form.name)),
    fields: byItsField && (await move(context, form, byItsField)),
    name: await named(context, form),
    namespace:
      /^(watch|list)All$/.test(operation.verb) && form.namespace ? await namespaceByField(context, form) : undefined,
  };
}

type Selected = Recorded<typeof selectedWatched>;
type Move = Recorded<typeof move>;

const typesOf = (events: readonly WatchEvent[]): string => events.map(({ type }) => String(type)).join();

/** Returns a check of each way to enter and leave a selection, after all its events arrived. */
const eachMove =
  (check: (moved: Move) => void) =>
  ({ labels, fields }: Selected): void => {
    for (const moved of fields === undefined ? [labels] : [labels, fields]) {
      if (moved.last.length === 0) fail(`${moved.request}: nothing of the object that was selected last`);
      check(moved);
    }
  };

/** Throws Failure unless a narrower watch reports the last of its objects, and nothing of an object that it leaves out. */
function isNarrow({ request, events, selected }: Move['narrower'][number]): void {
  reports(selected.at(-1), request, events);
  for (const { type, name, object } of events) {
    if (!selected.includes(name) || (type !== 'DELETED' && isOut(object)))
      fail(`${request}: ${brief(type)} of ${name}, which is not selected`);
  }
}

/** Throws Failure unless the events are of the selected namespace, and one is of the last object. */
function isInNamespace({ request, events, namespace, last }: NonNullable<Selected['namespace']>): void {
  reports(last, request, events);
  for (const event of events) equal(event.namespace, namespace, `${request}: the namespace of the object of an event`);
}

function reports(last: string | undefined, request: string, events: readonly WatchEvent[]): void {
  if (!events.some(({ name }) => name === last)) fail(`${request}: no event of ${last}, which is selected`);
}

export const selectedGroups = [
  group({
    subjects: 'selectedWatches',
    setup: selectedWatched,
    checks: {
      'filtered-labels': ({ labels: { request, events, made, mover, stays, last, narrower } }) => {
        for (const [first] of [stays, last])
          equal(first?.type, 'ADDED', `${request}: the first event of an object with the label`);
        for (const { name } of events) {
          if (!made.includes(name)) fail(`${request}: an event of ${name}, which never had the label`);
        }
        const without = mover.events.find(({ type, object }) => type !== 'DELETED' && isOut(object));
        if (without !== undefined) fail(`${request}: ${brief(without.type)} of an object without the label`);
        for (const watch of narrower.filter((each) => !each.byFields)) isNarrow(watch);
      },
      'filtered-fields': ({ labels: { narrower }, name: { request, status, events, name, version }, namespace }) => {
        // The document names no field: the server decides by which fields a kind is selected.
        if (status >= 400 && status <= 499) {
          throw new Unchecked('not-supported', `${request}: no selection by metadata.name`);
        }
        const versions = events.map((event) => event.version);
        if (!versions.includes(version))
          fail(
            `${request}: no event of the last change, ${brief(version)}; the versions of its events are ${brief(versions)}`,
          );
        for (const event of events) equal(event.name, name, `${request}: the name of the object of an event`);
        for (const watch of narrower.filter((each) => each.byFields)) isNarrow(watch);
        if (namespace !== undefined) isInNamespace(namespace);
      },
      'filter-entered': eachMove(({ request, into, mover: { events } }) => {
        const [first] = events;
        equal(first?.type, 'ADDED', `${request}: the first event of an object that starts to match`);
        holds(first?.object, into, `${request}: the object of that event`);
      }),
      'filter-left': eachMove(({ request, mover: { events } }) => {
        const last = events.at(-1);
        equal(last?.type, 'DELETED', `${request}: the last of ${typesOf(events)} of an object that stops to match`);
      }),
      'filter-versions': eachMove(({ request, mover: { events, entered, left } }) => {
        equal(
          events[0]?.version,
          entered,
          `${request}: the version of the first event of an object that starts to match`,
        );
        equal(
          events.at(-1)?.version,
          left,
          `${request}: the version of the last event of an object that stops to match`,
        );
      }),
    },
  }),
];

const isOut = (object: JsonObject): boolean => String(at(object, 'metadata', 'labels', groupLabel)).endsWith('-left');
