// The changes of the last revisions, bounded in number and in memory.
import { type Change, Compacted } from './storage.js';

/** How far a watch can look back. */
export interface HistoryLimits {
  /** How many changes there are at least, if they fit; 5,000 by default. */
  readonly history?: number;
  /** How many bytes their values may take together, the values before them included; 8 MiB by default. */
  readonly historyBytes?: number;
}

/** Changes of consecutive revisions; the first is that of revision `oldest + 1`. */
export class History {
  #log: Change[];
  #oldest: number;
  #bytes = 0;
  readonly #mostChanges: number;
  readonly #mostBytes: number;

  constructor(
    { history = 5000, historyBytes = 8 * 1024 * 1024 }: HistoryLimits,
    oldest: number,
    log: readonly Change[],
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

  /** Adds the change of the next revision. */
  push(change: Change): void {
    this.#log.push(change);
    this.#bytes += bytesOf(change);
    this.#trim();
    // The log keeps them for long, but hardly anybody asks again for what is no longer there.
    if (change.previous) change.previous.derived = undefined;
    const older = this.#log.at(-derivedChanges);
    if (older?.type === 'remove') older.entry.derived = undefined;
  }

  /** The changes under a prefix after a revision. Throws Compacted. */
  since(prefix: string, after: number): readonly Change[] {
    if (after < this.#oldest) throw new Compacted(after, this.#oldest);
    const changes = [];
    for (let index = after - this.#oldest; index < this.#log.length; index++) {
      const change = this.#log[index];
      if (change?.entry.key.startsWith(prefix)) changes.push(change);
    }
    return changes;
  }

  /** Forgets the changes up to a revision, which is one that has been. */
  compact(revision: number): void {
    if (revision <= this.#oldest) return;
    for (const change of this.#log.splice(0, revision - this.#oldest)) this.#bytes -= bytesOf(change);
    this.#oldest = revision;
  }

  /** Trims in batches, so that a write costs the same when it is full: a quarter more changes, a quarter less bytes. */
  #trim(): void {
    const most = this.#mostChanges;
    if (this.#log.length > most * 1.25) this.compact(this.#oldest + this.#log.length - most);
    if (this.#bytes <= this.#mostBytes) return;
    let left = this.#bytes;
    let count = 0;
    // The newest change stays, however large: those who follow it are not cut off by it.
    while (left > this.#mostBytes * 0.75 && count < this.#log.length - 1) {
      left -= bytesOf(this.#log[count] as Change);
      count += 1;
    }
    this.compact(this.#oldest + count);
  }
}

/** For so many changes, the encoded form of what was removed is kept for those who watch. */
const derivedChanges = 128;

const bytesOf = ({ entry, previous }: Change): number => entry.size + (previous?.size ?? 0);
