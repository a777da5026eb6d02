// Bookmarks: versions from which a watch can continue, sent without other events.
import { apiVersionOf } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, holds, Unchecked } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { Stream } from '../client/streams/stream.js';
import { eventsAbout, eventsOf, type WatchEvent, watching } from '../client/streams/watches.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { formOf, makeNamed, versionNow, type WatchForm } from './forms.js';

/** Servers send bookmarks once a minute and about two seconds before the timeout of a watch; some never do. */
const timeoutSeconds = 3;
const margin = 1_000;

const isBookmark = ({ type }: WatchEvent): boolean => type === 'BOOKMARK';

/** Watches with and without bookmarks until the first bookmark arrives, then continues from its version. */
async function bookmarked({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const later: WatchForm = { ...form, name: sandbox.name(form.resource) };
  const query = { resourceVersion: await versionNow(sandbox, form), timeoutSeconds };
  return watching(client, form.path, query, (plain) =>
    watching(client, form.path, { ...query, allowWatchBookmarks: true }, async (marked) => {
      const before = await makeNamed(sandbox, form);
      await marked.until(() => eventsOf(marked).some(isBookmark), timeoutSeconds * 1_000 + margin);
      const events = eventsOf(marked);
      const end = events.findIndex(isBookmark);
      const bookmark = events[end];
      // A slow server may send the bookmark first.
      const isShown = events.slice(0, end).some(({ name, type }) => name === form.name && type === 'ADDED');
      await makeNamed(sandbox, later);
      // The watch may have reached its timeout already.
      await plain.until(() => eventsAbout(later.name, plain).length > 0);
      const toldAt = eventsAbout(later.name, plain)[0]?.streamed.at ?? Number.POSITIVE_INFINITY;
      // What comes shortly before the end of one watch may come after that of the other.
      const isDue = toldAt < timeoutSeconds * 1_000 - margin;
      if (isDue) await marked.until(() => eventsAbout(later.name, marked).length > 0);
      return {
        after: isDue ? typesAbout(later.name, marked) : undefined,
        form,
        before,
        bookmark,
        isShown,
        request: marked.request,
        plain: { request: plain.request, status: plain.status, events: eventsOf(plain) },
        resumed: bookmark && (await resumedFrom(client, form, bookmark.version, later.name)),
      };
    }),
  );
}

const typesAbout = (name: string, stream: Stream): string => brief(eventsAbout(name, stream).map(typeOf));

/** Watches a form from a bookmark until the create of a later object, and counts the creates of both objects. */
function resumedFrom(client: Client, form: WatchForm, resourceVersion: string, later: string) {
  return watching(client, form.path, { resourceVersion }, async (stream) => {
    await stream.until(() => eventsAbout(later, stream).length > 0);
    const added = (name: string) => eventsAbout(name, stream).filter(({ type }) => type === 'ADDED').length;
    return { request: stream.request, before: added(form.name), later: added(later) };
  });
}

const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * Watches with initial events, waits for the bookmark that ends them, and creates an object. A second watch selects one of
 * the objects by its label.
 */
async function begunWithAll({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const id = sandbox.name();
  const made = [await makeNamed(sandbox, form, { labels: { [groupLabel]: id } }), await sandbox.make(form.resource)];
  const asked = { sendInitialEvents: true, allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' };
  return watching(client, form.path, asked, async (stream) => {
    await stream.until(() => eventsOf(stream).some(isBookmark));
    const { request, status, refusal } = stream;
    const events = eventsOf(stream);
    const end = events.find(isBookmark);
    const later: WatchForm = { ...form, name: sandbox.name(form.resource) };
    if (end !== undefined) await makeNamed(sandbox, later);
    if (end !== undefined) await stream.until(() => eventsAbout(later.name, stream).length > 0);
    const after = typesAbout(later.name, stream);
    const resumed = end && (await resumedFrom(client, form, end.version, later.name));
    const selected = await watching(
      client,
      form.path,
      { ...asked, labelSelector: `${groupLabel}=${id}` },
      async (selecting) => {
        await selecting.until(() => eventsOf(selecting).some(isBookmark));
        const names = eventsOf(selecting).flatMap((event) => (isBookmark(event) ? [] : [event.name]));
        return { request: selecting.request, names };
      },
    );
    return { form, made, request, status, refusal, events, after, resumed, selected };
  });
}

/** Throws Failure unless a bookmark has the watched kind and a version. */
function marksVersion({ resource }: WatchForm, { object, version }: WatchEvent, request: string): void {
  const what = `${request}: the object of BOOKMARK`;
  holds(object, { kind: resource.kind, apiVersion: apiVersionOf(resource.groupVersion) }, what);
  if (version === '') fail(`${what} has no resourceVersion`);
}

/** Throws Failure unless the events of an object that was created after a bookmark are its addition, perhaps with changes. */
function goesOn(after: string, request: string): void {
  equal(after.startsWith('["ADDED"'), true, `${request}, after BOOKMARK: the events of a later object: ${after}`);
}

export const bookmarkGroups = [
  group({
    subjects: 'bookmarkedWatches',
    setup: bookmarked,
    checks: {
      bookmarks: ({ form, before, bookmark, isShown, after, resumed, request }) => {
        // Servers promise no bookmark at any time, least of all in a short watch.
        if (bookmark === undefined || resumed === undefined)
          throw new Unchecked('skipped', `${request}: no BOOKMARK before the timeout`);
        marksVersion(form, bookmark, request);
        if (after !== undefined) goesOn(after, request);
        const { name } = before;
        const when = isShown ? 'before' : 'after';
        equal(
          resumed.before,
          isShown ? 0 : 1,
          `${resumed.request}, from a bookmark: ADDED of ${name}, told ${when} it`,
        );
        equal(resumed.later, 1, `${resumed.request}, from a bookmark: ADDED of an object that was created after it`);
      },
      'bookmarks-asked': ({ plain: { request, status, events } }) => {
        equal(status, 200, `${request}: status`);
        const bookmark = events.find(isBookmark);
        if (bookmark !== undefined) fail(`${request}: nobody asked for ${brief(bookmark.streamed.value)}`);
      },
    },
  }),
  group({
    subjects: 'initialEvents',
    setup: begunWithAll,
    checks: {
      'initial-events': ({ form, made, request, status, refusal, events, after, resumed, selected }) => {
        const missing = [gateLack(refusal), ...events.map(storageLack)].find((lack) => lack !== undefined);
        if (missing !== undefined) throw new Unchecked('not-supported', `${request}: ${missing}`);
        equal(status, 200, `${request}: ${refusal?.excerpt() ?? 'status'}`);
        const end = events.findIndex(isBookmark);
        const bookmark = events[end];
        if (bookmark === undefined) return fail(`${request}: no BOOKMARK; the events are ${brief(events.map(typeOf))}`);
        marksVersion(form, bookmark, request);
        const mark = at(bookmark.object, 'metadata', 'annotations', initialEventsEnd);
        equal(mark, 'true', `${request}: the annotation ${initialEventsEnd} of BOOKMARK`);
        for (const { name } of made) {
          const added = events.slice(0, end).filter((event) => event.name === name && event.type === 'ADDED');
          equal(added.length, 1, `${request}: ADDED of ${name} before BOOKMARK`);
        }
        goesOn(after, request);
        equal(brief(selected.names), brief([form.name]), `${selected.request}: the objects before BOOKMARK`);
        const { before = 0, later = 0, request: next = '' } = resumed ?? {};
        equal(before, 0, `${next}, from that BOOKMARK: ADDED of ${form.name}, told before it`);
        equal(later, 1, `${next}, from that BOOKMARK: ADDED of an object that was created after it`);
      },
    },
  }),
];

/** Returns what a refusal says of a feature that the owner of a target, or the version that it emulates, has disabled. */
function gateLack(refusal: Reply | undefined): string | undefined {
  const message = refusal?.status === 422 ? String(at(refusal.tryValue(), 'message') ?? '') : '';
  return /\bforbidden for watch unless the \w+ feature gate is enabled/.exec(message)?.[0];
}

/** Returns what an ERROR says of a storage that cannot tell how far it is, such as an etcd before 3.4.25. */
function storageLack({ type, object }: WatchEvent): string | undefined {
  const message = type === 'ERROR' ? String(at(object, 'message') ?? '') : '';
  return /required storage feature \w+ is disabled/.exec(message)?.[0];
}

const typeOf = ({ type }: WatchEvent): string => String(type);
