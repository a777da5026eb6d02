// Runs chosen cases of the loaded chapters in this process.
import { type CaseResult, caseId } from '../../requirements/index.js';
import { runCases } from '../../run/cases.js';
import { groups } from '../../run/group.js';
import type { Context } from '../../run/worker.js';

/** Runs the cases whose ids are wanted, until these are enough or no case is left. */
export async function runChosen(
  context: Context,
  isWanted: (id: string) => boolean,
  isEnough: (results: readonly CaseResult[]) => boolean = () => false,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const group of groups) {
    for (const subject of group.subjects) {
      const checks = group.checks.filter(({ id }) => isWanted(caseId(id, subject)));
      if (checks.length > 0 && !isEnough(results))
        results.push(...(await runCases(context, subject, { ...group, checks })));
    }
  }
  return results;
}
