// The statement about watches: from any version, a watch is the rest of the order, seen through its selector.

import { difference } from '../objects/effects/index.js';
import type { Side } from './plan.js';
import { bare, type Change, sideIn, type WatchSeen } from './record.js';
import type { Timeline } from './timeline.js';
import { type Violation, violation } from './violation.js';

/** Returns the changes after a state, as a watch of one side, or of one name, shows them. */
export function suffix(timeline: Timeline, from: number, side?: Side, name?: string): Change[] {
  return timeline.ordered.changes.flatMap((change): Change[] => {
    if (change.index <= from || (name !== undefined && change.name !== name)) return [];
    if (side === undefined) return [change];
    const before = timeline.at(change.name, change.index - 1);
    const was = before !== undefined && sideIn(before) === side;
    const is = change.type !== 'DELETED' && sideIn(change.object) === side;
    if (!was && !is) return [];
    return [{ ...change, type: was ? (is ? 'MODIFIED' : 'DELETED') : 'ADDED' }];
  });
}

export function watches(timeline: Timeline, seen: readonly WatchSeen[], marker: string): Violation[] {
  return seen.flatMap((watch) => watchOf(timeline, watch, marker));
}

const upTo = <T extends { readonly name: string }>(events: readonly T[], marker: string): readonly T[] => {
  const end = events.findIndex(({ name }) => name === marker);
  return end === -1 ? events : events.slice(0, end + 1);
};

type Seen = WatchSeen['events'];

/**
 * Finds where a watch from the beginning has shown what was there: its first events add up to a state, from nothing.
 * Returns the index of that state, and the number of these events; of several, those after which most events fit.
 */
function beginning(timeline: Timeline, events: Seen, marker: string) {
  const there = new Map<string, Seen[number]>();
  let best = { index: 0, count: 0, fits: -1 };
  for (const [count, event] of [undefined, ...events].entries()) {
    if (event !== undefined) {
      if ((event.type === 'ADDED') === there.has(event.name)) break;
      if (event.type === 'DELETED') there.delete(event.name);
      else there.set(event.name, event);
    }
    for (let index = 0; index <= timeline.last; index += 1) {
      const state = timeline.state(index);
      const isState =
        state.size === there.size &&
        [...state].every(([name, object]) => difference(bare(there.get(name)?.object), object) === undefined);
      if (!isState) continue;
      const wanted = upTo(suffix(timeline, index), marker);
      const fits = events.slice(count).findIndex((each, place) => !isSame(each, wanted[place]));
      const fitting = fits === -1 ? events.length : fits;
      if (fitting > best.fits) best = { index, count, fits: fitting };
    }
  }
  return best.fits === -1 ? undefined : best;
}

const isSame = (event: Seen[number], want: Change | undefined): boolean =>
  want !== undefined &&
  want.type === event.type &&
  want.name === event.name &&
  // servers differ in the version of a removal
  (event.type === 'DELETED' || want.version === event.version);

function watchOf(timeline: Timeline, watch: WatchSeen, marker: string): Violation[] {
  const { request, from, side, name, isCut, isOver } = watch;
  const statement = side === undefined ? 'watches' : 'selected-watches';
  const all = upTo(watch.events, marker);
  const begun =
    from === undefined ? beginning(timeline, all, marker) : { index: timeline.indexOfVersion(from), count: 0 };
  if (begun === undefined) {
    if (isCut || isOver) return [];
    return [violation(statement, `${request}: the first of ${all.length} events never add up to what was there`, [])];
  }
  const { index, count } = begun;
  if (index === undefined) return [];
  const wanted = upTo(suffix(timeline, index, side, name), marker);
  const events = all.slice(count);
  const told = (event: Pick<Change, 'type' | 'name' | 'version'> | undefined): string =>
    event === undefined ? 'nothing' : `${event.type} ${event.name} at version ${event.version}`;
  for (const [place, event] of events.entries()) {
    const want = wanted[place];
    if (want === undefined || !isSame(event, want)) {
      const text = `${request}: event ${count + place + 1} is ${told(event)}, and the order has ${told(want)}`;
      return [violation(statement, text, [], [want])];
    }
    const wrong = event.type === 'DELETED' ? undefined : difference(bare(event.object), bare(want.object));
    if (wrong !== undefined)
      return [
        violation(statement, `${request}: ${told(event)} differs from the event in the order: ${wrong}`, [], [want]),
      ];
  }
  const next = wanted[events.length];
  if (next === undefined || isCut || isOver) return [];
  return [violation(statement, `${request}: no event shows ${told(next)}`, [], [next])];
}
