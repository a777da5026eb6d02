// The watches of a history: those that give the order, and those of the clients.
import { defined } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { at, type JsonObject } from '../client/json.js';
import { NoAnswer } from '../client/reply.js';
import type { Stream } from '../client/streams/stream.js';
import { eventsOf, hasCome, type WatchEvent, watching } from '../client/streams/watches.js';
import type { Side } from './plan.js';
import type { Change, WatchSeen } from './record.js';

/** A collection in one place, as it is watched. */
export interface Watched {
  readonly client: Client;
  readonly path: string;
  readonly place: string;
  readonly selector: string | undefined;
  readonly side?: Side;
  /** The object that is watched alone. */
  readonly name?: string;
  /** Reports whether an object is of the history and the place. */
  readonly isOwn: (object: JsonObject) => boolean;
  /** Reports whether no later event is of interest. */
  readonly isLast: (event: WatchEvent) => boolean;
  /** Resolves when the change of that event is made, or cannot be. */
  readonly written: Promise<unknown>;
}

/** The number of times in a row that a watch goes on without an event, after a cut or where it could not be opened. */
const mostIdleParts = 20;
/** Milliseconds before the second try to open a watch; later tries wait as much longer each. */
const moment = 25;
/** The number of waits in a row that events of other clients alone prolong. */
const mostForeignWaits = 4;
/** The number of connections that are cut. */
const cuts = 2;

/**
 * Watches from a version, or from the beginning, until the last event comes. The first connections are cut after so many
 * bytes, if that is given. After a cut by either side, a new watch goes on from the last version. The result may be
 * awaited late.
 */
export function watchToEnd(watched: Watched, from: string | undefined, cutAfter?: number): Promise<WatchSeen[]> {
  const parts = partsOf(watched, from, cutAfter);
  parts.catch(() => undefined);
  return parts;
}

async function partsOf(watched: Watched, from: string | undefined, cutAfter: number | undefined): Promise<WatchSeen[]> {
  const parts: WatchSeen[] = [];
  let version = from;
  for (let idle = 0; idle < mostIdleParts; idle += 1) {
    try {
      const part = await watchOnce(watched, version, parts.length < cuts ? cutAfter : undefined);
      parts.push(part);
      if (!part.isCut || part.isOver) break;
      if (part.events.length > 0) idle = 0;
      version = part.events.findLast(({ type }) => type !== 'DELETED')?.version ?? version;
    } catch (error) {
      if (!(error instanceof NoAnswer) || idle + 1 === mostIdleParts) throw error;
      // A server that closes its connections for a moment is open again later.
      await new Promise((resolve) => setTimeout(resolve, moment * (idle + 1)));
    }
  }
  return parts;
}

function watchOnce(watched: Watched, from: string | undefined, cutAfter: number | undefined): Promise<WatchSeen> {
  const { client, path, place, selector, side, name, isOwn, isLast, written } = watched;
  const query = defined({ resourceVersion: from, labelSelector: selector });
  const read = async (stream: Stream): Promise<WatchSeen> => {
    const sawLast = hasCome(stream, isLast);
    await Promise.race([written, stream.ended(client.usualStreamTimeout * 10)]);
    const isDone = (): boolean => stream.end !== undefined || sawLast();
    const countOwn = (): number => eventsOf(stream).filter(({ object }) => isOwn(object)).length;
    // While events come, a server is slow, and loses none. Other clients may write without end.
    let [before, own, foreign] = [-1, -1, 0];
    while (!isDone() && stream.events.length > before && foreign < mostForeignWaits) {
      before = stream.events.length;
      const now = countOwn();
      foreign = now > own ? 0 : foreign + 1;
      own = now;
      await stream.until(isDone, client.streamTimeout);
    }
    if (!isDone()) client.health.lost(`${stream.request}: the last event`);
    const all = eventsOf(stream);
    const events = all.flatMap(({ type, name, version, object }) =>
      isOwn(object) ? [{ type: String(type), name, version, object }] : [],
    );
    const { request, status } = stream;
    const isOver = status !== 200 || all.some(({ type }) => type === 'ERROR');
    const isCut = stream.end !== undefined && !sawLast();
    return { request, status, place, events, isCut, isOver, ...defined({ from, side, name }) };
  };
  return watching(client, path, query, read, defined({ cutAfter }));
}

/**
 * Returns the changes that the parts of a watch show. A part begins after the last version that is not of a removal: a
 * server may give a removal the version of the change before. So removals at the end of a part come again.
 */
export function joined(parts: readonly WatchSeen[]): Change[] {
  const all: Omit<Change, 'index'>[] = [];
  for (const { events } of parts) {
    const tail = all.slice(all.findLastIndex(({ type }) => type !== 'DELETED') + 1);
    const isAgain = (index: number): boolean => {
      const [one, other] = [tail[index], events[index]];
      return one !== undefined && one.type === other?.type && one.name === other.name && one.version === other.version;
    };
    let again = 0;
    while (isAgain(again)) again += 1;
    all.push(...events.slice(again));
  }
  return all.filter(({ type }) => type !== 'BOOKMARK').map((change, index) => ({ ...change, index: index + 1 }));
}

/** Returns the uid of an object. */
export const uidOf = (object: unknown): string => String(at(object, 'metadata', 'uid') ?? '');
