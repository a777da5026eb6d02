// Watches with selectors: the objects that they omit, and objects that start and stop to match.

import { resourceId } from '../../matrix/api/index.js';
import { equal, fail, holds, Unchecked } from '../client/expect.js';
import { at, brief, type JsonObject } from '../client/json.js';
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
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { group } from '../run/group.js';
import { change, formOf, makeNamed, versionNow, type WatchForm } from './forms.js';

const labelled = (value: string): JsonObject => ({ metadata: { labels: { [groupLabel]: value } } });

/** A selection that an object enters and leaves, by a label or by a field that clients can write. */
interface Selection {
  readonly query: WatchQuery;
  readonly into: JsonObject;
  readonly out: JsonObject;
}

const byLabel = (id: string): Selection => ({
  query: { labelSelector: `${groupLabel}=${id}` },
  into: labelled(id),
  out: labelled(`${id}-left`),
});

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
async function move({ client, sandbox }: Context, form: WatchForm, { query, into, out }: Selection) {
  const resourceVersion = await versionNow(sandbox, form);
  return watching(client, form.path, { resourceVersion, ...query }, async (stream) => {
    const make = (fields: JsonObject) => sandbox.make(form.resource, { change: fields });
    const mover = await make(out);
    const stays = await make(into);
    const entered = await change(sandbox, mover, into);
    const left = await change(sandbox, mover, out);
    const last = await make(into);
    await stream.until(() => eventsAbout(last.name, stream).length > 0);
    const about = ({ name }: { name: string }) => eventsAbout(name, stream);
    return {
      ...seenIn(stream),
      into,
      made: [mover, stays, last].map(({ name }) => name),
      mover: { events: about(mover), entered: versionOf(entered), left: versionOf(left) },
      stays: about(stays),
      last: about(last),
    };
  });
}

/**
 * Watches one name while objects of that name and of another are created. A change of the first object comes last, but
 * for what a controller makes of it.
 */
async function named({ client, sandbox }: Context, form: WatchForm) {
  const query = { resourceVersion: await versionNow(sandbox, form), fieldSelector: `metadata.name=${form.name}` };
  return watching(client, form.path, query, async (stream) => {
    const made = await makeNamed(sandbox, form);
    await makeNamed(sandbox, { ...form, name: extended(form.name) });
    const version = versionOf(await change(sandbox, made, labelled('last')));
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

export const selectedGroups = [
  group({
    subjects: 'selectedWatches',
    setup: selectedWatched,
    checks: {
      'filtered-labels': ({ labels: { request, events, made, mover, stays, last } }) => {
        for (const [first] of [stays, last])
          equal(first?.type, 'ADDED', `${request}: the first event of an object with the label`);
        for (const { name } of events) {
          if (!made.includes(name)) fail(`${request}: an event of ${name}, which never had the label`);
        }
        const without = mover.events.find(({ type, object }) => type !== 'DELETED' && isOut(object));
        if (without !== undefined) fail(`${request}: ${brief(without.type)} of an object without the label`);
      },
      'filtered-fields': ({ name: { request, status, events, name, version } }) => {
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
