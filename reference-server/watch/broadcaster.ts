// One reader of the storage's changes for all who watch: it works a batch of changes out once for each scope.
import type { Resource } from '../../matrix/api/index.js';
import { prefixOf, storedResource } from '../registry/addresses.js';
import type { WatchEvent } from '../request.js';
import type { Change, Storage } from '../storage/storage.js';
import { eventsOf } from './events.js';
import { Pace } from './pace.js';
import type { Scope } from './scope.js';

/**
 * What comes to so many bytes is told at once, however soon after the last: what is written in one piece stays in the
 * buffers of every connection that gets it.
 */
const mostUntold = 48 * 1024;

/** One who follows the changes. */
export interface Follower {
  /** It has seen everything up to here. */
  readonly after: number;
  deliver(events: readonly WatchEvent[]): void;
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
    let untold: Change[] = [];
    let untoldBytes = 0;
    const pace = new Pace(() => {
      const changes = untold;
      untold = [];
      untoldBytes = 0;
      this.#publish(changes);
    });
    stop.signal.addEventListener('abort', () => pace.stop());
    try {
      // Read at once, told in time: the history is not waited for.
      for await (const changes of this.storage.watch('', from, stop.signal)) {
        if (stop.signal.aborted) return;
        for (const change of changes) {
          untold.push(change);
          untoldBytes += change.entry.size;
          if (untoldBytes >= mostUntold) pace.now();
        }
        if (untold.length > 0) pace.soon();
      }
    } catch (error) {
      pace.now();
      this.#forget(stop);
      for (const scopes of this.#channels.values()) {
        for (const { followers } of scopes.values()) for (const follower of followers) follower.fail(error);
      }
    }
  }

  #publish(changes: readonly Change[]): void {
    this.#position = changes.at(-1)?.entry.revision ?? this.#position;
    for (const [resource, scopes] of this.#channels) {
      const root = prefixOf(storedResource(resource));
      const seen = changes.filter(({ entry }) => entry.key.startsWith(root));
      if (seen.length > 0) for (const channel of scopes.values()) give(channel, seen);
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

function give({ scope, followers }: Channel, changes: readonly Change[]): void {
  const first = changes[0]?.entry.revision ?? 0;
  try {
    const events = eventsOf(changes, scope);
    for (const follower of followers) {
      const mine = follower.after < first ? events : eventsOf(newerThan(follower.after, changes), scope);
      if (mine.length > 0) follower.deliver(mine);
    }
  } catch (error) {
    // What cannot be shown or written concerns those who see it, and nobody else.
    for (const follower of followers) follower.fail(error);
  }
}

function newerThan(revision: number, changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ entry }) => entry.revision > revision);
}
