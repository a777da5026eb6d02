// The storage contract: one ordered key space, one global revision, optimistic writes, watch from a revision.
import { jsonText, parseJson } from '../exactJson.js';
import type { KubeObject } from '../schema/object.js';
import { readRecord } from '../schema/storedRecord.js';
import { reportStored, StatusError } from '../statusError.js';
import { sizeOf } from './size.js';

/**
 * An object at one revision. `value.metadata.resourceVersion` is this revision; the storage writes it, because only the
 * storage knows it. Readers share entries, and an entry never changes.
 */
export class Entry<Kind extends KubeObject = KubeObject> {
  /** Values that readers derive from this value and cache here, such as encoded forms. */
  derived: unknown[] | undefined = undefined;
  /** Whether the object is stored in another form than it would be now: then a write without a change stores it. */
  isStale = false;
  #size: number | undefined;
  #value: Kind | undefined;
  #text: string | undefined;
  #onDecode: ((entry: Entry) => void) | undefined;
  /** Whether others may have stored the text, so that what it has is checked. */
  #isOfOthers = false;
  #isDamaged = false;

  constructor(
    readonly key: string,
    readonly revision: number,
    value: Kind,
  ) {
    this.#value = value;
  }

  /**
   * Makes an entry from the stored text of its value, which need not have the revision. What is wrong with it is left out
   * of the value, and reported when the value is read.
   */
  static ofText(key: string, revision: number, text: string): Entry {
    const entry = new Entry(key, revision, undefined as unknown as KubeObject);
    entry.#text = text;
    entry.#size = text.length;
    entry.#isOfOthers = true;
    return entry;
  }

  /** Makes an entry from its stored value, as `ofText` does. `mayHaveNulls` is false if its JSON has no null in it. */
  static ofStored(key: string, revision: number, stored: unknown, mayHaveNulls: boolean): Entry {
    const entry = new Entry(key, revision, undefined as unknown as KubeObject);
    entry.#value = stampedOnce(entry.#checked(stored, mayHaveNulls), revision);
    return entry;
  }

  /** The object. If the entry has only its text, the text is decoded. */
  get value(): Kind {
    if (this.#value !== undefined) return this.#value;
    const value = stampedOnce(this.#decoded(this.#text as string), this.revision) as Kind;
    this.#value = value;
    this.#onDecode?.(this);
    return value;
  }

  /** Whether something was wrong with the record, so that the value has less than what is stored. */
  get isDamaged(): boolean {
    void this.value;
    return this.#isDamaged;
  }

  #decoded(text: string): KubeObject {
    if (!this.#isOfOthers) return parseJson(text) as KubeObject;
    return this.#checked(jsonIn(text), text.includes('null'));
  }

  #checked(stored: unknown, mayHaveNulls: boolean): KubeObject {
    const { value, faults } = readRecord(this.key, stored, mayHaveNulls);
    this.#isOfOthers = false;
    if (value !== stored) this.#text = undefined;
    if (faults.length === 0) return value;
    this.#isDamaged = true;
    reportStored(`the stored record ${this.key} is damaged, and is used without this: ${faults.join('; ')}`);
    return value;
  }

  /** Replaces the value with its text, until a reader needs the value; then calls `onDecode`. Clears `derived`. */
  keepText(onDecode: (entry: Entry) => void): void {
    this.#text ??= jsonText(this.#value);
    this.#onDecode = onDecode;
    this.#value = undefined;
    this.derived = undefined;
  }

  /** The approximate memory of the value, in bytes. */
  get size(): number {
    this.#size ??= sizeOf(this.value);
    return this.#size;
  }
}

/** Returns the value of a JSON text, undefined if it is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** One committed write. For a removal, `entry` is the last state with the revision of the removal. */
export interface StoredChange {
  readonly type: 'put' | 'remove';
  readonly entry: Entry;
  /** The entry under the key before the write. */
  readonly previous?: Entry;
}

/**
 * The result of an update function: put a value, remove the key (with the last state for watches), or change nothing.
 */
export type StorageWrite = { readonly put: KubeObject } | { readonly remove: KubeObject } | 'keep';

export interface Written<Kind extends KubeObject = KubeObject> {
  /** The state after the write. After a removal, the last state. */
  readonly entry: Entry<Kind>;
  readonly change: 'put' | 'remove' | 'keep';
}

export interface ListOptions {
  /** Only keys that sort after this key. */
  readonly after?: string;
  readonly limit?: number;
  /** The revision to read; the newest by default. */
  readonly revision?: number;
}

export interface Range<Kind extends KubeObject = KubeObject> {
  readonly entries: readonly Entry<Kind>[];
  /** The revision of the returned state. */
  readonly revision: number;
  /** The number of entries after those that the limit allows. */
  readonly remaining: number;
}

/**
 * A condition on another key at the moment of a write. `check` throws if the condition fails; then nothing is written.
 */
export interface Fence {
  readonly key: string;
  check(entry: Entry | undefined): void;
}

/**
 * All state of the server. The interface is small enough for a map, an embedded store or etcd: a guaranteed update is a
 * transaction on the revision that was read, and a list is a paged range at one revision. Reads do not ask the other
 * servers of the storage: `sync` does.
 */
export interface Storage {
  /** Returns the revision of the newest write that this server knows. */
  revision(): Promise<number>;
  /**
   * Resolves when this server knows every write that any server of the storage acknowledged before the call. At once if
   * the storage has one server. Throws StorageAway if the storage does not respond.
   */
  sync(): Promise<void>;
  /** Throws KeyExists if the key is taken, StorageFull if there is no room, and the errors of `fence.check`. */
  create(key: string, value: KubeObject, fence?: Fence): Promise<Entry>;
  get(key: string): Promise<Entry | undefined>;
  /** Returns entries in ascending order of the UTF-16 units of their keys. Throws Compacted or FutureRevision. */
  list(prefix: string, options?: ListOptions): Promise<Range>;
  /**
   * Calls `update` with the current entry and writes the result; calls `update` again if the entry changed meanwhile.
   * If `update` throws, nothing is written. `update` returns 'keep' only if there is a current entry.
   */
  guaranteedUpdate(key: string, update: (current: Entry | undefined) => StorageWrite): Promise<Written>;
  /** Removes a key. Returns the last state, or undefined if the key was absent. */
  delete(key: string): Promise<Entry | undefined>;
  /**
   * Yields every change under the prefix after a revision, in order, in batches as they occur. Ends when the signal
   * aborts. Throws Compacted if history no longer has the revision, or no longer has the place of a slow reader. A reader
   * that waits gets the changes up to a revision in the turn of the event loop after `revision` has returned it.
   */
  watch(prefix: string, after: number, signal: AbortSignal): AsyncIterable<readonly StoredChange[]>;
  /** Forgets the changes up to and including a revision. */
  compact(revision: number): Promise<void>;
  /** Rejects if the storage does not work. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export class KeyExists extends Error {
  constructor(readonly key: string) {
    super(`key exists: ${key}`);
  }
}

/** The storage does not respond. The write was not sent, or it was a read. */
export class StorageAway extends StatusError {
  constructor(why: string) {
    super(
      503,
      'ServiceUnavailable',
      `the storage is not available: ${why}`,
      { retryAfterSeconds: 1 },
      { 'Retry-After': '1' },
    );
  }
}

/** There is no room for another write. Reads still work. */
export class StorageFull extends StatusError {
  constructor() {
    super(507, 'InsufficientStorage', 'the storage is full: nothing was written');
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

/** A revision is not reached yet. */
export class FutureRevision extends Error {
  constructor(
    readonly asked: number,
    readonly current: number,
  ) {
    super(`revision ${asked} is in the future, the current one is ${current}`);
  }
}

/** Returns the value with the revision in its metadata. For implementations of Storage. */
export function stamped(value: KubeObject, revision: number): KubeObject {
  return { ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } };
}

const stampedOnce = (value: KubeObject, revision: number): KubeObject =>
  value.metadata.resourceVersion === String(revision) ? value : stamped(value, revision);

/** The choice of one server of a storage. */
export interface Leadership {
  /**
   * Calls `act` whenever this server leads, until the signal aborts. The signal that `act` gets aborts when the server
   * no longer leads; another server leads only after some time, or once `act` has ended.
   */
  whileLeading(act: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** A server that has its storage for itself leads all the time. */
export const alone: Leadership = { whileLeading: (act, signal) => act(signal) };
