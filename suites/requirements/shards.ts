// Shards: split the chosen cases into parts for several runs, in the same way for the same choice.
import type { Case } from './cases.js';
import { isChecked } from './types.js';

/** One of several parts of the chosen cases. `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * Returns the cases of a shard. Cases of one test stay together, because their checks share requests. The tests with
 * the most subjects are assigned first, each to the shard with the fewest.
 */
export function shardOf({ index, of }: Shard, cases: readonly Case[]): readonly Case[] {
  const subjects = new Map<string, Set<string>>();
  for (const one of cases) {
    const test = testOf(one);
    subjects.set(test, (subjects.get(test) ?? new Set()).add(one.subject.id));
  }
  const loads = Array.from({ length: of }, () => 0);
  const dealt = new Map<string, number>();
  for (const [test, { size }] of [...subjects].sort(([, a], [, b]) => b.size - a.size)) {
    const lightest = loads.indexOf(Math.min(...loads));
    dealt.set(test, lightest);
    loads[lightest] = (loads[lightest] ?? 0) + size;
  }
  return cases.filter((one) => dealt.get(testOf(one)) === index - 1);
}

/** Returns the name of a case's test: cases with the same chapter, subject set and resource are one test. */
function testOf({ requirement: { chapter, row }, subject }: Case): string {
  return `${chapter} ${isChecked(row) ? row.subjects : ''} ${subject.resource}`;
}
