// Compares runs with the first of them: which cases differ, and whether a later run fails where the first does not.
import { choiceOf, type Requirement } from '../matrix/requirements/index.js';
import { choiceWords } from './choiceText.js';
import { type ComparedRequirement, comparedRequirements } from './comparedRequirements.js';
import { isFailure, isUnreached, type JudgedCase } from './counts.js';
import type { Evidence } from './evidence.js';
import { runChecks } from './runChecks.js';
import type { Verdict } from './verdict.js';

/** A run under the name of its column. */
export interface ComparedRun {
  readonly name: string;
  readonly verdict: Verdict;
  readonly evidence: Evidence;
}

/**
 * What a difference is to somebody who goes from the first run to the others. `worse`: one of them fails where the
 * first does not. `better`: the first fails and none of them does. `other`: no undeclared failure comes or goes.
 */
export type Kind = 'worse' | 'other' | 'better';

/** The kinds in the order in which they are shown. */
const kinds = ['worse', 'other', 'better'] as const satisfies readonly Kind[];

/** A case whose verdict is not the same in all runs. */
export interface Difference {
  readonly id: string;
  readonly requirement: Requirement;
  readonly subject: string;
  readonly kind: Kind;
  /** A result for each run; absent where the run does not have the case. */
  readonly results: readonly (JudgedCase | undefined)[];
}

/** A check of the run as a whole that the first run passes and another one does not. */
interface RunDifference {
  readonly run: string;
  readonly check: string;
  readonly problems: readonly string[];
}

/** What the comparison of some runs comes to. */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  /** Worse first, and required before recommended. */
  readonly differences: readonly Difference[];
  /** Every requirement that some run has cases of: what differs first, in the order of the kinds. */
  readonly requirements: readonly ComparedRequirement[];
  readonly runDifferences: readonly RunDifference[];
  /** How many cases have one verdict in all runs. */
  readonly same: number;
  /** 1 where a later run fails a case that decides, or as a whole, and the first does not; else 0. */
  readonly exitCode: 0 | 1;
}

/** Compares runs; the first is what the others are held against. */
export function compareRuns(runs: readonly ComparedRun[]): Comparison {
  const byRun = runs.map(({ verdict }) => new Map(verdict.cases.map((judged) => [judged.id, judged])));
  const ids = new Set(byRun.flatMap((cases) => [...cases.keys()]));
  const selects = runs.map(({ evidence: { run } }) => run !== undefined && choiceWords(choiceOf(run)).length > 0);
  const differences: Difference[] = [];
  for (const id of ids) {
    const results = byRun.map((cases) => cases.get(id));
    const [known] = results.filter((result) => result !== undefined);
    const asked = results.filter((result, index) => result !== undefined || !selects[index]);
    // The first run decides what is worse: where it was not asked, there is nothing to compare with.
    if (!known || (results[0] === undefined && selects[0]) || !differ(asked)) continue;
    differences.push({ id, requirement: known.requirement, subject: known.subject, kind: kindOf(asked), results });
  }
  differences.sort((a, b) => rank(a) - rank(b));
  const runDifferences = wholeRuns(runs);
  const strict = runs.some(({ evidence }) => evidence.run?.strict);
  const decides = ({ row }: Requirement): boolean => strict || row.level === 'stated';
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
 * Results differ in their verdicts. That a run was not asked for a case, or did not reach it, makes a difference only
 * where another fails; one that ended too early to fail again is no better for it.
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
  return 2 * kinds.indexOf(kind) + (requirement.row.level === 'stated' ? 0 : 1);
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
