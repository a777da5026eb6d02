// Chooses which failures are shown in full where there is no room for all.
import { groupBy, isFailure, type JudgedCase } from '../counts.js';

/** The failures: those of stated requirements first; cases without any evidence last. */
export function failuresOf(cases: readonly JudgedCase[]): JudgedCase[] {
  const rank = ({ requirement, missing }: JudgedCase): number =>
    (missing ? 2 : 0) + (requirement.row.level === 'stated' ? 0 : 1);
  return cases.filter(isFailure).sort((a, b) => rank(a) - rank(b));
}

/**
 * Up to `limit` of the cases, every requirement's first before any requirement's second: a rule that fails a
 * thousand times leaves room for one that fails once. The order of the cases is kept.
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
