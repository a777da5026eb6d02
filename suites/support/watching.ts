// Watches as the suite opens them: typed events, opened on any path of a watch, from any version.
import type { StreamCall } from './calls.js';
import type { Client } from './client.js';
import { at, isObject, type JsonObject } from './json.js';
import type { Stream, Streamed } from './stream.js';

/** What a watch tells: a type, and the object as it was then. */
export interface WatchEvent {
  readonly type: unknown;
  /** Empty where the event holds none. */
  readonly object: JsonObject;
  /** `metadata.resourceVersion` of the object; empty where it has none. */
  readonly version: string;
  readonly name: string;
  readonly namespace: string;
  /** The event as it came. */
  readonly streamed: Streamed;
}

/** What was read already of the events of a stream: they only grow, and there may be thousands. */
const readAlready = new WeakMap<readonly Streamed[], WatchEvent[]>();

/** The events of a stream so far. */
export function eventsOf({ events }: Pick<Stream, 'events'>): WatchEvent[] {
  const read = readAlready.get(events) ?? [];
  for (const streamed of events.slice(read.length)) read.push(watchEvent(streamed));
  readAlready.set(events, read);
  return read.slice();
}

/** The events about the object of that name. */
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

/** What a watch is asked for. `timeoutSeconds` is 60 unless told: a watch that is forgotten ends by itself. */
export interface WatchQuery {
  readonly resourceVersion?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly timeoutSeconds?: number | 'none';
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly resourceVersionMatch?: string;
  readonly pretty?: string;
}

/** The path of a watch with its query; a list path gets `watch=true`. */
export function watchPath(path: string, { timeoutSeconds = 60, ...query }: WatchQuery): string {
  const parameters = new URLSearchParams();
  if (!path.includes('/watch/')) parameters.set('watch', 'true');
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  if (timeoutSeconds !== 'none') parameters.set('timeoutSeconds', String(timeoutSeconds));
  return `${path}?${parameters}`;
}

/** Opens a watch, hands it to `read`, and hangs up when that is done. Throws NoAnswer where no head came. */
export function watching<T>(
  client: Client,
  path: string,
  query: WatchQuery,
  read: (stream: Stream) => Promise<T>,
  call: Omit<StreamCall, 'method' | 'path'> = {},
): Promise<T> {
  return client.stream({ ...call, method: 'GET', path: watchPath(path, query) }, read);
}
