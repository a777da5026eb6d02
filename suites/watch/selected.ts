// Watches with selectors: the objects that they omit, and objects that start and stop to match.

import { resourceId } from '../../matrix/api/index.js';
import { equal, fail, holds, Unchecked } from '../client/expect.js';
import { at, brief, type JsonObject } from '../client/json.js';
import { eventsAbout, hasCome, type WatchEvent, watching } from '../client/streams/watches.js';
import { extended } from '../objects/neighbourhood.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { change, formOf, makeNamed, versionNow, type WatchForm } from './forms.js';
import { remove, succeed } from './removal.js';
import { byField, byLabel, labelled, move, seenIn, typesOf, versionOf } from './selections.js';

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
  const fieldSelector = `metadata.name=${form.name}`;
  const query = { resourceVersion: await versionNow(sandbox, form), labelSelector: '', fieldSelector };
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

async function selectedWatched({ operation }: OperationSubject, context: Context) {
  const form = await formOf(operation, context.sandbox);
  const byItsField = byField[resourceId(form.resource)];
  const fields = byItsField && (await move(context, form, byItsField));
  return {
    labels: await move(context, form, byLabel(form.name)),
    // The document names no field: the server decides by which fields a kind is selected.
    fields: fields && isRefused(fields) ? undefined : fields,
    name: await named(context, form),
    namespace:
      /^(watch|list)All$/.test(operation.verb) && form.namespace ? await namespaceByField(context, form) : undefined,
  };
}

const isRefused = ({ status }: { readonly status: number }): boolean => status >= 400 && status <= 499;

type Selected = Recorded<typeof selectedWatched>;
type Move = Recorded<typeof move>;

/** Returns a check of each way to enter and leave a selection, after all its events arrived. */
const eachMove =
  (check: (moved: Move) => void) =>
  ({ labels, fields }: Selected): void => {
    for (const moved of fields === undefined ? [labels] : [labels, fields]) {
      if (moved.last.length === 0) fail(`${moved.request}: nothing of the object that was selected last`);
      check(moved);
    }
  };

/** Returns a check of the events of the object that enters and leaves the selection, in each watch that selects it. */
const eachMover = (check: (request: string, events: readonly WatchEvent[], into: JsonObject) => void) =>
  eachMove(({ request, mover, narrower, into }) => {
    check(request, mover.events, into);
    for (const watch of narrower) if (!isRefused(watch)) check(watch.request, watch.mover, into);
  });

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

/** Throws Failure unless a watch from any version begins with the last object alone, of those that were made. */
function startsNarrow({ request, events }: Move['begun'][number], made: readonly string[], stays?: string): void {
  reports(made.at(-1), request, events);
  for (const { type, name } of events) {
    // The state may be so old that the object which has left is there.
    if (!made.includes(name) || name === stays) fail(`${request}: ${brief(type)} of ${name}, which is not selected`);
  }
}

function reports(last: string | undefined, request: string, events: readonly WatchEvent[]): void {
  if (!events.some(({ name }) => name === last)) fail(`${request}: no event of ${last}, which is selected`);
}

export const selectedGroups = [
  group({
    subjects: 'selectedWatches',
    setup: selectedWatched,
    checks: {
      'filtered-labels': ({ labels: { request, events, made, mover, stays, last, narrower, begun } }) => {
        for (const [first] of [stays, last])
          equal(first?.type, 'ADDED', `${request}: the first event of an object with the label`);
        for (const { name } of events) {
          if (!made.includes(name)) fail(`${request}: an event of ${name}, which never had the label`);
        }
        const without = mover.events.find(({ type, object }) => type !== 'DELETED' && isOut(object));
        if (without !== undefined) fail(`${request}: ${brief(without.type)} of an object without the label`);
        for (const watch of narrower.filter((each) => !each.byFields)) isNarrow(watch);
        for (const watch of begun.filter((each) => !each.byFields)) startsNarrow(watch, made, stays[0]?.name);
      },
      'filtered-fields': ({
        labels: { made, stays, narrower, begun },
        name: { request, status, events, name, version },
        namespace,
      }) => {
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
        for (const watch of begun.filter((each) => each.byFields)) startsNarrow(watch, made, stays[0]?.name);
        if (namespace !== undefined) isInNamespace(namespace);
      },
      'filter-entered': eachMover((request, [first], into) => {
        equal(first?.type, 'ADDED', `${request}: the first event of an object that starts to match`);
        holds(first?.object, into, `${request}: the object of that event`);
      }),
      'filter-left': eachMover((request, events) => {
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
