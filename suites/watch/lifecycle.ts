// The events of one object that is created, changed and deleted.

import { apiVersionOf } from '../../matrix/api/index.js';
import { equal, fail, holds, oneOf, Prerequisite } from '../client/expect.js';
import { at, brief, endOf, isObject, type JsonObject } from '../client/json.js';
import { eventsAbout, eventsOf, type WatchEvent } from '../client/streams/watches.js';
import { whenControlled } from '../objects/controllers.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { hasStatedFields, isValid } from '../objects/schemas/validate.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { change, formOf, makeNamed, watchFromNow } from './forms.js';
import { remove } from './removal.js';

const changed = 'kube-api-conformance/changed';
const mark = { metadata: { labels: { [changed]: 'patched' } } };

/** Seconds of the watch: a controller that finishes a delete may be away for a while. */
const timeoutSeconds = 600;

/** Waits for the controller that may have to finish a delete. Returns what is left of the object. */
async function leftOf(sandbox: Sandbox, made: CreatedObject): Promise<JsonObject | undefined> {
  const look = () => sandbox.current(made);
  try {
    return await whenControlled(sandbox, look, (object) => object === undefined);
  } catch (error) {
    if (error instanceof Prerequisite) return look();
    throw error;
  }
}

/** Watches while an object is created, patched and deleted. */
async function liveWatched({ operation }: OperationSubject, context: Context) {
  const { sandbox } = context;
  const form = await formOf(operation, sandbox);
  return watchFromNow(context, form, { timeoutSeconds }, async (stream) => {
    const about = (): WatchEvent[] => eventsAbout(form.name, stream);
    const made = await makeNamed(sandbox, form);
    const patched = await change(sandbox, made, mark);
    await remove(sandbox, made);
    const isTold = () => about().some(({ type }) => type === 'DELETED');
    // Where the object is still there, there is nothing to tell.
    const left = (await stream.until(isTold)) ? undefined : await leftOf(sandbox, made);
    if (left === undefined) await stream.until(isTold);
    const { request, status } = stream;
    return { form, made, patched, left, request, status, all: eventsOf(stream), own: about() };
  });
}

type Life = Recorded<typeof liveWatched>;

/** Returns the first event of a type about the object. Throws Failure if there is none. */
function eventOfType(
  { own, request, status }: Life,
  type: string,
  which: (event: WatchEvent) => boolean = () => true,
): WatchEvent {
  const found = own.find((event) => event.type === type && which(event));
  if (found !== undefined) return found;
  return fail(
    `${request}, ${status}: no ${type} event of that object; its events are ${brief(own.map((event) => event.type))}`,
  );
}

/** Returns the removal. Throws Prerequisite if the object is still there, being deleted: the watch is not to blame. */
function removalIn(life: Life): WatchEvent {
  const { own, left, made, form } = life;
  const isThere = at(left, 'metadata', 'uid') === at(made.object, 'metadata', 'uid');
  if (!own.some(({ type }) => type === 'DELETED') && isThere && endOf(left) !== undefined)
    throw new Prerequisite(`the delete of ${form.name} is not finished: it is there since ${endOf(left)}`);
  return eventOfType(life, 'DELETED');
}

const isMarked = ({ object }: WatchEvent): boolean => at(object, 'metadata', 'labels', changed) === 'patched';

const versionOf = (object: JsonObject): string => String(at(object, 'metadata', 'resourceVersion'));

/** Throws Failure unless the object of an event equals the response to the write. */
function hasObjectOf({ form, request }: Life, { type, object }: WatchEvent, answer: JsonObject): void {
  const { resource } = form;
  const what = `${request}: the object of ${brief(type)}`;
  holds(object, { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind }, what);
  holds(object, answer, what);
}

/** Throws Failure unless a version is newer. Versions that are not numbers only have to differ. */
function isNewer(version: string, than: string, what: string): void {
  const numbers = [version, than].every((text) => /^\d+$/.test(text));
  if (version === '' || version === than || (numbers && BigInt(version) < BigInt(than))) {
    fail(`${what}: ${brief(version)} is not newer than ${brief(than)}`);
  }
}

export const lifeGroups = [
  group({
    subjects: 'watchForms',
    setup: liveWatched,
    checks: {
      status: ({ status, request }) => equal(status, 200, `${request}: status`),
      added: (life) => {
        const { version } = eventOfType(life, 'ADDED');
        equal(version, versionOf(life.made.object), `${life.request}: the version of ADDED`);
        equal(life.own[0]?.type, 'ADDED', `${life.request}: the first event of that object`);
      },
      updated: (life) => {
        const { version } = eventOfType(life, 'MODIFIED', isMarked);
        equal(version, versionOf(life.patched), `${life.request}: the version of MODIFIED`);
      },
      removed: (life) => {
        const removal = removalIn(life);
        equal(life.own.at(-1) === removal, true, `${life.request}: DELETED is the last event of that object`);
      },
      'event-envelope': ({ all, own, request }) => {
        if (own.length === 0) fail(`${request}: no event of that object`);
        for (const { type, streamed } of all) {
          const keys = isObject(streamed.value) ? Object.keys(streamed.value).toSorted() : [];
          equal(keys.join(), 'object,type', `${request}: the fields of an event`);
          oneOf(type, ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'], `${request}: the type of an event`);
          if (!isObject(at(streamed.value, 'object')))
            fail(`${request}: the object of ${brief(type)} is not an object`);
        }
      },
      'event-object': (life) => {
        hasObjectOf(life, eventOfType(life, 'ADDED'), life.made.object);
        hasObjectOf(life, eventOfType(life, 'MODIFIED', isMarked), life.patched);
      },
      'event-fields': ({ own, request }) => {
        if (own.length === 0) fail(`${request}: no event of that object`);
        for (const { type, object } of own) hasStatedFields(object, `${request}: the object of ${brief(type)}`);
      },
      'event-schema': ({ own, request }) => {
        if (own.length === 0) fail(`${request}: no event of that object`);
        for (const { type, object } of own) isValid(object, `${request}: the object of ${brief(type)}`);
      },
      'removed-last-state': (life) => {
        const { object, version } = removalIn(life);
        const { made, patched, request } = life;
        const uid = at(made.object, 'metadata', 'uid') ?? null;
        holds(object, made.sent, `${request}: the object of DELETED`);
        holds(object, { metadata: { ...mark.metadata, uid } }, `${request}: the object of DELETED`);
        isNewer(version, versionOf(patched), `${request}: the version of DELETED`);
      },
      framing: ({ all, own, request }) => {
        if (own.length === 0) fail(`${request}: no event of that object`);
        for (const { streamed } of all) {
          if (streamed.value === undefined)
            fail(`${request}: an event is not JSON: ${brief(streamed.bytes.toString())}`);
        }
        // Bytes after the last event were not waited for.
        for (const { streamed } of all.slice(0, -1)) {
          if (!streamed.endsLine)
            fail(`${request}: an event does not end its line: ${brief(streamed.bytes.toString())}`);
        }
      },
    },
  }),
];
