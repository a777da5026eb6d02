// The words of a comparison, which the page, the terminal and Markdown share.

import { groupBy } from '../../matrix/api/groupBy.js';
import { type JudgedCase, whyUnjudged } from '../judge/counts.js';
import { exampleOf, exampleText } from '../judge/failureMessage.js';
import { countOf, stateWord } from '../page/words.js';
import { cutInside, firstLine } from '../safeText.js';
import type { CaseDifference, ComparedRequirement, Comparison, DifferenceKind } from './compareRuns.js';

/** Returns the name of a run, short enough for a heading. */
export const runName = (name: string | undefined): string => cutInside(name ?? '', 60);

/** The row of a table that tells how many recommended requirements hold; empty if no run judged any. */
export function recommendedRow({ runs }: Comparison): readonly string[][] {
  const all = runs.map(({ verdict: { recommended } }) => recommended);
  if (all.every(({ judged }) => judged === 0)) return [];
  return [['recommended', ...all.map(({ held, judged }) => (judged === 0 ? 'none judged' : `${held} of ${judged}`))]];
}

/** Returns the result of a comparison in a few words; if unlike runs are compared, it says so first. */
export function comparisonHeadline(comparison: Comparison): string {
  const result = resultOf(comparison);
  const [first] = comparison.unlike;
  if (first === undefined) return result;
  const what = first.slice(0, first.indexOf(':'));
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}; in what both have, ${result.replace(/^(The|A) /, (article) => article.toLowerCase())}`;
}

function resultOf({ runs, requirements, runDifferences, exitCode }: Comparison): string {
  const [first, second] = runs.map(({ name }) => runName(name));
  const is = runs.length === 2 ? `${second} is` : 'A later run is';
  const has = (kind: ComparedRequirement['kind']): boolean => requirements.some((one) => one.kind === kind);
  if (exitCode === 1) return `${is} worse than ${first}`;
  if (has('worse')) return `${is} worse than ${first}, in recommended requirements only`;
  if (has('better')) return `${is} better than ${first}`;
  const agree = !has('other') && runDifferences.length === 0;
  return agree ? 'The runs agree' : `${is} no worse than ${first}`;
}

/** The title of the requirements that some runs were not told to run. */
export const partialTitle = 'In some of the runs only';

/** Reports whether a requirement that does not differ was selected in some of the runs only. */
export const isPartial = ({ kind, shares }: ComparedRequirement): boolean =>
  kind === 'same' && shares.includes(undefined);

/** Returns the numbers of requirements that are worse, better, otherwise different and equal. */
export function comparisonFacts({ requirements, runDifferences }: Comparison): string {
  const number = (kind: ComparedRequirement['kind']): number => requirements.filter((one) => one.kind === kind).length;
  const partly = requirements.filter(isPartial).length;
  return [
    `${countOf(number('worse'), 'requirement')} worse`,
    `${number('better')} better`,
    `${number('other')} otherwise different`,
    `${number('same') - partly} equal`,
    ...(partly > 0 ? [`${partly} ${partialTitle.toLowerCase()}`] : []),
    ...(runDifferences.length > 0 ? [`${countOf(runDifferences.length, 'check')} of a whole run worse`] : []),
  ].join(', ');
}

export const kindTitles = {
  worse: 'Worse',
  better: 'Better',
  other: 'Otherwise different',
} as const satisfies Record<DifferenceKind, string>;

export const kindMeanings = {
  worse: 'A later run fails a case that the first run does not fail.',
  better: 'The first run fails a case, and no later run does.',
  other: 'No failure comes or goes: what is declared, supported or skipped is not the same.',
} as const satisfies Record<DifferenceKind, string>;

/** Returns why a requirement differs, by an example from the run that fails; failed cases precede blocked ones. */
export function reasonText({ differences }: ComparedRequirement): string {
  const failing = differences.flatMap(({ kind, results }) => {
    const [first] = results;
    return kind === 'worse' ? results.slice(1) : first === undefined ? [] : [first];
  });
  const result =
    failing.find((one) => one?.verdict === 'failed') ?? failing.find((one) => one && one.verdict !== 'passed');
  if (result === undefined) return '';
  return firstLine(result.deviation?.reason ?? exampleText(exampleOf(result.subject, result.message)), 200);
}

/** Differences that are neither worse nor better and have the same reason. */
export interface OtherDifference {
  /** The verdicts in the order of the runs: `passed, then not supported`. */
  readonly verdicts: string;
  readonly reason: string;
  readonly cases: readonly CaseDifference[];
}

/** Groups the differences by reason, the largest first: a resource that one server lacks is one difference. */
export function otherDifferences({ differences }: Comparison): OtherDifference[] {
  const members = differences.filter(({ kind }) => kind === 'other');
  const verdictsOf = ({ results }: CaseDifference): string => results.map(verdictOf).join(', then ');
  const groups = groupBy(members, (member) => JSON.stringify([verdictsOf(member), reasonOf(member)]));
  return [...groups.values()]
    .flatMap((cases) => {
      const [first] = cases;
      return first === undefined ? [] : [{ verdicts: verdictsOf(first), reason: firstLine(reasonOf(first)), cases }];
    })
    .sort((a, b) => b.cases.length - a.cases.length);
}

/** Returns why a case is not judged, or may fail; the requirement if all runs judge the case. */
function reasonOf({ results, requirement }: CaseDifference): string {
  const declared = results.find((result) => result?.deviation)?.deviation?.reason;
  const unjudged = results.find((result) => result?.verdict === 'not-supported' || result?.verdict === 'skipped');
  return declared ?? (unjudged && whyUnjudged(unjudged)) ?? requirement.id;
}

const verdictOf = (result: JudgedCase | undefined): string => (result ? stateWord(result.verdict) : 'not selected');
