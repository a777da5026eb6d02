// Watches with typed events, on any path of a watch and from any version.
import type { StreamCall } from '../calls.js';
import type { Client } from '../client.js';
import { at, isObject, type JsonObject } from '../json.js';
import type { Stream, Streamed } from './stream.js';

/** An event of a watch: a type, and the object at that time. */
export interface WatchEvent {
  readonly type: unknown;
  /** The object; empty if the event has none. */
  readonly object: JsonObject;
  /** `metadata.resourceVersion` of the object; empty if it has none. */
  readonly version: string;
  readonly name: string;
  readonly namespace: string;
  /** The event as it came. */
  readonly streamed: Streamed;
}

/** The typed events of a stream so far, because a stream can have thousands of events and never loses one. */
const readAlready = new WeakMap<readonly Streamed[], WatchEvent[]>();

export function eventsOf({ events }: Pick<Stream, 'events'>): WatchEvent[] {
  const read = readAlready.get(events) ?? [];
  for (const streamed of events.slice(read.length)) read.push(watchEvent(streamed));
  readAlready.set(events, read);
  return read.slice();
}

/** Returns a function that reports whether such an event has come. It looks at each event once: a stream can have many. */
export function hasCome(stream: Pick<Stream, 'events'>, isWanted: (event: WatchEvent) => boolean): () => boolean {
  let [looked, found] = [0, false];
  return () => {
    for (const streamed of found ? [] : stream.events.slice(looked)) {
      looked += 1;
      found ||= isWanted(watchEvent(streamed));
    }
    return found;
  };
}

export function eventsAbout(name: string, stream: Pick<Stream, 'events'>): WatchEvent[] {
  return eventsOf(stream).filter((event) => event.name === name);
}

function watchEvent(streamed: Streamed): WatchEvent {
  const object = at(streamed.value, 'object');
  const metadata = at(object, 'metadata');
  const text = (key: string): string => {
    const value = at(metadata, key);
    return typeof value === 'string' ? value : '';
  };
  return {
    type: at(streamed.value, 'type'),
    object: isObject(object) ? object : {},
    version: text('resourceVersion'),
    name: text('name'),
    namespace: text('namespace'),
    streamed,
  };
}

/** The query of a watch. `timeoutSeconds` is 60 when absent, so that a forgotten watch ends by itself. */
export interface WatchQuery {
  /** Another spelling of `true` for a list path; `false` for a path under the prefix, where it changes nothing. */
  readonly watch?: string;
  readonly resourceVersion?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly timeoutSeconds?: number | 'none';
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly resourceVersionMatch?: string;
  readonly pretty?: string;
}

/** Returns the path of a watch with its query; a list path gets `watch=true`. */
export function watchPath(path: string, { timeoutSeconds = 60, ...query }: WatchQuery): string {
  const parameters = new URLSearchParams();
  if (!path.includes('/watch/')) parameters.set('watch', 'true');
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  if (timeoutSeconds !== 'none') parameters.set('timeoutSeconds', String(timeoutSeconds));
  return `${path}?${parameters}`;
}

/** Opens a watch, passes it to `read`, and closes it when `read` is done. Throws NoAnswer if no head arrived. */
export function watching<T>(
  client: Client,
  path: string,
  query: WatchQuery,
  read: (stream: Stream) => Promise<T>,
  call: Omit<StreamCall, 'method' | 'path'> = {},
): Promise<T> {
  return client.stream({ ...call, method: 'GET', path: watchPath(path, query) }, read);
}
