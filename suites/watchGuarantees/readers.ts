// Readers of concurrent writes: each watches in its own way until it has seen every write, or its timeout is over.
import type { Client } from '../client/client.js';
import { at } from '../client/json.js';
import type { Stream } from '../client/streams/stream.js';
import { eventsOf, type WatchEvent, type WatchQuery, watching } from '../client/streams/watches.js';
import type { AcknowledgedWrite } from './writers.js';

/** The existing objects, as name → version. */
export type State = ReadonlyMap<string, string>;

/** The request, the events and the expectations of one reader. */
export interface Observation {
  readonly request: string;
  readonly status: number;
  readonly start: State;
  /** The events about the objects of the writers, in the order of arrival. */
  readonly events: readonly WatchEvent[];
  /** All writes to the watched objects, and the writes that must have an event. */
  readonly writes: readonly AcknowledgedWrite[];
  readonly expected: readonly AcknowledgedWrite[];
  /** The state in the list after the writes. */
  readonly final: State;
}

/** The list after the writes, and every write as the reader must see it. */
export interface WritersOutcome {
  readonly final: State;
  readonly writes: readonly AcknowledgedWrite[];
}

/** The settings that all readers share. */
export interface Watched {
  readonly client: Client;
  readonly path: string;
  /** The names of the objects that the path shows. */
  readonly names: readonly string[];
  /** Resolves when the writers are done. */
  readonly outcome: Promise<WritersOutcome>;
}

/** Yields the state before the first event and after each event. */
export function* folded(start: State, events: readonly WatchEvent[]): Generator<State> {
  const state = new Map(start);
  yield state;
  for (const { type, name, version } of events) {
    if (type === 'DELETED') state.delete(name);
    else state.set(name, version);
    yield state;
  }
}

/** Reports whether the events lead to the final state at some point; a controller may write after the list. */
export function leadsTo({ start, events, final }: Pick<Observation, 'start' | 'events' | 'final'>): boolean {
  for (const state of folded(start, events)) if (same(state, final)) return true;
  return false;
}

function same(one: State, other: State): boolean {
  return one.size === other.size && [...one].every(([name, version]) => other.get(name) === version);
}

/** Returns the expected writes without an event. A delete returns no version, so each needs one DELETED event. */
export function missingWrites({ events, expected }: Pick<Observation, 'events' | 'expected'>): AcknowledgedWrite[] {
  const told = new Set(
    events.filter(({ type }) => type !== 'DELETED').map(({ name, version }) => `${name} ${version}`),
  );
  const removals = new Map<string, number>();
  for (const { type, name } of events) if (type === 'DELETED') removals.set(name, (removals.get(name) ?? 0) + 1);
  return expected.filter(({ what, name, version }) => {
    if (what !== 'delete') return !told.has(`${name} ${version}`);
    const left = removals.get(name) ?? 0;
    removals.set(name, left - 1);
    return left <= 0;
  });
}

/** Returns the writes that must have an event: those to an object after the first event about the object. */
export function writesAfterFirstEvent({ writes, events }: Pick<Observation, 'writes' | 'events'>): AcknowledgedWrite[] {
  const told = new Set(events.map(({ name, version }) => `${name} ${version}`));
  const begun = new Set<string>();
  return writes.filter(({ name, version }) => {
    if (begun.has(name)) return true;
    if (told.has(`${name} ${version}`)) begun.add(name);
    return false;
  });
}

interface Beginning {
  /** The state before the first event; empty when absent. */
  readonly start?: State;
  /**
   * The time after which writes must have an event, as returned by `performance.now()`. `first event`: the server
   * chooses the state at which the watch begins, and the events show it.
   */
  readonly after?: number | 'first event';
}

/** Watches with a query on one connection. */
export function follow(
  watched: Watched,
  query: WatchQuery,
  { start = new Map(), after = 0 }: Beginning,
): Promise<Observation> {
  return watching(watched.client, watched.path, query, async (stream) => {
    const outcome = await watched.outcome;
    const { request, status } = stream;
    const seen = (): Observation => {
      const events = about(watched, stream);
      const facts = known(watched, outcome, after === 'first event' ? 0 : after);
      const expected = after === 'first event' ? writesAfterFirstEvent({ ...facts, events }) : facts.expected;
      return { request, status, start, events, ...facts, expected };
    };
    await stream.until(() => isComplete(seen()));
    return seen();
  });
}

function known(
  { names }: Watched,
  { final, writes }: WritersOutcome,
  after = 0,
): Pick<Observation, 'final' | 'writes' | 'expected'> {
  const own = writes.filter(({ name }) => names.includes(name));
  return { final, writes: own, expected: own.filter(({ sent }) => sent >= after) };
}

/** The observations of a reader that was cut several times, and the number of its connections. */
export interface Resumed extends Observation {
  readonly connections: number;
  /** Whether the server no longer knew the last version that the reader had seen. */
  readonly isExpired: boolean;
}

/** The maximum number of bytes after which a reader is cut: mostly within the first event, or within a later one. */
const longestPart = 1500;

/**
 * Watches from a version. Is cut after a random number of bytes, and continues from the last version that it saw. The
 * last connection is not cut: with many events of other clients, a reader that is always cut cannot catch up.
 */
export async function followInParts(watched: Watched, version: string, start: State): Promise<Resumed> {
  const events: WatchEvent[] = [];
  const { names } = watched;
  const untimed = new Set<string>();
  let [connections, fruitless, last] = [0, 0, version];
  let [request, status] = ['', 0];
  let [complete, isExpired, isLast] = [false, false, false];
  let ended: number | undefined;
  let outcome: WritersOutcome | undefined;
  const done = watched.outcome.then((came) => {
    outcome = came;
    ended ??= performance.now();
  });
  // if a watch fails first, that failure is reported
  done.catch(() => undefined);
  const seen = (more: readonly WatchEvent[] = []): Observation => {
    const facts = known(watched, outcome ?? { final: new Map(), writes: [] });
    return { request, status, start, events: [...events, ...more], ...facts };
  };
  while (!complete) {
    const cutAfter = Math.ceil(Math.random() * longestPart * (fruitless + 1));
    connections += 1;
    const read = async (stream: Stream): Promise<void> => {
      ({ request, status } = stream);
      await Promise.race([done, stream.ended(watched.client.usualStreamTimeout)]);
      complete = await stream.until(() => outcome !== undefined && isComplete(seen(about(watched, stream))));
      const came: WatchEvent[] = [];
      for (const event of eventsOf(stream)) {
        const key = `${event.name} ${event.version}`;
        // A DELETED event may have the version of the change before: after a cut it comes again, which is no fault.
        const old = event.type === 'DELETED' && !isNewer(event.version, last);
        if (names.includes(event.name) && !(old && untimed.has(key))) came.push(event);
        if (old) untimed.add(key);
        else last = event.version || last;
        isExpired ||= event.type === 'ERROR' && at(event.object, 'code') === 410;
      }
      fruitless = came.length > 0 ? 0 : fruitless + 1;
      events.push(...came);
    };
    await watching(watched.client, watched.path, { resourceVersion: last }, read, isLast ? {} : { cutAfter });
    const patient = ended === undefined || performance.now() - ended < watched.client.usualStreamTimeout;
    if (status !== 200 || isExpired || isLast) break;
    isLast = !patient;
  }
  await done;
  return { ...seen(), connections, isExpired };
}

/** Reports whether a version is newer. Versions that are not numbers are taken in their order of arrival. */
const isNewer = (version: string, than: string): boolean =>
  !/^\d+$/.test(version) || !/^\d+$/.test(than) || BigInt(version) > BigInt(than);

const about = ({ names }: Watched, stream: Stream): WatchEvent[] =>
  eventsOf(stream).filter(({ name }) => names.includes(name));

/** Reports whether a reader has seen everything that it must see. */
export const isComplete = (seen: Pick<Observation, 'start' | 'events' | 'expected' | 'final'>): boolean =>
  missingWrites(seen).length === 0 && leadsTo(seen);
