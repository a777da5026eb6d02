// Watches with selectors: what they leave out, and what enters and leaves their selection.
import { resourceId } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail } from '../support/expect.js';
import { at, brief, type JsonObject } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import type { Scope } from '../support/scope.js';
import type { Stream } from '../support/stream.js';
import { eventsOf, type WatchEvent, type WatchQuery, watching } from '../support/watching.js';
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

/** What a selection told of the objects of the check, and the answers to the changes that moved one of them. */
interface Told {
  readonly request: string;
  readonly status: number;
  readonly events: readonly WatchEvent[];
}

/** Watches a selection while an object moves into it and out, beside one that stays in and one that comes last. */
async function move({ client, scope }: Context, form: Form, { query, into, out }: Selection) {
  const make = async (options: JsonObject) =>
    makeNamed(scope, { ...form, name: scope.name(form.resource) }, { change: options });
  const from = await versionNow(scope, form);
  const names = new Map<string, string>();
  const read = async (stream: Stream): Promise<Told> => {
    const own = (): WatchEvent[] => eventsOf(stream).filter(({ name }) => names.has(name));
    await stream.until(() => own().some(({ name }) => names.get(name) === 'last'));
    return { request: stream.request, status: stream.status, events: own() };
  };
  return watching(client, form.path, { resourceVersion: from, ...query }, async (selected) => {
    const mover = await makeNamed(scope, form, { change: out });
    names.set(mover.name, 'mover');
    return watching(
      client,
      form.path,
      { resourceVersion: from, fieldSelector: `metadata.name=${mover.name}` },
      async (byName) => {
        names.set((await make(into)).name, 'stays');
        const entered = await change(scope, mover, into);
        const left = await change(scope, mover, out);
        names.set((await make(into)).name, 'last');
        const told = await read(selected);
        const seen = await readNamed(scope, mover, byName);
        return { names, mover, entered, left, told, byName: seen };
      },
    );
  });
}

async function readNamed(scope: Scope, mover: Parameters<typeof change>[1], stream: Stream) {
  const { metadata } = await change(scope, mover, labelled('the-end'));
  const version = at(metadata, 'resourceVersion');
  await stream.until(() => eventsOf(stream).some((event) => event.version === version));
  return { request: stream.request, status: stream.status, version, events: eventsOf(stream) };
}

async function selectedWatched({ operation }: OperationSubject, context: Context) {
  const { scope } = context;
  const form = await formOf(operation, scope);
  const field = byField[resourceId(form.resource)];
  const labels = await move(context, form, byLabel(scope.name()));
  if (field === undefined) return { moves: [labels] };
  return { moves: [labels, await move(context, { ...form, name: scope.name(form.resource) }, field)] };
}

export const selectedPerformers = { selectedWatches: selectedWatched };

type Selected = Recorded<typeof selectedWatched>;
type Move = Selected['moves'][number];

/** The events about one of the objects, in their order. */
const about = ({ names, told }: Move, word: string): readonly WatchEvent[] =>
  told.events.filter(({ name }) => names.get(name) === word);

const typesOf = (events: readonly WatchEvent[]): string => events.map(({ type }) => String(type)).join();

function reachesTheEnd(move: Move): void {
  const { request, status } = move.told;
  if (about(move, 'last').length === 0) fail(`${request}, ${status}: nothing of the object that was selected last`);
}

export const selectedChecks = {
  'filtered-labels': ({ moves: [move] }: Selected) => {
    if (move === undefined) return;
    reachesTheEnd(move);
    equal(about(move, 'stays')[0]?.type, 'ADDED', `${move.told.request}: the object that is selected`);
    const { request, events } = move.told;
    const early = events.find(({ name, object }) => move.names.get(name) === 'mover' && isOut(object));
    if (early !== undefined && early.type !== 'DELETED') {
      fail(`${request}: ${brief(early.type)} of an object without the label`);
    }
  },
  'filtered-fields': ({ moves: [move] }: Selected) => {
    if (move === undefined) return;
    const { request, version, events } = move.byName;
    equal(events.at(-1)?.version === version, true, `${request}: the last change of that object is told`);
    for (const { name } of events) equal(name, move.mover.name, `${request}: the name of the object of an event`);
  },
  'filter-entered': ({ moves }: Selected) => {
    for (const move of moves) {
      reachesTheEnd(move);
      const [first] = about(move, 'mover');
      equal(first?.type, 'ADDED', `${move.told.request}: the first event of an object that starts to match`);
      equal(first?.version, versionOf(move.entered), `${move.told.request}: its version`);
    }
  },
  'filter-left': ({ moves }: Selected) => {
    for (const move of moves) {
      reachesTheEnd(move);
      const events = about(move, 'mover');
      const last = events.at(-1);
      equal(
        last?.type,
        'DELETED',
        `${move.told.request}: the last of ${typesOf(events)} of an object that stops to match`,
      );
      equal(last?.version, versionOf(move.left), `${move.told.request}: its version`);
    }
  },
};

const versionOf = (object: JsonObject): string => String(at(object, 'metadata', 'resourceVersion'));

const isOut = (object: JsonObject): boolean => String(at(object, 'metadata', 'labels', group)).endsWith('-left');
