// A comparison as JSON for programs, described by reports/schema/compare.schema.json.

import { countVerdicts } from '../judge/counts.js';
import type { Comparison } from './compareRuns.js';

/** Increased when a reader of the previous version would misread the file; new fields alone do not increase it. */
const comparisonVersion = 2;

/** Returns the comparison as JSON. `verdicts` and `messages` have one entry for each run, null if there is none. */
export function renderComparisonJson({
  runs,
  requirements,
  differences,
  unlike,
  runDifferences,
  same,
  exitCode,
}: Comparison): string {
  const file = {
    comparisonVersion,
    exitCode,
    same,
    runs: runs.map(({ name, verdict, evidence: { run } }) => ({
      name,
      ...(run && { runId: run.runId, startedAt: run.startedAt, target: run.target }),
      outcome: verdict.outcome,
      line: verdict.line,
      counts: countVerdicts(verdict.cases),
      recommended: verdict.recommended,
    })),
    unlike,
    runDifferences,
    requirements: requirements
      .filter(({ kind }) => kind !== 'same')
      .map(({ requirement: { id, row }, kind, shares, differences: of }) => ({
        id,
        level: row.level,
        text: row.text,
        kind,
        cases: of.length,
        shares: shares.map((share) => (share ? { passed: share.passed, judged: share.judged } : null)),
      })),
    differences: differences.map(({ id, requirement, subject, kind, results }) => ({
      id,
      requirement: requirement.id,
      level: requirement.row.level,
      subject,
      kind,
      verdicts: results.map((result) => result?.verdict ?? null),
      messages: results.map((result) => result?.message ?? null),
    })),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}
