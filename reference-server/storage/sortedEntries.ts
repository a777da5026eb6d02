// Entries in key order, in blocks: an insertion moves the entries of one block only.
import type { Entry } from './storage.js';

/** The most entries in a block; a larger block is split in two. */
const mostInBlock = 512;

/** A sorted set of entries, one for each key. No block is empty. */
export class SortedEntries {
  #blocks: Entry[][] = [];

  constructor(entries: readonly Entry[] = []) {
    const sorted = [...entries].sort(byKey);
    for (let at = 0; at < sorted.length; at += mostInBlock / 2)
      this.#blocks.push(sorted.slice(at, at + mostInBlock / 2));
  }

  /** Adds an entry, or replaces the entry with the same key. */
  put(entry: Entry): void {
    const index = this.#blockOf(entry.key);
    const block = this.#blocks[index];
    if (block === undefined) {
      this.#blocks.push([entry]);
      return;
    }
    const position = positionIn(block, entry.key);
    block.splice(position, block[position]?.key === entry.key ? 1 : 0, entry);
    if (block.length > mostInBlock) this.#blocks.splice(index + 1, 0, block.splice(block.length / 2));
  }

  /** Removes the entry with a key, if it exists. */
  remove(key: string): void {
    const index = this.#blockOf(key);
    const block = this.#blocks[index];
    const position = block === undefined ? 0 : positionIn(block, key);
    if (block?.[position]?.key !== key) return;
    block.splice(position, 1);
    if (block.length === 0) this.#blocks.splice(index, 1);
  }

  /** The number of entries with a lower key. */
  rank(key: string): number {
    const index = this.#blockOf(key);
    let rank = 0;
    for (let before = 0; before < index; before += 1) rank += (this.#blocks[before] as Entry[]).length;
    const block = this.#blocks[index];
    return block === undefined ? rank : rank + positionIn(block, key);
  }

  /** Returns the entries from rank `start` up to, but not including, rank `end`. */
  slice(start: number, end: number): Entry[] {
    const entries: Entry[] = [];
    let first = 0;
    for (const block of this.#blocks) {
      if (first >= end) break;
      if (first + block.length > start) {
        for (let at = Math.max(0, start - first); at < Math.min(block.length, end - first); at += 1)
          entries.push(block[at] as Entry);
      }
      first += block.length;
    }
    return entries;
  }

  /** The index of the block that holds a key or would hold it: the last block that begins with a key no higher. */
  #blockOf(key: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((this.#blocks[middle] as Entry[])[0] as Entry).key <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** Orders entries by their keys. */
export const byKey = (one: Entry, other: Entry): number => (one.key < other.key ? -1 : 1);

function positionIn(block: readonly Entry[], key: string): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((block[middle] as Entry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
