// A comparison for the terminal: ten lines on worse and better requirements, then the counts and the other differences.

import { type Counts, countVerdicts, shareText, verdicts } from '../judge/counts.js';
import { countOf, moreOf, stateCount, stateWord } from '../page/words.js';
import { textColumns } from '../render/text.js';
import { firstLine } from '../safeText.js';
import type { ComparedRequirement, Comparison } from './compareRuns.js';
import {
  comparisonFacts,
  comparisonHeadline,
  kindTitles,
  otherDifferences,
  reasonText,
  recommendedRow,
  runName,
} from './words.js';

/** The number of requirements that are shown completely, or by id, and of reasons of other differences. */
const shown = { worse: 3, better: 2, ids: 5, reasons: 10 } as const;

/** Returns the comparison as plain text. The first line has the result. */
export function renderComparisonText(comparison: Comparison): string {
  const { runs, runDifferences } = comparison;
  const first = runName(runs[0]?.name);
  const outcome = `${comparisonHeadline(comparison)}: ${comparisonFacts(comparison)}`;
  return [
    [
      outcome,
      ...comparison.unlike.map((line) => `  ${firstLine(line, 400)}`),
      ...changed(comparison, 'worse'),
      ...runDifferences.map(
        ({ run, check, problems }) =>
          `  ${runName(run)}: ${check}: ${firstLine(problems[0] ?? '')}; it passes in ${first}`,
      ),
      ...changed(comparison, 'better'),
    ].join('\n'),
    countTable(comparison),
    others(comparison),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** Returns two lines for each of the first requirements of a kind, and one for all others. */
function changed({ requirements }: Comparison, kind: 'worse' | 'better'): string[] {
  const members = requirements.filter((one) => one.kind === kind);
  const rest = members.slice(shown[kind]);
  const ids = rest.slice(0, shown.ids).map(({ requirement }) => requirement.id);
  const more = rest.length - ids.length;
  return [
    ...members.slice(0, shown[kind]).flatMap((one) => {
      const why = reasonText(one);
      const line = `  ${kindTitles[kind].toLowerCase()}: ${requirementLine(one)}`;
      return kind === 'better' || why === '' ? [line] : [line, `      ${why}`];
    }),
    ...(rest.length === 0
      ? []
      : [`  and ${rest.length} more ${kind}: ${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
  ];
}

/** `selectors.labels (required) 37/37 → 0/37`. */
function requirementLine({ requirement, shares }: ComparedRequirement): string {
  const texts = shares.map(shareText);
  // What failed may be declared now: the shares that pass are equal then.
  const isEqual = new Set(texts).size === 1;
  const more = isEqual ? ` (${shares.map((share) => unpassed(share?.counts)).join(' → ')})` : '';
  return `${requirement.id} (${requirement.row.level}) ${texts.join(' → ')}${more}`;
}

/** Returns what the cases are that do not pass: `2 failed`, `2 known deviations`. */
function unpassed(counts: Counts | undefined): string {
  const used = (['failed', 'blocked', 'known-deviation'] as const).filter((verdict) => (counts?.[verdict] ?? 0) > 0);
  return used.map((verdict) => stateCount(counts?.[verdict] ?? 0, verdict)).join(', ') || 'none failed';
}

function countTable(comparison: Comparison): string {
  const { runs } = comparison;
  const counts = runs.map(({ verdict }) => countVerdicts(verdict.cases));
  const used = verdicts.filter((verdict) => counts.some((of) => of[verdict] > 0));
  return textColumns([
    ['', ...runs.map(({ name }) => runName(name))],
    [
      'verdict',
      ...runs.map(({ verdict: { outcome, nothingNew, parts } }) =>
        nothingNew === undefined ? outcome.replaceAll('-', ' ') : firstLine(parts[0]?.text ?? '', 60),
      ),
    ],
    ...used.map((verdict) => [stateWord(verdict), ...counts.map((of) => of[verdict].toLocaleString('en-US'))]),
    ...recommendedRow(comparison),
  ]);
}

function others(comparison: Comparison): string {
  const groups = otherDifferences(comparison);
  const lines = groups
    .slice(0, shown.reasons)
    .map(({ verdicts: said, reason, cases }) => `  ${countOf(cases.length, 'case')} ${said}: ${reason}`);
  const rest = groups.length - lines.length;
  const all = groups.reduce((sum, { cases }) => sum + cases.length, 0);
  const more = rest > 0 ? [`  and ${moreOf(rest, 'reason')}`] : [];
  return groups.length === 0 ? '' : [`${kindTitles.other} (${countOf(all, 'case')}):`, ...lines, ...more].join('\n');
}
