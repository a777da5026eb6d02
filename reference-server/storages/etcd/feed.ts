// Follows the changes in etcd, and applies them to a storage in memory: each change once, in order.
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeObject } from '../../schema/object.js';
import type { MemoryStorage } from '../../storage/memory.js';
import { Entry, StorageAway, type StoredChange, stamped } from '../../storage/storage.js';
import type { EtcdClient } from './client.js';
import { Deadlines } from './deadlines.js';
import type { Keys } from './keys.js';
import { type Event, type HeadRead, methods, numberOfInt64, type WatchResponse } from './messages.js';
import { readState } from './state.js';

/** How long a call waits until this server knows a revision that etcd has, in milliseconds. */
const reachMillis = 10_000;
/** The pauses between attempts to follow, in milliseconds. */
const [leastPause, mostPause] = [20, 1_000];

/** A value that this server has sent to etcd: it need not be decoded when it comes back. */
export interface SentValue {
  readonly bytes: Buffer;
  readonly value: KubeObject;
}

/** A program that does not put the head has written. */
class UnknownWriter extends Error {}

export class Feed {
  readonly #sent = new Map<string, Set<SentValue>>();
  readonly #deadlines = new Deadlines();
  readonly #waiting = new Set<{ readonly isReached: () => boolean; readonly wake: () => void }>();
  /** The last states of removed objects, which the head has, by revision. */
  #last: { readonly revision: number; readonly bytes: Buffer } | undefined;
  /** The revision up to which all events are received. */
  #position: number;
  /** The revision of the last event that was applied. */
  #applied = 0;
  #head: HeadRead;

  constructor(
    readonly client: EtcdClient,
    readonly keys: Keys,
    readonly memory: MemoryStorage,
    head: HeadRead,
  ) {
    this.#position = memory.bounds.revision;
    this.#head = head;
  }

  /** Remembers a value until the returned function is called. */
  expect(key: string, sent: SentValue): () => void {
    const known = this.#sent.get(key) ?? new Set();
    this.#sent.set(key, known.add(sent));
    return () => {
      known.delete(sent);
      if (known.size === 0 && this.#sent.get(key) === known) this.#sent.delete(key);
    };
  }

  /** Resolves when the changes up to a revision are applied. Throws StorageAway after `millis` milliseconds. */
  reached(revision: number, millis: number): Promise<void> {
    return this.#until(() => this.memory.bounds.revision >= revision, millis);
  }

  #until(isReached: () => boolean, millis: number): Promise<void> {
    if (isReached()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const wake = () => {
        over();
        this.#waiting.delete(waiting);
        resolve();
      };
      const waiting = { isReached, wake };
      const over = this.#deadlines.after(millis, () => {
        this.#waiting.delete(waiting);
        reject(new StorageAway('this server does not receive the changes of etcd'));
      });
      this.#waiting.add(waiting);
    });
  }

  /**
   * Resolves when the changes up to the newest one of the servers are applied: then this server knows all up to a later
   * `revision` of etcd too, because what came between are writes of other programs. Throws StorageAway.
   */
  async caughtUp(newest: number, revision: number): Promise<void> {
    await this.reached(newest, reachMillis);
    this.memory.advance(revision);
  }

  /**
   * Resolves when the changes up to a revision are applied at which the head was last put at `written` and `count` objects
   * were left by the removals since. Throws StorageAway.
   */
  async caughtUpWithRemovals(written: number, count: number, revision: number): Promise<void> {
    const { memory } = this;
    const isReached = () => memory.bounds.revision >= written && (this.#head.written > written || memory.size <= count);
    await this.#until(isReached, reachMillis);
    memory.advance(revision);
  }

  /** The revision of the last put of the head. */
  get headAt(): number {
    return this.#head.written;
  }

  /** Whether a put must say that the head is the newest write again. */
  get needsMark(): boolean {
    return !this.#head.isNewest;
  }

  /** Follows etcd until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const before = this.#position;
      const end = await this.#follow(signal).catch((error: unknown) =>
        error instanceof UnknownWriter ? 'unknown' : 'failed',
      );
      if (signal.aborted) return;
      failures = this.#position > before ? 0 : failures + 1;
      this.client.turnAway();
      try {
        if (end === 'compacted' || end === 'unknown') await this.#startAnew(end === 'unknown');
        else await pause(Math.min(mostPause, leastPause * 2 ** Math.min(10, failures)), undefined, { signal });
      } catch {
        // etcd is away, or the signal has aborted.
      }
    }
  }

  /** Follows etcd until the stream ends. Says whether that is because etcd no longer has the position. */
  #follow(signal: AbortSignal): Promise<'compacted' | 'failed'> {
    return new Promise<'compacted' | 'failed'>((resolve, reject) => {
      const stop = () => {
        signal.removeEventListener('abort', stop);
        stream.cancel();
        resolve('failed');
      };
      const stream = this.client.open(methods.watch, {
        data: (response) => {
          try {
            if (!response.canceled) return this.#take(response);
            resolve(numberOfInt64(response.compact_revision) > 0 ? 'compacted' : 'failed');
          } catch (error) {
            reject(error);
          }
          stop();
        },
        end: (failure) => {
          if (failure === undefined) resolve('failed');
          else reject(failure);
          stop();
        },
      });
      signal.addEventListener('abort', stop);
      stream.write({ create_request: { ...this.keys.followed, start_revision: this.#position + 1, fragment: true } });
    });
  }

  #take({ events, fragment }: WatchResponse): void {
    for (const event of events) this.#apply(event);
    const last = events.at(-1);
    // The rest of a revision may be in the next fragment.
    if (last !== undefined && !fragment) this.#position = numberOfInt64(last.kv.mod_revision);
    this.#wake();
  }

  #apply({ type, kv }: Event): void {
    const revision = numberOfInt64(kv.mod_revision);
    const key = this.keys.objectOf(kv.key);
    if (key === undefined) {
      const isPut = type === 0;
      if (kv.key.equals(this.keys.headIsNewest)) this.#head = { ...this.#head, isNewest: isPut };
      else this.#head = { ...this.#head, written: revision };
      if (kv.value.length > 0) this.#last = { revision, bytes: kv.value };
      return;
    }
    const { memory } = this;
    // A stream that begins again repeats the first part of a revision.
    if (revision <= this.#applied) return;
    // Only a program that does not know the head writes at a revision that this server has taken for quiet.
    if (revision <= memory.bounds.revision) throw new UnknownWriter();
    this.#applied = revision;
    const previous = memory.peek(key);
    if (type === 0) {
      const entry = this.#entryOf(key, revision, kv.value);
      memory.apply(previous === undefined ? { type: 'put', entry } : { type: 'put', entry, previous });
    } else if (previous !== undefined) {
      const entry =
        this.#last?.revision === revision
          ? this.#entryOf(key, revision, this.#last.bytes)
          : new Entry(key, revision, stamped(previous.value, revision));
      memory.apply({ type: 'remove', entry, previous } satisfies StoredChange);
    }
  }

  #entryOf(key: string, revision: number, bytes: Buffer): Entry {
    for (const sent of this.#sent.get(key) ?? [])
      if (sent.bytes.equals(bytes)) return new Entry(key, revision, stamped(sent.value, revision));
    return Entry.ofText(key, revision, bytes.toString());
  }

  #wake(): void {
    for (const waiting of this.#waiting) if (waiting.isReached()) waiting.wake();
  }

  /** Reads the whole state, if changes are missing. Then watches of earlier revisions end with Compacted. */
  async #startAnew(isUnknown: boolean): Promise<void> {
    const state = await readState(this.client, this.keys);
    const isComplete = !isUnknown && state.oldest <= this.memory.bounds.revision;
    if (!isComplete) this.memory.replace({ ...state, oldest: state.revision });
    this.#position = state.revision;
    this.#head = state.head;
    this.#applied = 0;
    this.#wake();
  }
}
