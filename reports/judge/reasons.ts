// Why cases were not judged, for the lists of the summaries.
import { groupBy } from '../../matrix/api/groupBy.js';
import { type JudgedCase, whyUnjudged } from './counts.js';
import { plain } from './failureMessage.js';

/**
 * Returns the cases of a verdict by the reason, in the words of the first case of each. The names that the run gives to
 * objects tell no reasons apart.
 */
export function byReason(
  cases: readonly JudgedCase[],
  wanted: 'not-supported' | 'skipped',
): (readonly [reason: string, members: readonly JudgedCase[]])[] {
  const unjudged = cases.filter(({ verdict }) => verdict === wanted);
  const groups = groupBy(unjudged, (one) => plain(whyUnjudged(one)).replace(/\bkac-[\w-]+/g, '…'));
  return [...groups.values()].map((members) => [plain(whyUnjudged(members[0] ?? {})), members] as const);
}
