// One reader of the storage's changes for all who watch: it works a batch of changes out once for each scope.
import type { Resource } from '../../matrix/api/index.js';
import { prefixOf, storedResource } from '../registry/addresses.js';
import type { WatchEvent } from '../request.js';
import type { Change, Storage } from '../storage/storage.js';
import { Turns } from '../turns.js';
import { eventsOf } from './events.js';
import { Pace } from './pace.js';
import type { Scope } from './scope.js';

/**
 * What comes to so many bytes is told at once, however soon after the last: what is written in one piece stays in the
 * buffers of every connection that gets it.
 */
const mostUntold = 48 * 1024;

/**
 * While so many bytes wait to be told, a turn is longer: writes must not run away from those who watch them. With more
 * than the other number they are told before anything else is done.
 */
const behind = { bytes: 1024 * 1024, milliseconds: 25, most: 4 * 1024 * 1024 };

/** One who follows the changes. */
export interface Follower {
  /** It has seen everything up to here. */
  readonly after: number;
  /** With these it has been given everything up to a revision. */
  deliver(events: readonly WatchEvent[], upTo: number): void;
  /** Nothing more comes, since the changes cannot be read any more. */
  fail(error: unknown): void;
}

/** Those who see the same: they are given the same arrays of events. */
interface Channel {
  readonly scope: Scope;
  readonly followers: Set<Follower>;
}

/**
 * Reads changes for as long as somebody holds it. Every revision is a change somewhere, so its position is known
 * without asking: it is that of the last change. A follower joins where it has seen everything up to the position;
 * what it has missed before, it reads from the storage by itself.
 */
export class Broadcaster {
  readonly #channels = new Map<Resource, Map<string, Channel>>();
  #holders = 0;
  #reading: Reading | undefined;
  #position = 0;

  constructor(readonly storage: Storage) {}

  /** How many hold it. */
  get holders(): number {
    return this.#holders;
  }

  /** All followers have been given what they see of the changes up to here. */
  get position(): number {
    return this.#position;
  }

  /** Keeps it reading until the answer is called. */
  hold(): () => void {
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
      if (this.#holders > 0) return;
      this.#reading?.stop.abort();
      this.#reading = undefined;
    };
  }

  /** Resolves when the position is known. For those who hold it. */
  begun(): Promise<void> {
    this.#reading ??= this.#begin();
    return this.#reading.begun;
  }

  /** Gives a follower what a scope sees, from the position on, until the answer is called. */
  join(scope: Scope, follower: Follower): () => void {
    const { resource, id } = scope;
    const scopes = this.#channels.get(resource) ?? new Map<string, Channel>();
    const channel = scopes.get(id) ?? { scope, followers: new Set() };
    this.#channels.set(resource, scopes);
    scopes.set(id, channel);
    channel.followers.add(follower);
    return () => {
      channel.followers.delete(follower);
      if (channel.followers.size === 0 && scopes.get(id) === channel) scopes.delete(id);
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
    const untold = new Untold();
    const pace = new Pace(() => this.#tell(untold, stop));
    stop.signal.addEventListener('abort', () => pace.stop());
    try {
      // Read at once, told in time: the history is not waited for.
      for await (const changes of this.storage.watch('', from, stop.signal)) {
        if (stop.signal.aborted) return;
        for (const change of changes) {
          untold.push(change);
          if (untold.bytes >= mostUntold) pace.now();
        }
        if (untold.bytes > 0) pace.soon();
      }
    } catch (error) {
      pace.now();
      this.#forget(stop);
      for (const scopes of this.#channels.values()) {
        for (const { followers } of scopes.values()) for (const follower of followers) follower.fail(error);
      }
    }
  }

  /**
   * Tells all that is untold. Where that takes long, others are served meanwhile, and the answer comes when it is done:
   * how many milliseconds it took.
   */
  #tell(untold: Untold, stop: AbortController): Promise<number> | undefined {
    const turns = new Turns();
    const steps = this.#steps(untold, stop);
    for (;;) {
      if (steps.next().done) return undefined;
      if (untold.allows(turns)) return this.#tellOn(untold, steps, turns);
    }
  }

  async #tellOn(untold: Untold, steps: Iterator<void>, turns: Turns): Promise<number> {
    let taken = 0;
    for (;;) {
      taken += turns.taken;
      await turns.next();
      do if (steps.next().done) return taken + turns.taken;
      while (!untold.allows(turns));
    }
  }

  /** Gives one follower after another what is untold, a piece of it at a time, for as long as it is read. */
  *#steps(untold: Untold, stop: AbortController): Iterator<void> {
    const isRead = () => this.#reading?.stop === stop;
    while (untold.bytes > 0) {
      const changes = untold.take();
      const upTo = changes.at(-1)?.entry.revision ?? this.#position;
      const given = new Set<Follower>();
      let before = -1;
      // Who joins meanwhile has seen no more than the position: there is none left when a pass finds nobody.
      while (given.size > before) {
        before = given.size;
        for (const [resource, scopes] of this.#channels) {
          const root = prefixOf(storedResource(resource));
          const seen = changes.filter(({ entry }) => entry.key.startsWith(root));
          if (seen.length === 0) continue;
          for (const channel of scopes.values()) {
            for (const _given of give(channel, seen, upTo, given)) {
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

/** Changes that have been read and not been told. */
class Untold {
  readonly #changes: Change[] = [];
  bytes = 0;

  push(change: Change): void {
    this.#changes.push(change);
    this.bytes += change.entry.size;
  }

  /** The first, as many as are told in one piece. */
  take(): readonly Change[] {
    let bytes = 0;
    let count = 0;
    for (; count < this.#changes.length && bytes < mostUntold; count += 1)
      bytes += this.#changes[count]?.entry.size ?? 0;
    this.bytes -= bytes;
    return this.#changes.splice(0, count);
  }

  /** Whether others may be served after such a turn. */
  allows(turns: Turns): boolean {
    if (this.bytes > behind.most) return false;
    return this.bytes > behind.bytes ? turns.taken >= behind.milliseconds : turns.isOver;
  }
}

/** Gives those who have not been given the changes what they see of them. */
function* give(
  { scope, followers }: Channel,
  changes: readonly Change[],
  upTo: number,
  given: Set<Follower>,
): Generator<void> {
  const first = changes[0]?.entry.revision ?? 0;
  try {
    let events: readonly WatchEvent[] | undefined;
    for (const follower of followers) {
      if (given.has(follower)) continue;
      given.add(follower);
      events ??= eventsOf(changes, scope);
      const mine = follower.after < first ? events : eventsOf(newerThan(follower.after, changes), scope);
      if (mine.length === 0) continue;
      follower.deliver(mine, upTo);
      yield;
    }
  } catch (error) {
    // What cannot be shown or written concerns those who see it, and nobody else.
    for (const follower of followers) follower.fail(error);
  }
}

function newerThan(revision: number, changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ entry }) => entry.revision > revision);
}
