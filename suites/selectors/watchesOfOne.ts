// Selectors on the watch of one object: it is told while it matches, and not while it does not.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, Unjudged } from '../support/expect.js';
import { at, brief, type JsonObject } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import type { Stream } from '../support/stream.js';
import { eventsAbout, eventsOf, type WatchEvent, type WatchQuery, watching } from '../support/watching.js';
import type { Context } from '../support/worker.js';
import { change, formOf, makeNamed, versionNow } from '../watch/forms.js';

const group = 'kube-api-conformance/group';
const labelled = (value: string): JsonObject => ({ metadata: { labels: { [group]: value } } });

/** What a watch told, and how it was answered. */
const seenIn = (stream: Stream) => ({
  request: stream.request,
  status: stream.status,
  events: eventsOf(stream),
});
type Seen = ReturnType<typeof seenIn>;

/** Watches one object without a selector, by its labels before and after a change, and by its name and another. */
export async function watchOneSelected({ operation }: OperationSubject, { client, scope }: Context) {
  const form = await formOf(operation, scope);
  const resourceVersion = await versionNow(scope, form);
  const [before, after] = [form.name, `${form.name}-left`];
  const queries: readonly WatchQuery[] = [
    {},
    { labelSelector: `${group}=${before}` },
    { labelSelector: `${group}=${after}` },
    { fieldSelector: `metadata.name=${form.name}` },
    { fieldSelector: `metadata.name=${scope.name(form.resource)}` },
  ];
  const streams: Stream[] = [];
  const told = (stream: Stream, count: number) => stream.until(() => eventsAbout(form.name, stream).length >= count);
  const watchAll = ([query, ...rest]: readonly WatchQuery[]): Promise<void> =>
    query === undefined
      ? live()
      : watching(client, form.path, { resourceVersion, ...query }, (stream) => {
          streams.push(stream);
          return watchAll(rest);
        });
  const live = async (): Promise<void> => {
    const made = await makeNamed(scope, form, { change: labelled(before) });
    await change(scope, made, labelled(after));
    const [plain, ...selected] = streams;
    // What a watch without a selector does not tell is not waited for on the others.
    if (plain === undefined || !(await told(plain, 2))) return;
    // The last has nothing to tell.
    await Promise.all(selected.slice(0, -1).map((stream, index) => told(stream, index === 2 ? 2 : 1)));
  };
  await watchAll(queries);
  const [plain, first, second, ownName, otherName] = streams.map(seenIn) as [Seen, Seen, Seen, Seen, Seen];
  return { name: form.name, before, after, plain, first, second, ownName, otherName };
}

type Record = Recorded<typeof watchOneSelected>;

const ofName = ({ events }: Seen, wanted: string): WatchEvent[] => events.filter(({ name }) => name === wanted);
/** Where the plain watch tells nothing, the watch chapter says so; no selector can be judged by it. */
const isSilent = ({ plain, name }: Record): boolean => ofName(plain, name).length < 2;

/** Each watch with a labelSelector tells of the object, and not while its labels do not match. */
export function tellsByLabels(record: Record): void {
  if (isSilent(record)) return;
  const { name, before, after, first, second } = record;
  for (const [seen, value] of [
    [first, before],
    [second, after],
  ] as const) {
    equal(seen.status, 200, `${seen.request}: status`);
    const own = ofName(seen, name);
    if (own.length === 0) fail(`${seen.request}: no event of the object, whose labels matched`);
    // A removal may show the object as it was or as it is.
    const strange = own.find(
      ({ type, object }) => type !== 'DELETED' && at(object, 'metadata', 'labels', group) !== value,
    );
    if (strange !== undefined) fail(`${seen.request}: ${brief(strange.type)} of the object, whose labels do not match`);
  }
}

/** The watch with the object's name tells of the object; one with another name tells nothing, or is refused. */
export function tellsByFields(record: Record): void {
  if (isSilent(record)) return;
  const { name, plain, ownName, otherName } = record;
  // The document names no field: the server says which ones a kind is selected by.
  if (ownName.status >= 400 && ownName.status <= 499) {
    throw new Unjudged('not-supported', `${ownName.request}: no selection by metadata.name`);
  }
  equal(ownName.status, 200, `${ownName.request}: status`);
  equal(ofName(ownName, name).length >= 2, true, `${ownName.request}: it tells what ${plain.request} tells`);
  const [strange] = otherName.status === 200 ? otherName.events : [];
  if (strange !== undefined) fail(`${otherName.request}: ${brief(strange.type)} of ${strange.name}`);
}
