// What a change is to those who watch, and the events that no change brings: what is there at first, bookmarks.
import { apiVersionOf, type Resource } from '../../matrix/api/index.js';
import { encodable, shownOnce, viewOf } from '../registry/views.js';
import type { WatchEvent } from '../request.js';
import type { KubeObject } from '../schema/object.js';
import type { Change, Entry } from '../storage/storage.js';
import type { Selector } from '../verbs/selection.js';
import type { Scope } from './scope.js';

/** A change as one resource shows it. It makes each event once, whoever gets it. */
class ShownChange {
  readonly #events: { [Type in 'ADDED' | 'MODIFIED' | 'DELETED' | 'LEFT']?: WatchEvent } = {};
  readonly #current: ReturnType<typeof shownOnce>;
  #before: KubeObject | undefined;

  constructor(
    readonly resource: Resource,
    readonly change: Change,
  ) {
    this.#current = shownOnce(resource, change.entry);
  }

  /** The event for those who see only what is selected; undefined where they see nothing. */
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

  /** It leaves as it was last seen, at the revision of the change. */
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
    this.#before ??= shownOnce(this.resource, entry).object;
    return this.#before;
  }
}

/** What a scope sees of some changes, in their order. */
export function eventsOf(changes: readonly Change[], { resource, prefix, selects }: Scope): WatchEvent[] {
  const events: WatchEvent[] = [];
  for (const change of changes) {
    if (!change.entry.key.startsWith(prefix)) continue;
    const event = shownChange(resource, change).eventFor(selects);
    if (event !== undefined) events.push(event);
  }
  return events;
}

const shownChanges = new WeakMap<Resource, WeakMap<Change, WeakRef<ShownChange>>>();

/**
 * A change as a resource shows it: the same one for those who ask at about the same time, be it that they follow or that
 * they catch up. Nothing of it is kept for longer than memory allows.
 */
function shownChange(resource: Resource, change: Change): ShownChange {
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

/** What a scope sees of a state. */
export function initialEventsOf(entries: readonly Entry[], { resource, selects }: Scope): WatchEvent[] {
  const selected =
    selects === undefined ? entries : entries.filter((entry) => selects(shownOnce(resource, entry).object));
  return selected.map((entry) => ({ type: 'ADDED', object: viewOf(resource, entry), size: entry.size }));
}

const initialEventsEnd = { annotations: { 'k8s.io/initial-events-end': 'true' } };

/** Says that everything up to a revision has been sent; and, if so, that with it the initial events end. */
export function bookmark({ groupVersion, kind }: Resource, revision: number, endsInitialEvents = false): WatchEvent {
  const metadata = { resourceVersion: String(revision), creationTimestamp: null };
  return {
    type: 'BOOKMARK',
    object: encodable({
      kind,
      apiVersion: apiVersionOf(groupVersion),
      metadata: endsInitialEvents ? { ...metadata, ...initialEventsEnd } : metadata,
    }),
  };
}
