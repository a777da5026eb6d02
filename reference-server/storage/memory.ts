// Storage in memory: a map, the entries in key order, and a bounded log of changes.
import type { KubeObject } from '../schema/object.js';
import { DecodedEntries, type DecodedLimits } from './decoded.js';
import { History, type HistoryLimits } from './history.js';
import { Room, type RoomLimits } from './room.js';
import { byKey, SortedEntries } from './sortedEntries.js';
import {
  Compacted,
  Entry,
  type Fence,
  FutureRevision,
  KeyExists,
  type ListOptions,
  type Range,
  type Storage,
  type StorageWrite,
  type StoredChange,
  stamped,
  type Written,
} from './storage.js';

export interface MemoryOptions extends HistoryLimits, DecodedLimits, RoomLimits {
  /** The state and the history of an earlier run to start with. */
  readonly snapshot?: MemoryState;
}

/** A state and the changes after the revision `oldest` that led to it. */
export interface MemoryState {
  readonly revision: number;
  readonly oldest: number;
  readonly entries: readonly Entry[];
  readonly log: readonly StoredChange[];
}

/** The default storage. Every operation completes within one turn, so no update is ever retried. */
export class MemoryStorage implements Storage {
  readonly #byKey = new Map<string, Entry>();
  #sorted: SortedEntries;
  #revision = 1;
  #closed = false;
  #history: History;
  readonly #decoded: DecodedEntries;
  readonly #room: Room;
  readonly #watchers = new Set<Watcher>();
  readonly #limits: HistoryLimits;
  #waking: NodeJS.Immediate | undefined;

  constructor({ snapshot, ...limits }: MemoryOptions = {}) {
    this.#limits = limits;
    this.#history = new History(limits, snapshot?.oldest ?? 1, snapshot?.log ?? []);
    this.#sorted = new SortedEntries(snapshot?.entries);
    this.#decoded = new DecodedEntries(limits);
    this.#room = new Room(limits);
    if (snapshot !== undefined) this.#take(snapshot);
  }

  /** Replaces the whole state. Watches of earlier revisions end with Compacted. */
  replace(snapshot: MemoryState): void {
    for (const entry of this.#byKey.values()) this.#decoded.remove(entry);
    this.#byKey.clear();
    this.#room.clear();
    this.#sorted = new SortedEntries(snapshot.entries);
    this.#history = new History(this.#limits, snapshot.oldest, snapshot.log);
    this.#take(snapshot);
    for (const watcher of this.#watchers) watcher.due = true;
    this.#waking ??= setImmediate(() => this.#wake());
  }

  #take({ revision, entries }: MemoryState): void {
    this.#revision = revision;
    for (const entry of entries) {
      this.#byKey.set(entry.key, entry);
      this.#decoded.add(entry);
      this.#room.take({ type: 'put', entry });
    }
  }

  /** The newest revision, and the oldest revision that a watch can start after. Does not wait. */
  get bounds(): { readonly revision: number; readonly oldest: number } {
    return { revision: this.#revision, oldest: this.#history.oldest };
  }

  /** The number of entries. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Returns the entry under a key, or undefined. Does not wait. */
  peek(key: string): Entry | undefined {
    return this.#byKey.get(key);
  }

  /** Takes note that nothing has changed up to a revision. */
  advance(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
  }

  /** Throws StorageFull if there is no room for changes, the one made after the other. Does not wait. */
  requireRoom(changes: readonly StoredChange[]): void {
    this.#room.require(changes);
  }

  /** Returns the changes under a prefix after a revision. Throws Compacted. Does not wait. */
  changesSince(prefix: string, after: number): readonly StoredChange[] {
    return this.#history.since(prefix, after);
  }

  /** Applies a change that was decided elsewhere. Its revision must be higher than all before it. */
  apply(change: StoredChange): void {
    const { entry, type, previous } = change;
    if (previous !== undefined) this.#decoded.remove(previous);
    this.#room.take(change);
    this.#revision = entry.revision;
    if (type === 'put') {
      this.#byKey.set(entry.key, entry);
      this.#sorted.put(entry);
      this.#decoded.add(entry);
    } else {
      this.#byKey.delete(entry.key);
      this.#sorted.remove(entry.key);
    }
    this.#commit(change);
  }

  async revision(): Promise<number> {
    return this.#revision;
  }

  async sync(): Promise<void> {}

  async create(key: string, value: KubeObject, fence?: Fence): Promise<Entry> {
    fence?.check(this.#byKey.get(fence.key));
    if (this.#byKey.has(key)) throw new KeyExists(key);
    return this.#put(key, value, undefined);
  }

  async get(key: string): Promise<Entry | undefined> {
    return this.#byKey.get(key);
  }

  async list(prefix: string, { after = '', limit = 0, revision = this.#revision }: ListOptions = {}): Promise<Range> {
    this.#requireKnown(revision);
    const [start, end] = this.#bounds(prefix, after);
    if (revision !== this.#revision) return this.#listAt(prefix, after, limit, revision);
    const stop = limit > 0 ? Math.min(end, start + limit) : end;
    return { entries: this.#sorted.slice(start, stop), revision, remaining: end - stop };
  }

  async guaranteedUpdate(key: string, update: (current: Entry | undefined) => StorageWrite): Promise<Written> {
    const current = this.#byKey.get(key);
    const write = update(current);
    if (write === 'keep') {
      if (current === undefined) throw new Error(`nothing to keep under ${key}`);
      return { entry: current, change: 'keep' };
    }
    if ('put' in write) return { entry: this.#put(key, write.put, current), change: 'put' };
    if (current === undefined) throw new Error(`nothing to remove under ${key}`);
    return { entry: this.#remove(current, write.remove), change: 'remove' };
  }

  async delete(key: string): Promise<Entry | undefined> {
    const current = this.#byKey.get(key);
    return current && this.#remove(current, current.value);
  }

  async *watch(prefix: string, after: number, signal: AbortSignal): AsyncGenerator<readonly StoredChange[]> {
    const watcher: Watcher = { prefix, due: false, wake: undefined };
    const stop = () => watcher.wake?.();
    this.#watchers.add(watcher);
    signal.addEventListener('abort', stop);
    try {
      let seen = after;
      while (!signal.aborted) {
        const changes = this.changesSince(prefix, seen);
        seen = Math.max(seen, this.#revision);
        if (changes.length > 0) yield changes;
        else await new Promise<void>((wake) => Object.assign(watcher, { wake }));
        watcher.wake = undefined;
      }
    } finally {
      this.#watchers.delete(watcher);
      signal.removeEventListener('abort', stop);
    }
  }

  async compact(revision: number): Promise<void> {
    this.#history.compact(Math.min(revision, this.#revision));
  }

  async probe(): Promise<void> {
    if (this.#closed) throw new Error('the storage is closed');
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #put(key: string, value: KubeObject, previous: Entry | undefined): Entry {
    const entry = new Entry(key, this.#revision + 1, stamped(value, this.#revision + 1));
    const change: StoredChange = previous === undefined ? { type: 'put', entry } : { type: 'put', entry, previous };
    this.requireRoom([change]);
    this.apply(change);
    return entry;
  }

  #remove(previous: Entry, last: KubeObject): Entry {
    const entry = new Entry(previous.key, this.#revision + 1, stamped(last, this.#revision + 1));
    this.apply({ type: 'remove', entry, previous });
    return entry;
  }

  #commit(change: StoredChange): void {
    this.#history.push(change);
    for (const watcher of this.#watchers) watcher.due ||= change.entry.key.startsWith(watcher.prefix);
    this.#waking ??= setImmediate(() => this.#wake());
  }

  /** Wakes watchers once for all changes of one turn of the event loop, so that they read the changes together. */
  #wake(): void {
    this.#waking = undefined;
    for (const watcher of this.#watchers) {
      if (watcher.due) watcher.wake?.();
      watcher.due = false;
    }
  }

  #requireKnown(revision: number): void {
    if (revision > this.#revision) throw new FutureRevision(revision, this.#revision);
    const { oldest } = this.#history;
    if (revision < oldest) throw new Compacted(revision, oldest);
  }

  /** The ranks of the entries under a prefix whose keys sort after `after`: the first, and the end. */
  #bounds(prefix: string, after: string): [start: number, end: number] {
    const start = this.#sorted.rank(after < prefix ? prefix : `${after}\0`);
    return [start, Math.max(start, this.#sorted.rank(endOf(prefix)))];
  }

  /** Returns the range at an earlier revision: the newest state with the later changes undone. */
  #listAt(prefix: string, after: string, limit: number, revision: number): Range {
    const before = new Map<string, Entry | undefined>();
    for (const { entry, previous } of this.changesSince(prefix, revision)) {
      // The first of several changes to a key has the value at the revision.
      if (entry.key > after && !before.has(entry.key)) before.set(entry.key, previous);
    }
    const [start, end] = this.#bounds(prefix, after);
    const restored = [...before.values()].filter((entry) => entry !== undefined).sort(byKey);
    let total = end - start + restored.length;
    for (const key of before.keys()) if (this.#byKey.has(key)) total -= 1;
    const count = limit > 0 ? Math.min(limit, total) : total;
    const entries: Entry[] = [];
    const newest = this.#sorted.slice(start, Math.min(end, start + count + before.size));
    for (let at = 0, next = 0; entries.length < count; ) {
      const unchanged = newest[at];
      const other = restored[next];
      if (unchanged !== undefined && before.has(unchanged.key)) at += 1;
      else if (unchanged === undefined || (other !== undefined && other.key < unchanged.key)) {
        entries.push(other as Entry);
        next += 1;
      } else {
        entries.push(unchanged);
        at += 1;
      }
    }
    return { entries, revision, remaining: total - count };
  }
}

/** The first key after all keys with a prefix. No key contains the largest UTF-16 unit. */
function endOf(prefix: string): string {
  if (prefix === '') return '\uffff';
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** A reader of the log. A watcher holds only a revision, so a slow watcher costs no memory. */
interface Watcher {
  readonly prefix: string;
  /** Whether a key under the prefix has changed since the last wake. */
  due: boolean;
  wake: (() => void) | undefined;
}
