// The watch cache: one reader of the storage's changes for all watches. It makes the events of a scope once.
import type { Resource } from '../../matrix/api/index.js';
import { type Clock, MovableClock } from '../clock.js';
import type { Storage, StoredChange } from '../storage/storage.js';
import { doInTurns, longestTurn, type Steps, Turns } from '../turns.js';
import { prefixOf, storageResource } from '../versions/addresses.js';
import { eventsOf } from './events.js';
import type { WatchScope } from './options.js';
import { Pace } from './pace.js';
import type { WatchEvent } from './sink.js';

/**
 * The buffer is dispatched as soon as it has this many bytes: the connection of every receiver buffers the events of
 * one write.
 */
const mostBuffered = 48 * 1024;

/**
 * With more buffered than `bytes`, turns last at least `milliseconds`, so that watches keep up with writes. With more
 * than `most` bytes, the cache dispatches before all other work.
 */
const behind = { bytes: 1024 * 1024, milliseconds: 25, most: 4 * 1024 * 1024 };

/** A watch that subscribes to changes. */
export interface Subscriber {
  /** The watch has all changes up to this revision. */
  readonly after: number;
  /** Delivers events, with which the watch has all changes up to `upTo`. */
  deliver(events: readonly WatchEvent[], upTo: number): void;
  /** Ends the subscription: the cache can no longer read changes. */
  fail(error: unknown): void;
}

/** The subscribers of one scope: they receive the same arrays of events. */
interface Channel {
  readonly scope: WatchScope;
  readonly subscribers: Set<Subscriber>;
}

/**
 * Reads changes while at least one watch uses the cache. Every revision is a change of some object, so the position of
 * the cache is the revision of the last change. A watch subscribes once it has all changes up to the position; it reads
 * earlier changes from the storage.
 */
export class WatchCache {
  readonly #channels = new Map<Resource, Map<string, Channel>>();
  #users = 0;
  #reading: Reading | undefined;
  #position = 0;

  constructor(
    readonly storage: Storage,
    readonly clock: Clock = new MovableClock(),
  ) {}

  /** The number of watches that use the cache. */
  get users(): number {
    return this.#users;
  }

  /** The revision up to which all subscribers have received their events. */
  get position(): number {
    return this.#position;
  }

  /** Keeps the cache reading. Returns a function that releases the cache. */
  retain(): () => void {
    this.#users += 1;
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      this.#reading?.stop.abort();
      this.#reading = undefined;
    };
  }

  /** Resolves when the position is known. Only for users of the cache. */
  ready(): Promise<void> {
    this.#reading ??= this.#begin();
    return this.#reading.begun;
  }

  /** Delivers the events of a scope from the position on. Returns a function that ends the subscription. */
  subscribe(scope: WatchScope, subscriber: Subscriber): () => void {
    const { resource, id } = scope;
    const scopes = this.#channels.get(resource) ?? new Map<string, Channel>();
    const channel = scopes.get(id) ?? { scope, subscribers: new Set() };
    this.#channels.set(resource, scopes);
    scopes.set(id, channel);
    channel.subscribers.add(subscriber);
    return () => {
      channel.subscribers.delete(subscriber);
      if (channel.subscribers.size === 0 && scopes.get(id) === channel) scopes.delete(id);
      if (scopes.size === 0 && this.#channels.get(resource) === scopes) this.#channels.delete(resource);
    };
  }

  #begin(): Reading {
    const stop = new AbortController();
    const begun = this.storage.revision().then((revision) => {
      if (stop.signal.aborted) return;
      this.#position = revision;
      void this.#read(revision, stop);
    });
    begun.catch(() => this.#forget(stop));
    return { stop, begun };
  }

  async #read(from: number, stop: AbortController): Promise<void> {
    const buffer = new ChangeBuffer();
    const pace = new Pace(() => this.#dispatch(buffer, stop));
    stop.signal.addEventListener('abort', () => pace.stop());
    try {
      // Buffer changes as they arrive, so that a slow dispatch does not fall out of the storage's history.
      for await (const changes of this.storage.watch('', from, stop.signal)) {
        if (stop.signal.aborted) return;
        for (const change of changes) {
          buffer.push(change);
          if (buffer.bytes >= mostBuffered) pace.now();
        }
        if (buffer.bytes > 0) pace.soon();
      }
    } catch (error) {
      pace.now();
      this.#forget(stop);
      for (const scopes of this.#channels.values()) {
        for (const { subscribers } of scopes.values()) for (const subscriber of subscribers) subscriber.fail(error);
      }
    }
  }

  /**
   * Dispatches the buffer. A long dispatch runs in turns with other requests; then the promise resolves with the time
   * that it took, in milliseconds.
   */
  #dispatch(buffer: ChangeBuffer, stop: AbortController): Promise<number> | undefined {
    const turns = new Turns((taken) => buffer.allows(taken));
    return doInTurns(this.#steps(buffer, stop), turns)?.then(() => turns.taken);
  }

  /** Delivers the buffer piece by piece, to one subscriber after the other, until reading stops. */
  *#steps(buffer: ChangeBuffer, stop: AbortController): Steps<void> {
    const isRead = () => this.#reading?.stop === stop;
    while (buffer.bytes > 0) {
      const changes = buffer.take();
      const upTo = changes.at(-1)?.entry.revision ?? this.#position;
      const delivered = new Set<Subscriber>();
      let before = -1;
      // A watch that subscribes meanwhile has only the changes up to the position, so it gets these in another pass.
      while (delivered.size > before) {
        before = delivered.size;
        for (const [resource, scopes] of this.#channels) {
          const root = prefixOf(storageResource(resource));
          const seen = changes.filter(({ entry }) => entry.key.startsWith(root));
          if (seen.length === 0) continue;
          for (const channel of scopes.values()) {
            for (const _delivered of dispatch(channel, seen, upTo, delivered)) {
              yield;
              if (!isRead()) return;
            }
          }
        }
      }
      this.#position = upTo;
    }
  }

  #forget(stop: AbortController): void {
    if (this.#reading?.stop === stop) this.#reading = undefined;
  }
}

interface Reading {
  readonly stop: AbortController;
  readonly begun: Promise<void>;
}

/** Changes that are read but not dispatched. */
class ChangeBuffer {
  readonly #changes: StoredChange[] = [];
  bytes = 0;

  push(change: StoredChange): void {
    this.#changes.push(change);
    this.bytes += change.entry.size;
  }

  /** Removes and returns the first changes: one piece. */
  take(): readonly StoredChange[] {
    let bytes = 0;
    let count = 0;
    for (; count < this.#changes.length && bytes < mostBuffered; count += 1)
      bytes += this.#changes[count]?.entry.size ?? 0;
    this.bytes -= bytes;
    return this.#changes.splice(0, count);
  }

  /** Reports whether other requests may run after a turn of so many milliseconds. */
  allows(taken: number): boolean {
    if (this.bytes > behind.most) return false;
    return taken >= (this.bytes > behind.bytes ? behind.milliseconds : longestTurn);
  }
}

/** Delivers changes to the subscribers of a channel that do not have them. Yields after each delivery. */
function* dispatch(
  { scope, subscribers }: Channel,
  changes: readonly StoredChange[],
  upTo: number,
  delivered: Set<Subscriber>,
): Steps<void> {
  const first = changes[0]?.entry.revision ?? 0;
  try {
    let events: readonly WatchEvent[] | undefined;
    for (const subscriber of subscribers) {
      if (delivered.has(subscriber)) continue;
      delivered.add(subscriber);
      events ??= eventsOf(changes, scope);
      const mine = subscriber.after < first ? events : eventsOf(newerThan(subscriber.after, changes), scope);
      if (mine.length === 0) continue;
      subscriber.deliver(mine, upTo);
      yield;
    }
  } catch (error) {
    // An event that cannot be encoded or written concerns only the subscribers of its scope.
    for (const subscriber of subscribers) subscriber.fail(error);
  }
}

function newerThan(revision: number, changes: readonly StoredChange[]): readonly StoredChange[] {
  return changes.filter(({ entry }) => entry.revision > revision);
}
