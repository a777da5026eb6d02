// Readers of a storm: each watches in its own way until it has seen everything, or its patience is over.
import type { Client } from '../support/client.js';
import type { Stream } from '../support/stream.js';
import { eventsOf, type WatchEvent, type WatchQuery, watching } from '../support/watching.js';
import type { Write } from './storm.js';

/** Objects that are there, as name → version. */
export type State = ReadonlyMap<string, string>;

/** What a reader saw. */
export interface Seen {
  readonly request: string;
  readonly status: number;
  /** The state that it began with. */
  readonly start: State;
  /** The events about the storm's objects, in the order in which they came. */
  readonly events: readonly WatchEvent[];
  /** All writes to the objects that it watches, and those of them that had to come. */
  readonly writes: readonly Write[];
  readonly expected: readonly Write[];
  /** What the target listed at the end. */
  readonly final: State;
}

/** What the storm came to: the list at the end, and every write as the reader has to see it. */
export interface Outcome {
  readonly final: State;
  readonly writes: readonly Write[];
}

/** What all readers of a storm share. */
export interface Watched {
  readonly client: Client;
  readonly path: string;
  /** The objects that the path shows. */
  readonly names: readonly string[];
  /** It comes when the writers are done. */
  readonly outcome: Promise<Outcome>;
}

/** The state after every event, beginning with the state before the first. */
export function* folded(start: State, events: readonly WatchEvent[]): Generator<State> {
  const state = new Map(start);
  yield state;
  for (const { type, name, version } of events) {
    if (type === 'DELETED') state.delete(name);
    else state.set(name, version);
    yield state;
  }
}

/** Whether the events lead to the state at some point; a controller may write on after it was listed. */
export function leadsTo({ start, events, final }: Pick<Seen, 'start' | 'events' | 'final'>): boolean {
  for (const state of folded(start, events)) if (same(state, final)) return true;
  return false;
}

function same(one: State, other: State): boolean {
  return one.size === other.size && [...one].every(([name, version]) => other.get(name) === version);
}

/** The expected writes that no event tells of. A delete answers no version: there must be a removal for each. */
export function untold({ events, expected }: Pick<Seen, 'events' | 'expected'>): Write[] {
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

interface Beginning {
  /** What the reader knows before the first event; nothing unless told. */
  readonly start?: State;
  /** Only the writes that were sent after this time have to come, of `performance.now()`. */
  readonly after?: number;
}

/** Watches with a query on one connection. */
export function follow(
  watched: Watched,
  query: WatchQuery,
  { start = new Map(), after = 0 }: Beginning,
): Promise<Seen> {
  return watching(watched.client, watched.path, query, async (stream) => {
    const outcome = await watched.outcome;
    const { request, status } = stream;
    const seen = (): Seen => ({
      request,
      status,
      start,
      events: about(watched, stream),
      ...known(watched, outcome, after),
    });
    await stream.until(() => isComplete(seen()));
    return seen();
  });
}

function known({ names }: Watched, { final, writes }: Outcome, after = 0): Pick<Seen, 'final' | 'writes' | 'expected'> {
  const own = writes.filter(({ name }) => names.includes(name));
  return { final, writes: own, expected: own.filter(({ sent }) => sent >= after) };
}

/** What a reader saw that was cut again and again, and how often that was. */
export interface Resumed extends Seen {
  readonly connections: number;
}

/** Bytes after which a reader may be cut: within the first event mostly, and within a later one. */
const longestPart = 1500;

/** Watches from a version; is cut after some bytes, wherever that is, and goes on from the last version it saw. */
export async function followInParts(watched: Watched, version: string, start: State): Promise<Resumed> {
  const events: WatchEvent[] = [];
  const { names } = watched;
  const untimed = new Set<string>();
  let [connections, fruitless, last] = [0, 0, version];
  let [request, status] = ['', 0];
  let complete = false;
  let ended: number | undefined;
  let outcome: Outcome | undefined;
  const done = watched.outcome.then((came) => {
    outcome = came;
    ended ??= performance.now();
  });
  // a watch that fails first is what is told
  done.catch(() => undefined);
  const seen = (more: readonly WatchEvent[] = []): Seen => {
    const facts = known(watched, outcome ?? { final: new Map(), writes: [] });
    return { request, status, start, events: [...events, ...more], ...facts };
  };
  while (!complete) {
    const cutAfter = Math.ceil(Math.random() * longestPart * (fruitless + 1));
    connections += 1;
    const read = async (stream: Stream): Promise<void> => {
      ({ request, status } = stream);
      await Promise.race([done, stream.ended(watched.client.usualStreamPatience)]);
      complete = await stream.until(() => outcome !== undefined && isComplete(seen(about(watched, stream))));
      const came: WatchEvent[] = [];
      for (const event of eventsOf(stream)) {
        const key = `${event.name} ${event.version}`;
        // A removal may carry the version of the change before: after a cut it is told again, and nothing is lost.
        const old = event.type === 'DELETED' && !isNewer(event.version, last);
        if (names.includes(event.name) && !(old && untimed.has(key))) came.push(event);
        if (old) untimed.add(key);
        else last = event.version || last;
      }
      fruitless = came.length > 0 ? 0 : fruitless + 1;
      events.push(...came);
    };
    await watching(watched.client, watched.path, { resourceVersion: last }, read, { cutAfter });
    const patient = ended === undefined || performance.now() - ended < watched.client.usualStreamPatience;
    if (status !== 200 || !patient) break;
  }
  await done;
  return { ...seen(), connections };
}

/** Whether a version comes after another; versions that are no numbers are taken as they come. */
const isNewer = (version: string, than: string): boolean =>
  !/^\d+$/.test(version) || !/^\d+$/.test(than) || BigInt(version) > BigInt(than);

const about = ({ names }: Watched, stream: Stream): WatchEvent[] =>
  eventsOf(stream).filter(({ name }) => names.includes(name));

const isComplete = (seen: Seen): boolean => untold(seen).length === 0 && leadsTo(seen);
