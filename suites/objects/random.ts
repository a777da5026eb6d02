// Random choices that depend only on a seed.

/** A sequence of random choices. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  number(): number;
  /** Returns an integer from 0 to below the limit. */
  below(limit: number): number;
  chance(share: number): boolean;
  of<T>(items: readonly T[]): T;
  entry<T>(rows: Readonly<Record<string, T>>): readonly [string, T];
  bytes(count: number): Buffer;
}

/** Returns the sequence of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // drops the first numbers, which are similar for similar seeds
  for (let count = 0; count < 3; count += 1) number();
  const below = (limit: number): number => Math.floor(number() * limit);
  const of = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return {
    number,
    below,
    of,
    chance: (share) => number() < share,
    entry: (rows) => of(Object.entries(rows)),
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
