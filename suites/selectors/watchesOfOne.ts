// Selectors on the watch of one object: it has events while the object matches, and none while it does not.

import { equal, fail, Unchecked } from '../client/expect.js';
import { at, brief, type JsonObject } from '../client/json.js';
import type { Stream } from '../client/streams/stream.js';
import { eventsAbout, eventsOf, type WatchEvent, type WatchQuery, watching } from '../client/streams/watches.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Recorded } from '../run/group.js';
import type { Context } from '../run/worker.js';
import { change, formOf, makeNamed, versionNow } from '../watch/forms.js';

const labelled = (value: string): JsonObject => ({ metadata: { labels: { [groupLabel]: value } } });

/** Returns the request, the status and the events of a watch. */
const seenIn = (stream: Stream) => ({
  request: stream.request,
  status: stream.status,
  events: eventsOf(stream),
});
type WatchedEvents = ReturnType<typeof seenIn>;

/** Watches one object without a selector, by its labels before and after a change, by its name, and by another name. */
export async function watchOneSelected({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const resourceVersion = await versionNow(sandbox, form);
  const [before, after] = [form.name, `${form.name}-left`];
  const queries: readonly WatchQuery[] = [
    {},
    { labelSelector: `${groupLabel}=${before}` },
    { labelSelector: `${groupLabel}=${after}` },
    { fieldSelector: `metadata.name=${form.name}` },
    { fieldSelector: `metadata.name=${sandbox.name(form.resource)}` },
  ];
  const streams: Stream[] = [];
  const received = (stream: Stream, count: number) =>
    stream.until(() => eventsAbout(form.name, stream).length >= count);
  const watchAll = ([query, ...rest]: readonly WatchQuery[]): Promise<void> =>
    query === undefined
      ? live()
      : watching(client, form.path, { resourceVersion, ...query }, (stream) => {
          streams.push(stream);
          return watchAll(rest);
        });
  const live = async (): Promise<void> => {
    const made = await makeNamed(sandbox, form, { change: labelled(before) });
    await change(sandbox, made, labelled(after));
    const [plain, ...selected] = streams;
    // If the watch without a selector has no events, the others are not waited for.
    if (plain === undefined || !(await received(plain, 2))) return;
    // The last watch has no events.
    await Promise.all(selected.slice(0, -1).map((stream, index) => received(stream, index === 2 ? 2 : 1)));
  };
  await watchAll(queries);
  const [plain, first, second, ownName, otherName] = streams.map(seenIn) as [
    WatchedEvents,
    WatchedEvents,
    WatchedEvents,
    WatchedEvents,
    WatchedEvents,
  ];
  return { name: form.name, before, after, plain, first, second, ownName, otherName };
}

type Record = Recorded<typeof watchOneSelected>;

const ofName = ({ events }: WatchedEvents, wanted: string): WatchEvent[] =>
  events.filter(({ name }) => name === wanted);
/** Reports whether the plain watch lacks events: the watch chapter checks that, and the selectors cannot be checked. */
const isSilent = ({ plain, name }: Record): boolean => ofName(plain, name).length < 2;

/** Throws Failure unless each watch with a labelSelector has events of the object, and only while it matches. */
export function followsLabelSelector(record: Record): void {
  if (isSilent(record)) return;
  const { name, before, after, first, second } = record;
  for (const [seen, value] of [
    [first, before],
    [second, after],
  ] as const) {
    equal(seen.status, 200, `${seen.request}: status`);
    const own = ofName(seen, name);
    if (own.length === 0) fail(`${seen.request}: no event of the object, whose labels matched`);
    // A DELETED event may have the object as it was or as it is.
    const mismatched = own.find(
      ({ type, object }) => type !== 'DELETED' && at(object, 'metadata', 'labels', groupLabel) !== value,
    );
    if (mismatched !== undefined)
      fail(`${seen.request}: ${brief(mismatched.type)} of the object, whose labels do not match`);
  }
}

/** Throws Failure unless the watch with the object's name has its events, and the other has none or is refused. */
export function followsFieldSelector(record: Record): void {
  if (isSilent(record)) return;
  const { name, plain, ownName, otherName } = record;
  // The document names no field: the server decides by which fields a kind is selected.
  if (ownName.status >= 400 && ownName.status <= 499) {
    throw new Unchecked('not-supported', `${ownName.request}: no selection by metadata.name`);
  }
  equal(ownName.status, 200, `${ownName.request}: status`);
  equal(ofName(ownName, name).length >= 2, true, `${ownName.request}: it tells what ${plain.request} tells`);
  const [mismatched] = otherName.status === 200 ? otherName.events : [];
  if (mismatched !== undefined) fail(`${otherName.request}: ${brief(mismatched.type)} of ${mismatched.name}`);
}
