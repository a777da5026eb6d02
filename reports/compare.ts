// Compares runs with the first of them: the cases that differ, and whether a later run fails where the first does not.
import { choiceOf, type Requirement } from '../suites/requirements/index.js';
import { choiceWords } from './choiceText.js';
import {
  type ComparedRequirement,
  type ComparedRun,
  comparedRequirements,
  type Difference,
  type Kind,
} from './comparedRequirements.js';
import { isFailure, isUnreached, type JudgedCase } from './counts.js';
import { runChecks } from './runChecks.js';

/** The kinds in the order of the report. */
const kinds = ['worse', 'other', 'better'] as const satisfies readonly Kind[];

/** A check of a whole run that the first run passes and another run fails. */
interface RunDifference {
  readonly run: string;
  readonly check: string;
  readonly problems: readonly string[];
}

/** The result of a comparison. */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  /** Worse first, and required before recommended. */
  readonly differences: readonly Difference[];
  /** Every requirement with cases in at least one run, in the order of the kinds, equal ones last. */
  readonly requirements: readonly ComparedRequirement[];
  readonly runDifferences: readonly RunDifference[];
  /** The number of cases with the same verdict in all runs. */
  readonly same: number;
  /** 1 if a later run fails a deciding case or a check of the whole run, and the first run does not; otherwise 0. */
  readonly exitCode: 0 | 1;
}

/** Compares runs with the first one. */
export function compareRuns(runs: readonly ComparedRun[]): Comparison {
  const byRun = runs.map(({ verdict }) => new Map(verdict.cases.map((judged) => [judged.id, judged])));
  const ids = new Set(byRun.flatMap((cases) => [...cases.keys()]));
  const selects = runs.map(({ evidence: { run } }) => run !== undefined && choiceWords(choiceOf(run)).length > 0);
  const differences: Difference[] = [];
  for (const id of ids) {
    const results = byRun.map((cases) => cases.get(id));
    const [known] = results.filter((result) => result !== undefined);
    const asked = results.filter((result, index) => result !== undefined || !selects[index]);
    // A requirement is worse or better than in the first run, so a case that the first run did not select is neither.
    if (!known || (results[0] === undefined && selects[0]) || !differ(asked)) continue;
    differences.push({ id, requirement: known.requirement, subject: known.subject, kind: kindOf(asked), results });
  }
  differences.sort((a, b) => rank(a) - rank(b));
  const runDifferences = wholeRuns(runs);
  const strict = runs.some(({ evidence }) => evidence.run?.strict);
  const decides = ({ row }: Requirement): boolean => strict || row.level === 'required';
  const worse = differences.some(({ kind, requirement }) => kind === 'worse' && decides(requirement));
  return {
    runs,
    differences,
    requirements: comparedRequirements(runs, differences),
    runDifferences,
    same: ids.size - differences.length,
    exitCode: worse || runDifferences.length > 0 ? 1 : 0,
  };
}

/**
 * Reports whether the results have different verdicts. A missing or unreached result is a difference only if another
 * run fails the case. A later run that ended before the case is not better for that.
 */
function differ([first, ...others]: readonly (JudgedCase | undefined)[]): boolean {
  const results = [first, ...others.filter((result) => !result || !isUnreached(result))];
  const there = results.filter((result) => result !== undefined && !isUnreached(result));
  if (new Set(there.map((result) => result?.verdict)).size > 1) return true;
  return there.length < results.length && there.some((result) => result !== undefined && isFailure(result));
}

function kindOf([first, ...others]: readonly (JudgedCase | undefined)[]): Kind {
  const fails = (result: JudgedCase | undefined): boolean => result !== undefined && isFailure(result);
  if (!fails(first) && others.some(fails)) return 'worse';
  return fails(first) && !others.some(fails) && others.some((result) => result !== undefined) ? 'better' : 'other';
}

function rank({ kind, requirement }: Difference): number {
  return 2 * kinds.indexOf(kind) + (requirement.row.level === 'required' ? 0 : 1);
}

function wholeRuns([first, ...others]: readonly ComparedRun[]): RunDifference[] {
  if (!first) return [];
  const before = runChecks(first.verdict);
  return others.flatMap(({ name, verdict }) =>
    runChecks(verdict).flatMap(({ name: check, problems }, index) =>
      problems.length > 0 && before[index]?.problems.length === 0 ? [{ run: name, check, problems }] : [],
    ),
  );
}
