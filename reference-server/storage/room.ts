// The memory that all objects may take. Without a bound, one client could fill the heap, and the process would end.
import { getHeapStatistics } from 'node:v8';
import { StorageFull, type StoredChange } from './storage.js';

export interface RoomLimits {
  /**
   * The memory that the values of all objects may take, in bytes. By default a quarter of the heap that V8 may use: a text
   * may take two bytes for each character, and requests need room too.
   */
  readonly objectBytes?: number;
}

/** The approximate bytes of an object besides its value: its key, and its place in the order. */
const besides = 256;

/** The most bytes that a deletion mark adds to an object. */
const markBytes = 256;

/**
 * Reports whether a change frees room: it removes an object, marks it for deletion, or makes it smaller. Such a change is
 * allowed in a storage that is full.
 */
export function leavesLess({ type, entry, previous }: StoredChange): boolean {
  if (type === 'remove') return true;
  if (previous === undefined) return false;
  const { deletionTimestamp } = (entry.value.metadata ?? {}) as { readonly deletionTimestamp?: unknown };
  return entry.size <= previous.size + (deletionTimestamp === undefined ? -1 : markBytes);
}

/** Counts the memory of the objects. */
export class Room {
  #bytes = 0;
  readonly #most: number;

  constructor({ objectBytes = getHeapStatistics().heap_size_limit / 4 }: RoomLimits) {
    this.#most = objectBytes;
  }

  /** Throws StorageFull if there is no room for changes, the one made after the other. */
  require(changes: readonly StoredChange[]): void {
    const added = changes.reduce((sum, change) => sum + growth(change), 0);
    if (added > 0 && this.#bytes + added > this.#most && !changes.every(leavesLess)) throw new StorageFull();
  }

  /** Counts a change that is made. */
  take(change: StoredChange): void {
    this.#bytes += growth(change);
  }

  /** Forgets all objects. */
  clear(): void {
    this.#bytes = 0;
  }
}

const growth = ({ type, entry, previous }: StoredChange): number =>
  (type === 'put' ? besides + entry.size : 0) - (previous === undefined ? 0 : besides + previous.size);
