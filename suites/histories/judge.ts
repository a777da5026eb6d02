// Judges a history: returns what contradicts the document's rules, held against the order of the server.

import { reads } from './reads.js';
import type { History, Ordered } from './record.js';
import { Timeline } from './timeline.js';
import { type Violation, violation } from './violation.js';
import { watches } from './watches.js';
import { deleted, effects, explained, inRealTime, knowDeletes, matched, refusals } from './writes.js';

/**
 * The most changes for each request that is no read, and for a history: controllers change objects too. A target chooses
 * how many there are, and each list is held against all of them.
 */
const most = { perWrite: 100, besides: 1_000 } as const;

/** Returns the violations of a history; none for a history of a correct server. */
export function judged(history: History): Violation[] {
  return history.orders.flatMap((ordered) => judgedIn(history, ordered));
}

function judgedIn({ entries: all, watches: seen, isRemovedByOthers, marker }: History, ordered: Ordered): Violation[] {
  const { place, request, isComplete } = ordered;
  if (!isComplete)
    return [
      violation('order', `${request}: the object that was created last does not appear`, [], ordered.changes.slice(-3)),
    ];
  const entries = all.filter((entry) => entry.place === place);
  const writes = entries.filter(({ method }) => method !== 'GET').length;
  if (ordered.changes.length > most.perWrite * writes + most.besides)
    return [violation('order', `${request}: ${ordered.changes.length} changes, for ${writes} writes`, [])];
  const timeline = new Timeline(ordered);
  const { matches, found } = matched(timeline, entries);
  const inTime = inRealTime(matches);
  // where the order contradicts real time, no window of a request is known
  if (inTime.length > 0) return [...found, ...inTime];
  knowDeletes(timeline, entries, isRemovedByOthers);
  return [
    ...found,
    ...effects(timeline, matches),
    ...explained(timeline, entries, matches, isRemovedByOthers),
    ...deleted(timeline, entries),
    ...refusals(timeline, entries),
    ...reads(timeline, entries),
    ...watches(
      timeline,
      seen.filter((watch) => watch.place === place),
      marker,
    ),
  ];
}
