// Selects the failures that are shown completely if there is no room for all.
import { groupBy, isFailure, type JudgedCase } from '../counts.js';

/** Returns the failures: those of stated requirements first, cases without evidence last. */
export function failuresOf(cases: readonly JudgedCase[]): JudgedCase[] {
  const rank = ({ requirement, missing }: JudgedCase): number =>
    (missing ? 2 : 0) + (requirement.row.level === 'required' ? 0 : 1);
  return cases.filter(isFailure).sort((a, b) => rank(a) - rank(b));
}

/**
 * Returns up to `limit` of the cases in their order, and the first case of every requirement before any second case: a
 * requirement with a thousand failures does not displace a requirement with one.
 */
export function fairShare(cases: readonly JudgedCase[], limit: number): JudgedCase[] {
  const groups = [...groupBy(cases, ({ requirement }) => requirement.id).values()];
  const chosen = new Set<JudgedCase>();
  for (let round = 0; chosen.size < Math.min(limit, cases.length); round += 1) {
    for (const group of groups) {
      const next = group[round];
      if (next && chosen.size < limit) chosen.add(next);
    }
  }
  return cases.filter((judged) => chosen.has(judged));
}
