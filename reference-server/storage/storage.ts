// The storage contract: one ordered key space, one global revision, optimistic writes, watch from a revision.
import type { ApiObject } from '../codecs/codec.js';
import { sizeOf } from './size.js';

/**
 * An object as it was at one revision. `value.metadata.resourceVersion` is that revision: the storage writes it,
 * since it alone knows it. Entries are shared by all readers and never change.
 */
export class Entry {
  /** What readers derive from this value and want to find again (its encoded forms); lives and dies with it. */
  derived: unknown[] | undefined = undefined;
  #size: number | undefined;

  constructor(
    readonly key: string,
    readonly revision: number,
    readonly value: ApiObject,
  ) {}

  /** How many bytes the value takes in memory, about. */
  get size(): number {
    this.#size ??= sizeOf(this.value);
    return this.#size;
  }
}

/** One committed write. For a removal, `entry` is the last state, stamped with the revision of the removal. */
export interface Change {
  readonly type: 'put' | 'remove';
  readonly entry: Entry;
  /** What was under the key before. */
  readonly previous?: Entry;
}

/** What an update wants: another value, the key gone (with the last state that watchers see), or nothing at all. */
export type Write = { readonly put: ApiObject } | { readonly remove: ApiObject } | 'keep';

export interface Written {
  /** The state after the write; after a removal, the last state. */
  readonly entry: Entry;
  readonly change: 'put' | 'remove' | 'keep';
}

export interface ListOptions {
  /** Only keys that sort after this one. */
  readonly after?: string;
  readonly limit?: number;
  /** The state at this revision instead of the newest. */
  readonly revision?: number;
}

export interface Range {
  readonly entries: readonly Entry[];
  /** The revision of the state that was read. */
  readonly revision: number;
  /** How many entries of the range the limit left out. */
  readonly remaining: number;
}

/** What has to be true of another key at the moment of a write: `check` throws where it is not, and nothing is written. */
export interface Fence {
  readonly key: string;
  check(entry: Entry | undefined): void;
}

/**
 * Everything the server keeps. Short enough for a map, an embedded store, or etcd: a guaranteed update is a
 * transaction on the revision that was read, a list is a paged range at one revision.
 */
export interface Storage {
  /** The revision of the newest write. */
  revision(): Promise<number>;
  /** Throws KeyExists, and what the fence throws. */
  create(key: string, value: ApiObject, fence?: Fence): Promise<Entry>;
  get(key: string): Promise<Entry | undefined>;
  /** Keys in ascending order of their UTF-16 units. Throws Compacted or FutureRevision. */
  list(prefix: string, options?: ListOptions): Promise<Range>;
  /**
   * Asks `update` what to write instead of the current state, and asks again if that moved meanwhile.
   * `update` may throw, which writes nothing. It answers 'keep' only where there is a current entry.
   */
  guaranteedUpdate(key: string, update: (current: Entry | undefined) => Write): Promise<Written>;
  /** The last state, or undefined if there was none. */
  delete(key: string): Promise<Entry | undefined>;
  /**
   * Every change under the prefix after a revision, in order, in batches as they come. Ends when the signal
   * aborts. Throws Compacted when the revision, or a reader that is too slow, has fallen out of history.
   */
  watch(prefix: string, after: number, signal: AbortSignal): AsyncIterable<readonly Change[]>;
  /** Forgets history before a revision. */
  compact(revision: number): Promise<void>;
  /** Rejects when the storage does not work. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** A key is taken. */
export class KeyExists extends Error {
  constructor(readonly key: string) {
    super(`key exists: ${key}`);
  }
}

/** There is no room for another write; reads go on. */
export class StorageFull extends Error {
  constructor() {
    super('the storage is full');
  }
}

/** A revision is no longer in history. */
export class Compacted extends Error {
  constructor(
    readonly asked: number,
    readonly oldest: number,
  ) {
    super(`revision ${asked} is compacted, the oldest is ${oldest}`);
  }
}

/** A revision has not been reached yet. */
export class FutureRevision extends Error {
  constructor(
    readonly asked: number,
    readonly current: number,
  ) {
    super(`revision ${asked} is in the future, the current one is ${current}`);
  }
}

/** The value with its revision written into its metadata. For implementations of Storage. */
export function stamped(value: ApiObject, revision: number): ApiObject {
  const metadata = value.metadata as ApiObject | undefined;
  return { ...value, metadata: { ...metadata, resourceVersion: String(revision) } };
}
