// The latest changes, limited by number and by memory.
import { Compacted, type StoredChange } from './storage.js';

/** Limits of the history that a watch can start from. */
export interface HistoryLimits {
  /** The number of changes to keep at least, if they fit into `historyBytes`. The default is 5,000. */
  readonly history?: number;
  /** The memory that the values of all changes may take, previous values included, in bytes. The default is 8 MiB. */
  readonly historyBytes?: number;
}

/**
 * Changes in the order of their revisions, which are consecutive where the storage has its revisions for itself. In a
 * shared etcd other writes lie between them.
 */
export class History {
  #log: StoredChange[];
  #oldest: number;
  #bytes = 0;
  readonly #mostChanges: number;
  readonly #mostBytes: number;

  constructor(
    { history = 5000, historyBytes = 8 * 1024 * 1024 }: HistoryLimits,
    oldest: number,
    log: readonly StoredChange[],
  ) {
    this.#mostChanges = history;
    this.#mostBytes = historyBytes;
    this.#oldest = oldest;
    this.#log = [...log];
    for (const change of log) this.#bytes += bytesOf(change);
    this.#trim();
  }

  /** The oldest revision after which all changes are known. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Adds a change with a higher revision than all before it. */
  push(change: StoredChange): void {
    this.#log.push(change);
    this.#bytes += bytesOf(change);
    this.#trim();
    // The log keeps changes for a long time, but clients rarely ask again for objects that are gone.
    if (change.previous) change.previous.derived = undefined;
    const older = this.#log.at(-derivedChanges);
    if (older?.type === 'remove') older.entry.derived = undefined;
  }

  /** Returns the changes under a prefix after a revision. Throws Compacted if some of them are forgotten. */
  since(prefix: string, after: number): readonly StoredChange[] {
    if (after < this.#oldest) throw new Compacted(after, this.#oldest);
    const changes = [];
    for (let index = this.#countUpTo(after); index < this.#log.length; index++) {
      const change = this.#log[index];
      if (change?.entry.key.startsWith(prefix)) changes.push(change);
    }
    return changes;
  }

  /** Forgets the changes up to and including a revision. The revision must not be in the future. */
  compact(revision: number): void {
    if (revision <= this.#oldest) return;
    for (const change of this.#log.splice(0, this.#countUpTo(revision))) this.#bytes -= bytesOf(change);
    this.#oldest = revision;
  }

  /** The number of changes up to and including a revision. */
  #countUpTo(revision: number): number {
    const log = this.#log;
    const newest = log.at(-1)?.entry.revision ?? this.#oldest;
    if (revision >= newest) return log.length;
    // Where the revisions are consecutive, the place is known.
    if (newest - this.#oldest === log.length) return Math.max(0, revision - this.#oldest);
    let [low, high] = [0, log.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((log[middle] as StoredChange).entry.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets the oldest changes. */
  #drop(count: number): void {
    const last = this.#log[count - 1];
    if (last !== undefined) this.compact(last.entry.revision);
  }

  /**
   * Trims in batches, so that a push to a full log costs the same as any other: a quarter more changes, a quarter fewer
   * bytes.
   */
  #trim(): void {
    const most = this.#mostChanges;
    if (this.#log.length > most * 1.25) this.#drop(this.#log.length - most);
    if (this.#bytes <= this.#mostBytes) return;
    let left = this.#bytes;
    let count = 0;
    // The newest change stays, however large, so that watches that have read all others are not cut off.
    while (left > this.#mostBytes * 0.75 && count < this.#log.length - 1) {
      left -= bytesOf(this.#log[count] as StoredChange);
      count += 1;
    }
    this.#drop(count);
  }
}

/** The number of latest changes whose removed objects keep their encoded forms for watches. */
const derivedChanges = 128;

const bytesOf = ({ entry, previous }: StoredChange): number => entry.size + (previous?.size ?? 0);
