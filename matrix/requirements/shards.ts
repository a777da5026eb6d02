// Shards: cuts the chosen cases into parts that several runs take, always the same for the same choice.
import type { Case } from './cases.js';
import type { Shard } from './choice.js';
import { isChecked } from './types.js';

/**
 * The cases of a shard. Cases that are one test stay together, since their checks share requests; the tests with the
 * most subjects are dealt first, each to the shard that has the fewest.
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

/** A chapter, a subject set and a resource make one test. */
function testOf({ requirement: { chapter, row }, subject }: Case): string {
  return `${chapter} ${isChecked(row) ? row.subjects : ''} ${subject.resource}`;
}
