// The entries whose values are decoded. The values of all other entries are text: the garbage collector of V8 visits every
// field of a decoded value, and all requests wait for it, but it visits a text in one step.
import type { Entry } from './storage.js';

export interface DecodedLimits {
  /** The number of decoded entries, of those written last. The default is 16,384. */
  readonly decoded?: number;
  /** The memory that the values of these entries may take, in bytes. The default is 64 MiB. */
  readonly decodedBytes?: number;
  /** The number of older entries that stay decoded after a read. The default is 256: one request reads values often. */
  readonly decodedAgain?: number;
}

/** The memory that the values of older entries may take after reads, in bytes. */
const bytesAgain = 4 * 1024 * 1024;

/**
 * Keeps the values of the entries that were written last, and of the few older ones that were read last. A long list
 * reads many older entries: if their values stayed, they would outlive the list, which costs the garbage collector more
 * than decoding them again costs a reader.
 */
export class DecodedEntries {
  readonly #written: Queue;
  readonly #read: Queue;

  constructor({ decoded = 16 * 1024, decodedBytes = 64 * 1024 * 1024, decodedAgain = 256 }: DecodedLimits) {
    const leave = (entry: Entry): void => entry.keepText(this.#read.add);
    this.#read = new Queue(decodedAgain, bytesAgain, leave);
    this.#written = new Queue(decoded, decodedBytes, leave);
  }

  /** Adds an entry that was written just now. */
  add(entry: Entry): void {
    this.#written.add(entry);
  }

  /** Removes an entry that is no longer current. */
  remove(entry: Entry): void {
    this.#written.remove(entry);
    this.#read.remove(entry);
  }
}

/**
 * How many entries are added with one iterator. It keeps each table that the set has had since, with the entries that
 * were removed from it.
 */
const mostAdded = 256;

/** The latest entries, limited by number and by memory. */
class Queue {
  readonly #entries = new Set<Entry>();
  /** Continues after the entries that have left, which a new iterator would pass one by one. */
  #oldest = this.#entries.values();
  #added = 0;
  #bytes = 0;

  constructor(
    readonly mostEntries: number,
    readonly mostBytes: number,
    readonly leave: (entry: Entry) => void,
  ) {}

  readonly add = (entry: Entry): void => {
    this.#entries.add(entry);
    this.#bytes += entry.size;
    this.#added += 1;
    if (this.#added % mostAdded === 0) this.#oldest = this.#entries.values();
    while (this.#entries.size > this.mostEntries || this.#bytes > this.mostBytes) {
      const { value } = this.#oldest.next();
      if (value === undefined) {
        // The iterator has ended, because the queue was empty at the last call.
        this.#oldest = this.#entries.values();
        continue;
      }
      this.remove(value);
      this.leave(value);
    }
  };

  remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.size;
  }
}
