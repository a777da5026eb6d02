// The statements about reads and lists: each shows a state that was current while the request was under way.
import { at, itemsOf, type JsonObject } from '../client/json.js';
import { difference } from '../objects/effects/index.js';
import { bare, type Entry, nameOf, versionOf } from './record.js';
import type { Timeline } from './timeline.js';
import { type Statement, shown, type Violation, violation } from './violation.js';

/** Checks every read and list, in the order of the responses. What one has seen, a later one must see too. */
export function reads(timeline: Timeline, entries: readonly Entry[]): Violation[] {
  const answered = entries
    .filter(({ method }) => method === 'GET')
    .toSorted((one, other) => one.answered - other.answered);
  return answered.flatMap((entry): Violation[] => {
    if (entry.what === 'read') return readOf(timeline, entry);
    if (entry.status !== 200) return [];
    if (entry.what === 'list-exact') return exactListOf(timeline, entry);
    return listOf(timeline, entry);
  });
}

function readOf(timeline: Timeline, entry: Entry): Violation[] {
  const { name = '', status, reply } = entry;
  const window = timeline.window(entry);
  const changesOf = timeline.of(name);
  const current = changesOf.findLast(({ index }) => index <= window.first);
  if (status === 404) {
    if (timeline.statesIn(name, window).includes(undefined)) return [];
    return [violation('reads', `${name} is not found, and it was there all the time`, [entry], [current])];
  }
  if (status !== 200) return [];
  const version = versionOf(reply);
  const index = timeline.indexOf(name, version);
  if (index === undefined)
    return [
      violation('reads', `a read of ${name} shows version ${shown(version)}, which no event shows`, [entry], [current]),
    ];
  const next = changesOf.find((one) => one.index > index);
  if (next !== undefined && next.index <= window.first) {
    const text = `a read of ${name} shows a state that was over before the read was sent`;
    return [violation('reads', text, [entry], [changesOf.find((one) => one.index === index), next])];
  }
  const wrong = difference(bare(reply), timeline.at(name, index));
  if (wrong !== undefined)
    return [
      violation('reads', `a read of ${name} differs from the event of its version: ${wrong}`, [entry], [current]),
    ];
  timeline.see(entry, index);
  return [];
}

/** Returns how items differ from a state; undefined if they do not differ. */
function unlike(items: readonly JsonObject[], state: ReadonlyMap<string, JsonObject>): string | undefined {
  const names = new Set<string>();
  for (const name of items.map(nameOf)) {
    if (names.has(name)) return `${name} is there twice`;
    names.add(name);
  }
  const lost = [...state.keys()].find((name) => !names.has(name));
  if (lost !== undefined) return `${lost} is missing`;
  for (const item of items) {
    const there = state.get(nameOf(item));
    if (there === undefined) return `${nameOf(item)} is there`;
    if (versionOf(item) !== versionOf(there))
      return `${nameOf(item)} has version ${versionOf(item)}, not ${versionOf(there)}`;
  }
  return undefined;
}

function sameObjects(
  statement: Statement,
  entry: Entry,
  items: readonly JsonObject[],
  state: ReadonlyMap<string, JsonObject>,
) {
  return items.flatMap((item): Violation[] => {
    const wrong = difference(bare(item), state.get(nameOf(item)));
    if (wrong === undefined) return [];
    return [violation(statement, `${nameOf(item)} in a list differs from the event of its version: ${wrong}`, [entry])];
  });
}

function listOf(timeline: Timeline, entry: Entry): Violation[] {
  const isPages = entry.what === 'pages';
  const statement = isPages ? 'pages' : 'lists';
  const items = isPages ? (entry.pages ?? []).flatMap(itemsOf) : itemsOf(entry.reply);
  const { first, last } = timeline.window(entry);
  const from = entry.what === 'list-stale' ? 0 : first;
  for (let index = from; index <= last; index += 1) {
    const state = timeline.state(index, entry.side);
    if (unlike(items, state) !== undefined) continue;
    if (entry.what !== 'list-stale') timeline.see(entry, index);
    return sameObjects(statement, entry, items, state);
  }
  if (entry.what === 'list-stale' && items.length === 0 && isBefore(entry.reply, timeline.ordered.version)) return [];
  const versions = items.map((item) => `${nameOf(item)} at ${versionOf(item)}`).join(', ') || 'nothing';
  const text = `${isPages ? 'the pages of a list show' : 'a list shows'} ${versions}, which was not the state at any moment from change ${from} to change ${last}: in the first, ${unlike(items, timeline.state(from, entry.side))}; in the last, ${unlike(items, timeline.state(last, entry.side))}`;
  const around = timeline.ordered.changes.filter(({ index }) => index >= from && index <= last);
  return [violation(statement, text, [entry], around.slice(0, 6))];
}

/** Reports whether a list is of a time before a version, when the history had no object. Only numbers tell. */
function isBefore(list: unknown, version: string): boolean {
  const said = versionOf(list);
  return [said, version].every((text) => /^\d+$/.test(text)) && BigInt(said) < BigInt(version);
}

function exactListOf(timeline: Timeline, entry: Entry): Violation[] {
  const { exact = '', reply } = entry;
  const index = timeline.indexOfVersion(exact);
  if (index === undefined) return [];
  const state = timeline.state(index);
  const items = itemsOf(reply);
  const wrong = unlike(items, state);
  if (wrong !== undefined) {
    const changes = timeline.ordered.changes.filter((change) => change.index === index);
    return [
      violation(
        'exact-lists',
        `the list at version ${exact} is not the state of that version: ${wrong}`,
        [entry],
        changes,
      ),
    ];
  }
  const said = at(reply, 'metadata', 'resourceVersion');
  if (said !== exact)
    return [violation('exact-lists', `the list at version ${exact} says that it is at ${shown(said)}`, [entry])];
  return sameObjects('exact-lists', entry, items, state);
}
