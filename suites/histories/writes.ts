// The statements about writes: each is in the order once, does what the model says, and is refused only for a reason.
import { at, brief, isEnding, type JsonObject } from '../client/json.js';
import { difference } from '../objects/effects/index.js';
import { changedByNobody, isWithoutEffect, letsGo, wrongEffect } from './model.js';
import { bare, type Change, type Entry, isDone, isRefused, sideIn, stepIn, versionOf } from './record.js';
import { isAlive, type Timeline } from './timeline.js';
import { type Violation, violation } from './violation.js';
import { uidOf } from './watchers.js';

const deletes = new Set(['delete', 'delete-selected']);
const isWrite = ({ method }: Entry): boolean => method !== 'GET';

/** A write and the change that it made. */
export interface Match {
  readonly entry: Entry;
  readonly change: Change;
}

/** Finds the change of each acknowledged write, and tells the timeline when it was made. */
export function matched(timeline: Timeline, entries: readonly Entry[]): { matches: Match[]; found: Violation[] } {
  const matches: Match[] = [];
  const found: Violation[] = [];
  const claimed = new Map<Change, Entry>();
  const writes = entries.filter((entry) => isWrite(entry) && isDone(entry) && !deletes.has(entry.what));
  // writes without an annotation of their own may have changed nothing: they come last
  const ordered = [
    ...writes.filter(({ step }) => step !== undefined),
    ...writes.filter(({ step }) => step === undefined),
  ];
  for (const entry of ordered) {
    const name = entry.name ?? '';
    const version = versionOf(entry.reply);
    const shown = timeline.of(name).filter((change) => change.type !== 'DELETED' && change.version === version);
    const [change, again] = shown;
    if (again !== undefined)
      found.push(violation('order', `one write has two events: ${entry.what} of ${name}`, [entry], shown));
    const isOwn = change !== undefined && (entry.step === undefined || stepIn(change.object) === entry.step);
    // a write may be the last that an object waits for, which then is deleted instead
    if (!isOwn && isLastWrite(timeline, entry, name)) continue;
    if (change === undefined) {
      if (isOfStart(entry, timeline.start.get(name))) continue;
      const text = `the ${entry.what} of ${name} was acknowledged with version ${brief(version)}, and no event shows it`;
      found.push(violation('order', text, [entry]));
      continue;
    }
    // without a step of its own, a write may have met what it asks for, and shows the version of another write
    if (entry.step === undefined && isWithoutEffect(entry, timeline.at(name, change.index - 1))) continue;
    const other = claimed.get(change);
    if (other !== undefined) {
      if (isWithoutEffect(entry, bare(change.object))) continue;
      found.push(violation('order', `two acknowledged writes have one version`, [other, entry], [change]));
      continue;
    }
    claimed.set(change, entry);
    matches.push({ entry, change });
  }
  for (const { entry, change } of matches) timeline.know(entry, change.index);
  return { matches, found };
}

/** Reports whether a write is older than the order, or asked for what was there when the order began. */
function isOfStart(entry: Entry, first: JsonObject | undefined): boolean {
  // a controller may have written the first object since
  if (entry.step !== undefined) return stepIn(first) === entry.step;
  return versionOf(first) === versionOf(entry.reply) && isWithoutEffect(entry, first);
}

function isLastWrite(timeline: Timeline, entry: Entry, name: string): boolean {
  const changes = timeline.changesIn(name, timeline.window(entry));
  return changes.some(({ type, index }) => type === 'DELETED' && letsGo(entry, timeline.at(name, index - 1)));
}

/** Checks that the order respects real time. */
export function inRealTime(matches: readonly Match[]): Violation[] {
  const byIndex = matches.toSorted((one, other) => one.change.index - other.change.index);
  let latest: Match | undefined;
  for (const match of byIndex) {
    if (latest !== undefined && match.entry.answered < latest.entry.sent) {
      const text = 'a write was acknowledged before another was sent, and comes after it in the order';
      return [violation('order', text, [match.entry, latest.entry], [latest.change, match.change])];
    }
    if (latest === undefined || match.entry.sent > latest.entry.sent) latest = match;
  }
  return [];
}

/** Checks what each acknowledged write made of its object. */
export function effects(timeline: Timeline, matches: readonly Match[]): Violation[] {
  return matches.flatMap(({ entry, change }): Violation[] => {
    const { name, index, type, object } = change;
    const before = timeline.at(name, index - 1);
    const isCreate = entry.what === 'create' || entry.what === 'generate';
    const previous = timeline.of(name).findLast((one) => one.index < index);
    if (before !== undefined && versionOf(before) === change.version)
      return [violation('order', `an event shows ${name} as it was before`, [entry], [previous, change])];
    if (isCreate && before !== undefined)
      return [
        violation('conflicts', `a create of ${name} succeeded while the object was there`, [entry], [previous, change]),
      ];
    if (entry.method === 'PATCH' && before === undefined)
      return [
        violation('effects', `a patch of ${name} succeeded, and there was no object`, [entry], [previous, change]),
      ];
    if (entry.base !== undefined && before !== undefined && versionOf(before) !== entry.base) {
      const text = `the ${entry.what} of ${name} on condition of version ${entry.base} won against version ${versionOf(before)}`;
      return [violation('conflicts', text, [entry], [previous, change])];
    }
    if (type !== (before === undefined ? 'ADDED' : 'MODIFIED')) {
      const text = `${type} of ${name}, which was ${before === undefined ? 'not ' : ''}there before`;
      return [violation('order', text, [entry], [previous, change])];
    }
    const wrong = wrongEffect(entry, before, object, timeline.shape);
    if (wrong !== undefined)
      return [violation('effects', `after the ${entry.what} of ${name}: ${wrong}`, [entry], [previous, change])];
    const answer = entry.what === 'scale' ? undefined : difference(bare(entry.reply), bare(object));
    if (answer !== undefined) {
      const text = `the response to the ${entry.what} of ${name} differs from the event: ${answer}`;
      return [violation('effects', text, [entry], [change])];
    }
    return [];
  });
}

/** Reports whether a delete may have made a change: it was not refused, and it was under way. */
function mayDelete(timeline: Timeline, entry: Entry, { name, index }: Change): boolean {
  if (isRefused(entry)) return false;
  const window = timeline.window(entry);
  if (index <= window.first || index > window.last) return false;
  const before = timeline.at(name, index - 1);
  if (entry.what === 'delete') return entry.name === name && (entry.uid === undefined || uidOf(before) === entry.uid);
  if (entry.what === 'delete-selected')
    return timeline.statesIn(name, window).some((state) => state !== undefined && sideIn(state) === entry.side);
  return entry.name === name && isWrite(entry) && letsGo(entry, before);
}

/** Tells the timeline when each object was removed whose removal only one acknowledged request explains. */
export function knowDeletes(timeline: Timeline, entries: readonly Entry[], isRemovedByOthers: boolean): void {
  if (isRemovedByOthers) return;
  const known = timeline.ordered.changes.flatMap((change) => {
    if (change.type !== 'DELETED') return [];
    const [entry, other] = entries.filter((one) => mayDelete(timeline, one, change));
    return entry?.what === 'delete' && isDone(entry) && other === undefined ? [{ entry, index: change.index }] : [];
  });
  for (const { entry, index } of known) if (!isHeldBefore(timeline, entry, index)) timeline.know(entry, index);
}

/** Reports whether the object was marked before it was removed: then its removal may have come after the response. */
const isHeldBefore = (timeline: Timeline, { name = '' }: Entry, index: number): boolean =>
  isEnding(timeline.at(name, index - 1));

/** Checks that every change has a request that made it. Controllers may write too, but nothing that is the history's. */
export function explained(
  timeline: Timeline,
  entries: readonly Entry[],
  matches: readonly Match[],
  isRemovedByOthers: boolean,
): Violation[] {
  const claimed = new Set(matches.map(({ change }) => change));
  const byStep = new Map(entries.map((entry) => [entry.step, entry]));
  const isDeleted = (change: Change): boolean => entries.some((entry) => mayDelete(timeline, entry, change));
  return timeline.ordered.changes.flatMap((change): Violation[] => {
    if (claimed.has(change)) return [];
    const { name, index, type, object } = change;
    const before = timeline.at(name, index - 1);
    const previous = timeline.of(name).findLast((one) => one.index < index);
    const refused = entries.filter((entry) => isRefused(entry) && entry.name === name);
    if (type === 'DELETED') {
      if (before === undefined)
        return [violation('order', `DELETED of ${name}, which was not there before`, [], [previous, change])];
      if (isEnding(before) || isRemovedByOthers || isDeleted(change)) return [];
      const deletes = refused.filter(({ what, status }) => what === 'delete' && status !== 404);
      const statement = deletes.length > 0 ? 'failed-writes' : 'order';
      return [violation(statement, `${name} is removed, and no request removes it`, deletes, [previous, change])];
    }
    const step = stepIn(object);
    const writer = typeof step === 'string' && step !== stepIn(before) ? byStep.get(step) : undefined;
    if (writer !== undefined && isRefused(writer)) {
      const text = `the ${writer.what} of ${name} was refused, and the order has its effect`;
      return [violation('failed-writes', text, [writer], [previous, change])];
    }
    if (writer !== undefined && isDone(writer)) {
      const text = `the order has the effect of the ${writer.what} of ${name} once more`;
      return [violation('order', text, [writer], [previous, change])];
    }
    if (writer !== undefined) return [];
    if (before === undefined)
      return [violation('order', `${name} appears, and no request creates it`, [], [previous, change])];
    if (type !== 'MODIFIED')
      return [violation('order', `${type} of ${name}, which was there before`, [], [previous, change])];
    if (isEnding(object) && !isEnding(before) && !isRemovedByOthers && !isDeleted(change))
      return [violation('order', `${name} is marked as deleted, and no request deletes it`, [], [previous, change])];
    const wrong = changedByNobody(before, bare(object));
    return wrong === undefined
      ? []
      : [violation('effects', `${name} changes, and no request changes it: ${wrong}`, [], [previous, change])];
  });
}

/** Checks that each acknowledged delete has an effect. */
export function deleted(timeline: Timeline, entries: readonly Entry[]): Violation[] {
  return entries.flatMap((entry): Violation[] => {
    if (!deletes.has(entry.what) || !isDone(entry)) return [];
    const window = timeline.window(entry);
    const stays = (name: string): boolean =>
      timeline
        .statesIn(name, window)
        .every((state) => isAlive(state) && (entry.side === undefined || sideIn(state) === entry.side));
    const names = entry.name === undefined ? timeline.state(window.first).keys() : [entry.name];
    return [...names].filter(stays).map((name) => {
      const next = timeline.of(name).find(({ index }) => index > window.last);
      const last = timeline.of(name).findLast(({ index }) => index <= window.last);
      return violation('effects', `the ${entry.what} was acknowledged, and ${name} stays`, [entry], [last, next]);
    });
  });
}

/** Checks that each write that was refused for the state of its object had such a state to meet. */
export function refusals(timeline: Timeline, entries: readonly Entry[]): Violation[] {
  return entries.flatMap((entry): Violation[] => {
    const { name, status, what, base } = entry;
    if (!isWrite(entry) || name === undefined || (status !== 409 && status !== 404)) return [];
    const window = timeline.window(entry);
    const states = timeline.statesIn(name, window);
    const isAbsent = states.some((state) => state === undefined);
    const last = timeline.of(name).findLast(({ index }) => index <= window.first);
    const wrong = (why: string): Violation[] => [violation('conflicts', `${why}: ${name}`, [entry], [last])];
    if (status === 404) {
      if (what === 'status' || what === 'scale' || what === 'create' || isAbsent) return [];
      return wrong(`the ${what} of an object that was there is refused with 404`);
    }
    if (what === 'create')
      return states.some((state) => state !== undefined)
        ? []
        : wrong('a create is refused with 409, and nothing has the name');
    const uid = entry.uid ?? at(entry.sentBody, 'metadata', 'uid');
    const isOther = uid !== undefined && states.some((state) => uidOf(state) !== uid);
    if (isAbsent || isOther) return [];
    if (base !== undefined && states.every((state) => versionOf(state) === base))
      return wrong(`the ${what} is refused with 409, and its version ${base} was the current one`);
    if (base === undefined && timeline.changesIn(name, window).length === 0 && !states.some((state) => isEnding(state)))
      return wrong(`the ${what} without a version is refused with 409, and no other write was under way`);
    return [];
  });
}
