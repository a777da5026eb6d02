// A comparison for the terminal: a column for each run, then what differs, what became worse first.
import { type Comparison, type Difference, type Kind, kinds } from '../compare.js';
import { count, groupBy, type JudgedCase, plural, verdicts, whyUnjudged, wordOf } from '../counts.js';
import { fairShare } from './failures.js';
import { columnsOf } from './text.js';
import { firstLine } from './visible.js';

/** How many differences of each kind are shown. */
const shown = 20;

const titles = {
  worse: (name: string) => `Worse than ${name}`,
  other: (name: string) => `Other than ${name}`,
  better: (name: string) => `Better than ${name}`,
} as const satisfies Record<Kind, (name: string) => string>;

/** The comparison as plain text; the last line says what it comes to. */
export function renderComparisonText(comparison: Comparison): string {
  const { runs, runDifferences } = comparison;
  const first = firstLine(runs[0]?.name ?? '', 60);
  return [
    countTable(comparison),
    ...kinds.map((kind) => (kind === 'other' ? others : differences)(comparison, kind, titles[kind](first))),
    section(
      `Runs as a whole, where ${first} has none of it`,
      runDifferences.flatMap(({ run, check, problems }) => [
        `${firstLine(run, 60)}: ${check}: ${firstLine(problems[0] ?? '')}`,
      ]),
    ),
    lastLine(comparison),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function countTable({ runs }: Comparison): string {
  const counts = runs.map(({ verdict }) => count(verdict.cases));
  const used = verdicts.filter((verdict) => counts.some((of) => of[verdict] > 0));
  return columnsOf([
    ['', ...runs.map(({ name }) => firstLine(name, 60))],
    ['verdict', ...runs.map(({ verdict }) => firstLine(verdict.line.split(/[:;]/, 1)[0] ?? '', 60))],
    ...used.map((verdict) => [wordOf(verdict), ...counts.map((of) => of[verdict].toLocaleString('en-US'))]),
    ['recommended', ...runs.map(({ verdict: { recommended } }) => `${recommended.held} of ${recommended.judged}`)],
  ]);
}

function differences({ differences: all }: Comparison, kind: Kind, title: string): string {
  const members = all.filter((difference) => difference.kind === kind);
  const some = chosen(members);
  const words = some.map(({ results }) => results.map(verdictOf));
  const widths = (words[0] ?? []).map((_, column) => Math.max(...words.map((row) => row[column]?.length ?? 0)));
  const lines = some.map(({ id, requirement, results }, index) => {
    const columns = (words[index] ?? []).map((word, column) => word.padEnd(widths[column] ?? 0)).join('  ');
    const level = requirement.row.level === 'convention' ? ' (recommended)' : '';
    const why = results.find((result) => result?.message !== undefined && result.verdict !== 'passed')?.message;
    return [`${columns}  ${firstLine(id)}${level}`, ...(why === undefined ? [] : [`    ${firstLine(why)}`])].join(
      '\n  ',
    );
  });
  const rest = members.length - some.length;
  return section(`${title} (${plural(members.length, 'case')})`, [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])]);
}

/** Grouped by their reasons, the largest first: a resource that one server lacks is one difference to a reader. */
function others({ differences: all }: Comparison, kind: Kind, title: string): string {
  const members = all.filter((difference) => difference.kind === kind);
  const groups = [...groupBy(members, (member) => JSON.stringify([member.results.map(verdictOf), reasonOf(member)]))];
  const lines = groups
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, shown)
    .flatMap(([, [first, ...more]]) => {
      if (!first) return [];
      const columns = first.results.map(verdictOf).join(', then ');
      return [`${plural(1 + more.length, 'case')} ${columns}: ${firstLine(reasonOf(first))}`];
    });
  const rest = groups.length - lines.length;
  const more = rest > 0 ? [`and ${plural(rest, 'reason')} more`] : [];
  return section(`${title} (${plural(members.length, 'case')})`, [...lines, ...more]);
}

/** Why a case is not judged, or may fail; the requirement where it is judged in both runs. */
function reasonOf({ results, requirement }: Difference): string {
  const declared = results.find((result) => result?.deviation)?.deviation?.reason;
  const unjudged = results.find((result) => result?.verdict === 'not-supported' || result?.verdict === 'skipped');
  return declared ?? (unjudged && whyUnjudged(unjudged)) ?? requirement.id;
}

/** A fair share of the requirements, so that one that differs a thousand times hides no other. */
function chosen(members: readonly Difference[]): readonly Difference[] {
  const one = ({ results }: Difference): JudgedCase[] => results.filter((result) => result !== undefined).slice(0, 1);
  const ids = new Set(fairShare(members.flatMap(one), shown).map(({ id }) => id));
  return members.filter(({ id }) => ids.has(id));
}

const verdictOf = (result: JudgedCase | undefined): string => (result ? wordOf(result.verdict) : '-');

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function lastLine({ differences: all, runDifferences, same, exitCode, runs }: Comparison): string {
  const worse = all.filter(({ kind }) => kind === 'worse');
  const recommended = worse.filter(({ requirement }) => requirement.row.level === 'convention').length;
  const facts = [
    ...(worse.length > recommended ? [`${plural(worse.length - recommended, 'required case')} worse`] : []),
    ...(recommended > 0 ? [`${plural(recommended, 'recommended case')} worse`] : []),
    ...(runDifferences.length > 0 ? [`${plural(runDifferences.length, 'check')} of a whole run worse`] : []),
    `${plural(all.length, 'case')} of ${(all.length + same).toLocaleString('en-US')} different`,
  ].join(', ');
  const others = runs.length > 2 ? 'a run is' : 'the second run is';
  return exitCode === 1 ? `${others} worse than the first: ${facts}` : `no run is worse than the first: ${facts}`;
}
