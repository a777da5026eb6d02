// Watches with selectors: what they leave out, and what enters and leaves their selection.
import { resourceId } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, Unjudged } from '../support/expect.js';
import { at, brief, type JsonObject } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import type { Stream } from '../support/stream.js';
import { eventsAbout, eventsOf, type WatchEvent, type WatchQuery, watching } from '../support/watching.js';
import type { Context } from '../support/worker.js';
import { change, type Form, formOf, makeNamed, versionNow } from './forms.js';

const group = 'kube-api-conformance/group';
const labelled = (value: string): JsonObject => ({ metadata: { labels: { [group]: value } } });

/** A selection that an object moves into and out of: by a label, or by a field that can be written. */
interface Selection {
  readonly query: WatchQuery;
  readonly into: JsonObject;
  readonly out: JsonObject;
}

const byLabel = (id: string): Selection => ({
  query: { labelSelector: `${group}=${id}` },
  into: labelled(id),
  out: labelled(`${id}-left`),
});

/** Fields beyond name and namespace that a client can write and a kind is selected by. */
const byField: Readonly<Record<string, Selection>> = {
  'core/nodes': {
    query: { fieldSelector: 'spec.unschedulable=true' },
    into: { spec: { unschedulable: true } },
    out: { spec: { unschedulable: false } },
  },
};

/**
 * Watches a selection while an object moves into it and out, beside one that is in it from its beginning; the one
 * that comes last shows that nothing more was to be told.
 */
async function move({ client, scope }: Context, form: Form, { query, into, out }: Selection) {
  const resourceVersion = await versionNow(scope, form);
  return watching(client, form.path, { resourceVersion, ...query }, async (stream) => {
    const make = (fields: JsonObject) => scope.make(form.resource, { change: fields });
    const mover = await make(out);
    const stays = await make(into);
    const entered = await change(scope, mover, into);
    const left = await change(scope, mover, out);
    const last = await make(into);
    await stream.until(() => eventsAbout(last.name, stream).length > 0);
    const about = ({ name }: { name: string }) => eventsAbout(name, stream);
    return {
      ...seenIn(stream),
      made: [mover, stays, last].map(({ name }) => name),
      mover: { events: about(mover), entered: versionOf(entered), left: versionOf(left) },
      stays: about(stays),
      last: about(last),
    };
  });
}

/** Watches one name while objects of that name and of another are created; a change of the first comes last. */
async function named({ client, scope }: Context, form: Form) {
  const query = { resourceVersion: await versionNow(scope, form), fieldSelector: `metadata.name=${form.name}` };
  return watching(client, form.path, query, async (stream) => {
    const made = await makeNamed(scope, form);
    await scope.make(form.resource);
    const version = versionOf(await change(scope, made, labelled('last')));
    await stream.until((events) => events.length > 0 && eventsOf(stream).at(-1)?.version === version);
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
  const form = await formOf(operation, context.scope);
  const byItsField = byField[resourceId(form.resource)];
  return {
    labels: await move(context, form, byLabel(form.name)),
    fields: byItsField && (await move(context, form, byItsField)),
    name: await named(context, form),
  };
}

export const selectedPerformers = { selectedWatches: selectedWatched };

type Selected = Recorded<typeof selectedWatched>;
type Move = Recorded<typeof move>;

const typesOf = (events: readonly WatchEvent[]): string => events.map(({ type }) => String(type)).join();

/** Judges each way of moving into a selection and out of it, once all of it has been told. */
const eachMove =
  (judge: (moved: Move) => void) =>
  ({ labels, fields }: Selected): void => {
    for (const moved of fields === undefined ? [labels] : [labels, fields]) {
      if (moved.last.length === 0) fail(`${moved.request}: nothing of the object that was selected last`);
      judge(moved);
    }
  };

export const selectedChecks = {
  'filtered-labels': ({ labels: { request, events, made, mover, stays, last } }: Selected) => {
    for (const [first] of [stays, last])
      equal(first?.type, 'ADDED', `${request}: the first event of an object with the label`);
    for (const { name } of events) {
      if (!made.includes(name)) fail(`${request}: an event of ${name}, which never had the label`);
    }
    const without = mover.events.find(({ type, object }) => type !== 'DELETED' && isOut(object));
    if (without !== undefined) fail(`${request}: ${brief(without.type)} of an object without the label`);
  },
  'filtered-fields': ({ name: { request, status, events, name, version } }: Selected) => {
    // The document names no field: the server says which ones a kind is selected by.
    if (status >= 400 && status <= 499) {
      throw new Unjudged('not-supported', `${request}: no selection by metadata.name`);
    }
    equal(events.at(-1)?.version, version, `${request}: the version of the last event`);
    for (const event of events) equal(event.name, name, `${request}: the name of the object of an event`);
  },
  'filter-entered': eachMove(({ request, mover: { events, entered } }) => {
    equal(events[0]?.type, 'ADDED', `${request}: the first event of an object that starts to match`);
    equal(events[0]?.version, entered, `${request}: its version`);
  }),
  'filter-left': eachMove(({ request, mover: { events, left } }) => {
    const last = events.at(-1);
    equal(last?.type, 'DELETED', `${request}: the last of ${typesOf(events)} of an object that stops to match`);
    equal(last?.version, left, `${request}: its version`);
  }),
};

const isOut = (object: JsonObject): boolean => String(at(object, 'metadata', 'labels', group)).endsWith('-left');
