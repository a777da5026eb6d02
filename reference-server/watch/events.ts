// The events of a change for each watch, and the events without a change: the initial state and bookmarks.
import { apiVersionOf, type Resource } from '../../matrix/api/index.js';
import type { Selector } from '../query/selection.js';
import type { KubeObject } from '../schema/object.js';
import type { Entry, StoredChange } from '../storage/storage.js';
import { encodable, sharedView, viewOf } from '../versions/views.js';
import type { WatchScope } from './options.js';
import type { WatchEvent } from './sink.js';

/** A change in the version of one resource. Each of its events is made once and shared by all watches. */
class ShownChange {
  readonly #events: { [Type in 'ADDED' | 'MODIFIED' | 'DELETED' | 'LEFT']?: WatchEvent } = {};
  readonly #current: ReturnType<typeof sharedView>;
  #before: KubeObject | undefined;

  constructor(
    readonly resource: Resource,
    readonly change: StoredChange,
  ) {
    this.#current = sharedView(resource, change.entry);
  }

  /** Returns the event for watches with a selector, or undefined if the change does not concern them. */
  eventFor(selects: Selector | undefined): WatchEvent | undefined {
    const { type, previous } = this.change;
    const was = previous !== undefined && (selects === undefined || selects(this.#previous(previous)));
    if (type === 'remove') return was ? this.#event('DELETED') : undefined;
    if (selects === undefined || selects(this.#current.object)) return this.#event(was ? 'MODIFIED' : 'ADDED');
    return was ? this.#left(previous) : undefined;
  }

  #event(type: 'ADDED' | 'MODIFIED' | 'DELETED'): WatchEvent {
    this.#events[type] ??= { type, object: this.#current, size: this.change.entry.size };
    return this.#events[type];
  }

  /** An object that no longer matches is deleted in its last matching state, at the revision of the change. */
  #left(previous: Entry): WatchEvent {
    if (this.#events.LEFT === undefined) {
      const before = this.#previous(previous);
      const resourceVersion = String(this.change.entry.revision);
      const object = encodable({ ...before, metadata: { ...before.metadata, resourceVersion } });
      this.#events.LEFT = { type: 'DELETED', object, size: previous.size };
    }
    return this.#events.LEFT;
  }

  #previous(entry: Entry): KubeObject {
    this.#before ??= sharedView(this.resource, entry).object;
    return this.#before;
  }
}

/** Returns the events of changes in a scope, in order. */
export function eventsOf(changes: readonly StoredChange[], { resource, prefix, selects }: WatchScope): WatchEvent[] {
  const events: WatchEvent[] = [];
  for (const change of changes) {
    if (!change.entry.key.startsWith(prefix)) continue;
    const event = shownChange(resource, change).eventFor(selects);
    if (event !== undefined) events.push(event);
  }
  return events;
}

const shownChanges = new WeakMap<Resource, WeakMap<StoredChange, WeakRef<ShownChange>>>();

/**
 * Returns a change as a resource shows it. Watches that need the same change at about the same time share the result,
 * which the garbage collector may free.
 */
function shownChange(resource: Resource, change: StoredChange): ShownChange {
  let ofResource = shownChanges.get(resource);
  if (ofResource === undefined) {
    ofResource = new WeakMap();
    shownChanges.set(resource, ofResource);
  }
  let shown = ofResource.get(change)?.deref();
  if (shown === undefined) {
    shown = new ShownChange(resource, change);
    ofResource.set(change, new WeakRef(shown));
  }
  return shown;
}

/** Returns the events of the initial state in a scope. */
export function initialEventsOf(entries: readonly Entry[], { resource, selects }: WatchScope): WatchEvent[] {
  const selected =
    selects === undefined ? entries : entries.filter((entry) => selects(sharedView(resource, entry).object));
  return selected.map((entry) => ({ type: 'ADDED', object: viewOf(resource, entry), size: entry.size }));
}

const initialEventsEnd = { annotations: { 'k8s.io/initial-events-end': 'true' } };

/**
 * Makes a bookmark: all changes up to a revision are sent. `more` is in its metadata. `endsInitialEvents` also marks the
 * end of the initial events.
 */
export function bookmark(
  { groupVersion, kind }: Resource,
  revision: number,
  more: object,
  endsInitialEvents = false,
): WatchEvent {
  const metadata = { resourceVersion: String(revision), ...more };
  return {
    type: 'BOOKMARK',
    object: encodable({
      kind,
      apiVersion: apiVersionOf(groupVersion),
      metadata: endsInitialEvents ? { ...metadata, ...initialEventsEnd } : metadata,
    }),
  };
}
