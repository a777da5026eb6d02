// One watch: the initial state, the missed changes, then new changes until the end.
import { expired, revisionTooLarge } from '../errors.js';
import { Compacted } from '../storage/storage.js';
import { Bookmarks, type BookmarkTiming } from './bookmarks.js';
import type { Subscriber, WatchCache } from './cache.js';
import { bookmark, eventsOf, initialEventsOf } from './events.js';
import type { WatchOptions } from './options.js';
import type { WatchEvent, WatchSink } from './sink.js';

/** The most events, and bytes of events, that are encoded together for a single client, which may be slow. */
const slices = { length: 32, bytes: 32 * 1024 };

/** The array of an event that is written alone. Watches share the array, and so its bytes. */
const alone = new WeakMap<WatchEvent, readonly WatchEvent[]>();

/** Returns the next events to write together. */
function sliceOf(events: readonly WatchEvent[], start: number): readonly WatchEvent[] {
  let end = start;
  for (let bytes = 0; end < events.length && end - start < slices.length && bytes < slices.bytes; end += 1) {
    bytes += events[end]?.size ?? 0;
  }
  const [first] = events.slice(start, end);
  if (end - start > 1 || first === undefined) return events.slice(start, end);
  const known = alone.get(first) ?? [first];
  alone.set(first, known);
  return known;
}

export interface Watch {
  readonly cache: WatchCache;
  readonly options: WatchOptions;
  readonly timing: BookmarkTiming;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/**
 * Writes the events of a watch until its duration ends or the signal aborts. A slow client gets no events until it has
 * drained, then the missed ones. Throws 410 if the revision, or the position of a slow client, has fallen out of
 * history, and 504 if the minimum revision is not reached yet.
 */
export async function runWatch({ cache, options, timing, signal }: Watch, sink: WatchSink): Promise<void> {
  if (options.millis <= 0 || signal.aborted) return;
  const ending = new AbortController();
  const end = () => ending.abort();
  const cancel = cache.clock.after(options.millis, end);
  signal.addEventListener('abort', end);
  const release = cache.retain();
  try {
    await new Watcher(cache, options, sink, ending.signal, timing).run();
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    throw expired(`too old resource version: ${error.asked} (${error.oldest})`);
  } finally {
    release();
    cancel();
    signal.removeEventListener('abort', end);
  }
}

class Watcher implements Subscriber {
  /** The revision up to which all events are written. */
  after = 0;
  /**
   * The revision up to which the cache has delivered events. It is lower than `after` if the watch begins at a future
   * revision.
   */
  #given = 0;
  #leave: (error?: unknown) => void = () => {};
  readonly #bookmarks: Bookmarks | undefined;

  constructor(
    readonly cache: WatchCache,
    readonly options: WatchOptions,
    readonly sink: WatchSink,
    readonly signal: AbortSignal,
    timing: BookmarkTiming,
  ) {
    if (options.bookmarks) this.#bookmarks = new Bookmarks(timing, options.millis, cache.clock);
  }

  async run(): Promise<void> {
    const { cache } = this;
    await this.#begin();
    while (!this.signal.aborted) {
      await cache.ready();
      if (this.signal.aborted) return;
      if (this.after < cache.position) await this.#catchUp();
      else await this.#follow();
    }
  }

  deliver(events: readonly WatchEvent[], upTo: number): void {
    this.#given = upTo;
    this.after = Math.max(this.after, upTo);
    if (!this.sink.write(events)) this.#leave();
  }

  fail(error: unknown): void {
    // A revision that is too old for other watches may be recent enough for this one: #catchUp will tell.
    this.#leave(error instanceof Compacted ? undefined : error);
  }

  async #begin(): Promise<void> {
    const { scope, beginning, endsInitialEvents, markedWith } = this.options;
    const { storage } = this.cache;
    if (beginning === 'now') this.after = await storage.revision();
    else if ('after' in beginning) this.after = beginning.after;
    else {
      const { entries, revision } = await storage.list(scope.prefix);
      const { atLeast } = beginning.state;
      if (atLeast > revision) throw revisionTooLarge(String(atLeast), String(revision));
      await this.#write(initialEventsOf(entries, scope));
      if (endsInitialEvents && !this.signal.aborted)
        this.sink.write([bookmark(scope.resource, revision, markedWith, true)]);
      this.after = revision;
    }
  }

  /** Reads missed changes from the storage until the watch has reached the position of the cache. */
  async #catchUp(): Promise<void> {
    const { scope } = this.options;
    const { cache } = this;
    for await (const changes of cache.storage.watch('', this.after, this.signal)) {
      await this.#write(eventsOf(changes, scope));
      this.after = changes.at(-1)?.entry.revision ?? this.after;
      if (this.signal.aborted || this.after >= cache.position) return;
    }
  }

  /**
   * Receives events from the cache until the watch ends or the client falls behind. In the latter case, waits until the
   * client has drained.
   */
  async #follow(): Promise<void> {
    const { scope } = this.options;
    const { cache } = this;
    const end = () => this.#leave();
    try {
      await new Promise<void>((resolve, reject) => {
        const stopMarking = this.#bookmarks?.start(() => this.#mark(cache.position));
        const leaveAll = cache.subscribe(scope, this);
        this.#leave = (error) => {
          stopMarking?.();
          leaveAll();
          this.after = Math.max(this.after, cache.position);
          if (error === undefined) resolve();
          else reject(error);
        };
        this.signal.addEventListener('abort', end);
      });
    } finally {
      this.signal.removeEventListener('abort', end);
    }
    if (!this.signal.aborted) await this.#drained();
  }

  #mark(position: number): void {
    // During a round, this watch may be ahead of the others.
    const upTo = Math.max(position, this.#given);
    const { scope, markedWith } = this.options;
    if (upTo >= this.after) this.deliver([bookmark(scope.resource, upTo, markedWith)], upTo);
  }

  async #write(events: readonly WatchEvent[]): Promise<void> {
    for (let start = 0; start < events.length && !this.signal.aborted; ) {
      const slice = sliceOf(events, start);
      start += slice.length;
      if (!this.sink.write(slice)) await this.#drained();
    }
  }

  /** Resolves when the client has drained or the watch has ended. */
  #drained(): Promise<void> {
    const { sink, signal } = this;
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done);
      void sink.drained().then(done);
    });
  }
}
