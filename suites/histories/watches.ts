// The statement about watches: from any version, a watch is the rest of the order, seen through its selector.

import { difference } from '../objects/effects/index.js';
import type { Side } from './plan.js';
import { bare, type Change, sideIn, type WatchSeen } from './record.js';
import type { Timeline } from './timeline.js';
import { type Violation, violation } from './violation.js';

/** Returns the changes after a state, as a watch of one side shows them. */
export function suffix(timeline: Timeline, from: number, side: Side | undefined): Change[] {
  return timeline.ordered.changes.flatMap((change): Change[] => {
    if (change.index <= from) return [];
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

function watchOf(timeline: Timeline, watch: WatchSeen, marker: string): Violation[] {
  const { request, from, side, isCut, isOver } = watch;
  const index = timeline.indexOfVersion(from);
  if (index === undefined) return [];
  const statement = side === undefined ? 'watches' : 'selected-watches';
  const wanted = upTo(suffix(timeline, index, side), marker);
  const events = upTo(watch.events, marker);
  const told = (event: Pick<Change, 'type' | 'name' | 'version'> | undefined): string =>
    event === undefined ? 'nothing' : `${event.type} ${event.name} at version ${event.version}`;
  for (const [place, event] of events.entries()) {
    const want = wanted[place];
    const isSame =
      want !== undefined &&
      want.type === event.type &&
      want.name === event.name &&
      // servers differ in the version of a removal
      (event.type === 'DELETED' || want.version === event.version);
    if (!isSame) {
      const text = `${request}: event ${place + 1} is ${told(event)}, and the order has ${told(want)}`;
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
