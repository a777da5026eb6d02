// One watch: what is there, what it has missed, then what comes, until its time is up or its client gone.
import { expired, revisionTooLarge } from '../errors.js';
import type { Store } from '../registry/store.js';
import type { WatchEvent, WatchSink } from '../request.js';
import { Compacted } from '../storage/storage.js';
import { Bookmarks, type BookmarkTiming } from './bookmarks.js';
import type { Broadcaster, Follower } from './broadcaster.js';
import { bookmark, eventsOf, initialEventsOf } from './events.js';
import type { WatchOptions } from './options.js';

/** So many events, and so many bytes of them, are encoded together for a client of its own, which may be slow. */
const slices = { length: 32, bytes: 32 * 1024 };

/** An event that is written alone: the same array for all who get it so, who share its bytes. */
const alone = new WeakMap<WatchEvent, readonly WatchEvent[]>();

/** The next events that are written together. */
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
  readonly store: Store;
  readonly options: WatchOptions;
  readonly timing: BookmarkTiming;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Writes the events of a watch, until its time is up or its signal aborts. A client that does not keep up gets no more
 * until it has drained, then what it has missed. Throws 410 for a revision, or a client, that has fallen out of history,
 * 504 for a state that is not there yet.
 */
export async function runWatch({ store, options, timing, signal }: Watch, sink: WatchSink): Promise<void> {
  if (options.millis <= 0 || signal.aborted) return;
  const { broadcaster } = store.registry;
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, options.millis);
  signal.addEventListener('abort', end);
  const release = broadcaster.hold();
  try {
    await new Watcher(store, options, sink, ending.signal, timing).run(broadcaster);
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    throw expired(`too old resource version: ${error.asked} (${error.oldest})`);
  } finally {
    release();
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

class Watcher implements Follower {
  /** Everything up to here has been written. */
  after = 0;
  /** Everything up to here has been given by the broadcaster; the same, but for who waits for a revision to come. */
  #given = 0;
  #leave: (error?: unknown) => void = () => {};
  readonly #bookmarks: Bookmarks | undefined;

  constructor(
    readonly store: Store,
    readonly options: WatchOptions,
    readonly sink: WatchSink,
    readonly signal: AbortSignal,
    timing: BookmarkTiming,
  ) {
    if (options.bookmarks) this.#bookmarks = new Bookmarks(timing, options.millis);
  }

  async run(broadcaster: Broadcaster): Promise<void> {
    await this.#begin();
    while (!this.signal.aborted) {
      await broadcaster.begun();
      if (this.after < broadcaster.position) await this.#catchUp(broadcaster);
      else await this.#follow(broadcaster);
    }
  }

  deliver(events: readonly WatchEvent[], upTo: number): void {
    this.#given = upTo;
    this.after = Math.max(this.after, upTo);
    if (!this.sink.write(events)) this.#leave();
  }

  fail(error: unknown): void {
    // What is too old for the others may be new enough for this one: catching up finds out.
    this.#leave(error instanceof Compacted ? undefined : error);
  }

  async #begin(): Promise<void> {
    const { scope, beginning, endsInitialEvents } = this.options;
    const { storage } = this.store.registry;
    if (beginning === 'now') this.after = await storage.revision();
    else if ('after' in beginning) this.after = beginning.after;
    else {
      const { entries, revision } = await storage.list(scope.prefix);
      const { atLeast } = beginning.state;
      if (atLeast > revision) throw revisionTooLarge(String(atLeast), String(revision));
      await this.#write(initialEventsOf(entries, scope));
      if (endsInitialEvents && !this.signal.aborted) this.sink.write([bookmark(scope.resource, revision, true)]);
      this.after = revision;
    }
  }

  /** Reads what it has missed from the storage, until it is where the broadcaster is. */
  async #catchUp(broadcaster: Broadcaster): Promise<void> {
    const { scope } = this.options;
    for await (const changes of broadcaster.storage.watch('', this.after, this.signal)) {
      await this.#write(eventsOf(changes, scope));
      this.after = changes.at(-1)?.entry.revision ?? this.after;
      if (this.signal.aborted || this.after >= broadcaster.position) return;
    }
  }

  /** Takes what the broadcaster gives, until the end, or until the client is behind: then until it has drained. */
  async #follow(broadcaster: Broadcaster): Promise<void> {
    const { scope } = this.options;
    const end = () => this.#leave();
    try {
      await new Promise<void>((resolve, reject) => {
        const stopMarking = this.#bookmarks?.start(() => this.#mark(broadcaster.position));
        const leaveAll = broadcaster.join(scope, this);
        this.#leave = (error) => {
          stopMarking?.();
          leaveAll();
          this.after = Math.max(this.after, broadcaster.position);
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
    // In the middle of a round it is ahead of the others.
    const upTo = Math.max(position, this.#given);
    if (upTo >= this.after) this.deliver([bookmark(this.options.scope.resource, upTo)], upTo);
  }

  async #write(events: readonly WatchEvent[]): Promise<void> {
    for (let start = 0; start < events.length && !this.signal.aborted; ) {
      const slice = sliceOf(events, start);
      start += slice.length;
      if (!this.sink.write(slice)) await this.#drained();
    }
  }

  /** Resolves when the client has drained, or the watch is over. */
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
