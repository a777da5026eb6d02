// Storage in plain memory: a map, the entries in key order, and a bounded log of revisions.
import type { ApiObject } from '../codecs/codec.js';
import { History, type HistoryLimits } from './history.js';
import {
  type Change,
  Compacted,
  Entry,
  type Fence,
  FutureRevision,
  KeyExists,
  type ListOptions,
  type Range,
  type Storage,
  stamped,
  type Write,
  type Written,
} from './storage.js';

export interface MemoryOptions extends HistoryLimits {
  /** What to begin with: the state and the history of an earlier run. */
  readonly snapshot?: Snapshot;
}

/** A state and the changes that led to it: consecutive revisions, the first is that of revision `oldest + 1`. */
export interface Snapshot {
  readonly revision: number;
  readonly oldest: number;
  readonly entries: readonly Entry[];
  readonly log: readonly Change[];
}

/** The default storage. Everything happens within one turn, so no update ever has to be retried. */
export class MemoryStorage implements Storage {
  readonly #byKey = new Map<string, Entry>();
  #sorted: Entry[] = [];
  #revision = 1;
  #closed = false;
  readonly #history: History;
  readonly #watchers = new Set<Watcher>();
  #waking: NodeJS.Immediate | undefined;

  constructor({ snapshot, ...limits }: MemoryOptions = {}) {
    this.#history = new History(limits, snapshot?.oldest ?? 1, snapshot?.log ?? []);
    if (snapshot === undefined) return;
    this.#revision = snapshot.revision;
    for (const entry of snapshot.entries) this.#byKey.set(entry.key, entry);
    this.#sorted = [...snapshot.entries].sort(byKey);
  }

  /** The newest revision and the oldest that a watch can start after, without waiting. */
  get bounds(): { readonly revision: number; readonly oldest: number } {
    return { revision: this.#revision, oldest: this.#history.oldest };
  }

  /** The entry under a key, without waiting. */
  peek(key: string): Entry | undefined {
    return this.#byKey.get(key);
  }

  /** Takes over a change that was decided elsewhere; its revision is the next one. */
  apply(change: Change): void {
    const { entry, previous, type } = change;
    this.#revision = entry.revision;
    if (type === 'put') this.#byKey.set(entry.key, entry);
    else this.#byKey.delete(entry.key);
    const position = this.#position(entry.key);
    if (type === 'remove') this.#sorted.splice(position, 1);
    else if (previous === undefined) this.#sorted.splice(position, 0, entry);
    else this.#sorted[position] = entry;
    this.#commit(change);
  }

  async revision(): Promise<number> {
    return this.#revision;
  }

  async create(key: string, value: ApiObject, fence?: Fence): Promise<Entry> {
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

  async guaranteedUpdate(key: string, update: (current: Entry | undefined) => Write): Promise<Written> {
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

  async *watch(prefix: string, after: number, signal: AbortSignal): AsyncGenerator<readonly Change[]> {
    const watcher: Watcher = { prefix, due: false, wake: undefined };
    const stop = () => watcher.wake?.();
    this.#watchers.add(watcher);
    signal.addEventListener('abort', stop);
    try {
      let seen = after;
      while (!signal.aborted) {
        const changes = this.#changes(prefix, seen);
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

  #put(key: string, value: ApiObject, previous: Entry | undefined): Entry {
    const entry = new Entry(key, this.#revision + 1, stamped(value, this.#revision + 1));
    this.apply(previous === undefined ? { type: 'put', entry } : { type: 'put', entry, previous });
    return entry;
  }

  #remove(previous: Entry, last: ApiObject): Entry {
    const entry = new Entry(previous.key, this.#revision + 1, stamped(last, this.#revision + 1));
    this.apply({ type: 'remove', entry, previous });
    return entry;
  }

  #commit(change: Change): void {
    this.#history.push(change);
    for (const watcher of this.#watchers) watcher.due ||= change.entry.key.startsWith(watcher.prefix);
    this.#waking ??= setImmediate(() => this.#wake());
  }

  /** Once for all changes of one turn of the event loop: what comes together is read together. */
  #wake(): void {
    this.#waking = undefined;
    for (const watcher of this.#watchers) {
      if (watcher.due) watcher.wake?.();
      watcher.due = false;
    }
  }

  #changes(prefix: string, after: number): readonly Change[] {
    return this.#history.since(prefix, after);
  }

  #requireKnown(revision: number): void {
    if (revision > this.#revision) throw new FutureRevision(revision, this.#revision);
    const { oldest } = this.#history;
    if (revision < oldest) throw new Compacted(revision, oldest);
  }

  /** Where the entries under a prefix begin that are after a key, and where they end. */
  #bounds(prefix: string, after: string): [start: number, end: number] {
    const start = after < prefix ? this.#position(prefix) : this.#position(`${after}\0`);
    return [start, Math.max(start, this.#position(endOf(prefix)))];
  }

  /** The range as it was: the newest state with the later changes undone. */
  #listAt(prefix: string, after: string, limit: number, revision: number): Range {
    const before = new Map<string, Entry | undefined>();
    for (const { entry, previous } of this.#changes(prefix, revision)) {
      // The first of several changes knows what was there.
      if (entry.key > after && !before.has(entry.key)) before.set(entry.key, previous);
    }
    const [start, end] = this.#bounds(prefix, after);
    const restored = [...before.values()].filter((entry) => entry !== undefined).sort(byKey);
    let total = end - start + restored.length;
    for (const key of before.keys()) if (this.#byKey.has(key)) total -= 1;
    const count = limit > 0 ? Math.min(limit, total) : total;
    const entries: Entry[] = [];
    for (let at = start, next = 0; entries.length < count; ) {
      const unchanged = at < end ? this.#sorted[at] : undefined;
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

  /** Where a key is, or would be, among the sorted entries. */
  #position(key: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as Entry).key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const byKey = (one: Entry, other: Entry): number => (one.key < other.key ? -1 : 1);

/** The first key after all that have a prefix. Keys hold no unit that has no next one. */
function endOf(prefix: string): string {
  if (prefix === '') return '\uffff';
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** A reader of the log; it holds a revision and nothing else, so a slow one costs no memory. */
interface Watcher {
  readonly prefix: string;
  /** There was a change under the prefix since it was last woken. */
  due: boolean;
  wake: (() => void) | undefined;
}
