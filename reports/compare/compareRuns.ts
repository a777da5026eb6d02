// Compares runs with the first of them: the cases and requirements that differ, and whether a later run fails more.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { Requirement, RunHeader } from '../../suites/requirements/index.js';
import { isFailure, isUnreached, type JudgedCase, type Share, shareOf } from '../judge/counts.js';
import type { Evidence } from '../judge/evidence.js';
import { selectionWords } from '../judge/outcome.js';
import type { Verdict } from '../judge/verdict.js';
import { cutInside } from '../safeText.js';

export interface ComparedRun {
  readonly name: string;
  readonly verdict: Verdict;
  readonly evidence: Evidence;
}

/**
 * The meaning of a difference, compared with the first run. `worse`: another run fails and the first does not.
 * `better`: the first run fails and no other does. `other`: the number of undeclared failures does not change.
 */
export type DifferenceKind = 'worse' | 'other' | 'better';

/** A case with different verdicts in the runs. */
export interface CaseDifference {
  readonly id: string;
  readonly requirement: Requirement;
  readonly subject: string;
  readonly kind: DifferenceKind;
  /** One result for each run; absent if the run does not have the case. */
  readonly results: readonly (JudgedCase | undefined)[];
}

export interface ComparedRequirement {
  readonly requirement: Requirement;
  /** `worse` if a case is worse, even if others are better; `same` if no case differs. */
  readonly kind: DifferenceKind | 'same';
  /** One share for each run; absent if the run has no case of the requirement. */
  readonly shares: readonly (Share | undefined)[];
  readonly differences: readonly CaseDifference[];
}

const kinds = ['worse', 'other', 'better'] as const satisfies readonly DifferenceKind[];

/** A check of a whole run that the first run passes and another run fails. */
interface RunDifference {
  readonly run: string;
  readonly check: string;
  readonly problems: readonly string[];
}

export interface Comparison {
  readonly runs: readonly ComparedRun[];
  /** What the runs chose or asked that is not the same, one sentence each; only what they share is compared. */
  readonly unlike: readonly string[];
  /** Worse first, and required before recommended. */
  readonly differences: readonly CaseDifference[];
  /** Every requirement with cases in at least one run, in the order of the kinds, equal ones last. */
  readonly requirements: readonly ComparedRequirement[];
  readonly runDifferences: readonly RunDifference[];
  /** The number of cases with the same verdict in all runs. */
  readonly same: number;
  /** 1 if a later run fails a deciding case or a check of the whole run, and the first run does not; otherwise 0. */
  readonly exitCode: 0 | 1;
}

export function compareRuns(runs: readonly ComparedRun[]): Comparison {
  const byRun = runs.map(({ verdict }) => new Map(verdict.cases.map((judged) => [judged.id, judged])));
  const ids = new Set(byRun.flatMap((cases) => [...cases.keys()]));
  const selects = runs.map(({ evidence: { run } }) => selectionWords(run).length > 0);
  const differences: CaseDifference[] = [];
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
    unlike: unlikeChoices(runs),
    differences,
    requirements: comparedRequirements(runs, differences),
    runDifferences,
    same: ids.size - differences.length,
    exitCode: worse || runDifferences.length > 0 ? 1 : 0,
  };
}

/** Returns how the choices of the runs differ, each as a sentence; empty if they are the same. */
function unlikeChoices(runs: readonly ComparedRun[]): string[] {
  const differing = (what: string, of: (run: RunHeader) => string): string[] => {
    const said = runs.map(({ evidence: { run } }) => (run === undefined ? '' : of(run)));
    if (new Set(said).size === 1) return [];
    return [`${what}: ${runs.map(({ name }, index) => `${cutInside(name, 60)}: ${said[index]}`).join('; ')}`];
  };
  return [
    ...differing('different cases were run', (run) => selectionWords(run).join(', ') || 'all'),
    ...differing('the suite was not the same', ({ version }) => `version ${version}`),
  ];
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

function kindOf([first, ...others]: readonly (JudgedCase | undefined)[]): DifferenceKind {
  const fails = (result: JudgedCase | undefined): boolean => result !== undefined && isFailure(result);
  if (!fails(first) && others.some(fails)) return 'worse';
  return fails(first) && !others.some(fails) && others.some((result) => result !== undefined) ? 'better' : 'other';
}

function rank({ kind, requirement }: CaseDifference): number {
  return 2 * kinds.indexOf(kind) + (requirement.row.level === 'required' ? 0 : 1);
}

function wholeRuns([first, ...others]: readonly ComparedRun[]): RunDifference[] {
  if (!first) return [];
  const before = first.verdict.checks;
  return others.flatMap(({ name, verdict }) =>
    verdict.checks.flatMap(({ name: check, problems }, index) =>
      problems.length > 0 && before[index]?.problems.length === 0 ? [{ run: name, check, problems }] : [],
    ),
  );
}

const kindsOfRequirements = [
  'worse',
  'better',
  'other',
  'same',
] as const satisfies readonly ComparedRequirement['kind'][];

/** Returns the requirements of some runs: worse first, required before recommended, then by the size of the change. */
function comparedRequirements(
  runs: readonly ComparedRun[],
  differences: readonly CaseDifference[],
): ComparedRequirement[] {
  const differing = groupBy(differences, ({ requirement }) => keyOf(requirement));
  const byRun = runs.map(({ verdict }) => new Map(everyOne(verdict).map((one) => [keyOf(one.requirement), one.cases])));
  const known = new Map(
    runs.flatMap(({ verdict }) => everyOne(verdict).map((one) => [keyOf(one.requirement), one.requirement] as const)),
  );
  return [...known.values()]
    .flatMap((requirement): ComparedRequirement[] => {
      const shares = byRun.map((cases) => shareOf(cases.get(keyOf(requirement)) ?? []));
      if (shares.every((share) => share === undefined)) return [];
      const own = differing.get(keyOf(requirement)) ?? [];
      return [{ requirement, kind: requirementKind(own), shares, differences: own }];
    })
    .sort((a, b) => weight(a) - weight(b) || loss(b) - loss(a) || b.differences.length - a.differences.length);
}

/** Returns the requirements of a run, and those that were asked of kinds that only its target knows. */
const everyOne = ({ requirements, kinds }: Verdict) => [...requirements, ...(kinds?.requirements ?? [])];

const keyOf = ({ id, ofFound }: Requirement): string => (ofFound ? `${id}, other kinds` : id);

function requirementKind(differences: readonly CaseDifference[]): ComparedRequirement['kind'] {
  const kinds = new Set(differences.map(({ kind }) => kind));
  return kindsOfRequirements.find((kind) => kind === 'same' || kinds.has(kind)) ?? 'same';
}

/** The order by kind and level. A requirement that only got blocked comes after the others, which have the cause. */
function weight({ kind, requirement, differences }: ComparedRequirement): number {
  const fails = differences.some(({ results }) => results.some((result) => result?.verdict === 'failed'));
  const level = requirement.row.level === 'required' ? 0 : 1;
  return 4 * kindsOfRequirements.indexOf(kind) + 2 * level + (kind === 'worse' && !fails ? 1 : 0);
}

/** Returns the difference between the shares of the first run and the last. */
function loss({ shares }: ComparedRequirement): number {
  const part = (share: Share | undefined): number =>
    share === undefined || share.judged === 0 ? 0 : share.passed / share.judged;
  return Math.abs(part(shares[0]) - part(shares.at(-1)));
}
