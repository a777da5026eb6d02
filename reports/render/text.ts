// The summary for the terminal: a table, the failures by cause, the cases that were not judged, the verdict line last.
import type { Deviation } from '../../suites/requirements/index.js';
import { count, groupBy, isFailure, type JudgedCase, plural, verdicts, whyUnjudged, wordOf } from '../counts.js';
import { groupsOfRun } from '../failureGroups.js';
import { kindNotes } from '../otherKinds.js';
import type { RequirementVerdict, Verdict } from '../verdict.js';
import { groupLines, type Mark } from './groupsText.js';
import { firstLine } from './visible.js';

const shownLines = 20;

/** Returns the run in a few lines of plain text; the last one is the verdict. `mark` marks differences. */
export function renderSummary(verdict: Verdict, mark?: Mark): string {
  return [
    table([...verdict.requirements, ...(verdict.kinds?.requirements ?? [])]),
    section('Kinds that the interface lacks', some(kindNotes(verdict))),
    section('Stale deviations', some(verdict.staleDeviations.map(({ message }) => message))),
    section('Stale absences', some(verdict.staleAbsences.map(({ message }) => message))),
    section('Known deviations', some(deviations(verdict.cases))),
    section('Not supported', every(reasons(verdict.cases, 'not-supported'))),
    section('Skipped', every(reasons(verdict.cases, 'skipped'))),
    section('Under an alias, not scored', some(aliased(verdict))),
    section('Left on the target', some(verdict.leftovers)),
    section('Outages of the target', some(verdict.outages)),
    section('Notes', some(verdict.notes)),
    section('Fixed', some(verdict.fixed?.map(({ id }) => id) ?? [])),
    section('Why', every(verdict.reasons)),
    verdict.aliased.line,
    groupLines(groupsOfRun(verdict), mark).join('\n'),
    firstLine(verdict.line, 500),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function table(requirements: readonly RequirementVerdict[]): string {
  const chapters = groupBy(
    requirements.filter(({ cases }) => cases.length > 0),
    ({ requirement }) => requirement.chapter,
  );
  const all = count(requirements.flatMap(({ cases }) => cases));
  const used = verdicts.filter((verdict) => all[verdict] > 0);
  const cells = (name: string, cases: readonly JudgedCase[]): string[] => {
    const counts = count(cases);
    return [name, ...used.map((verdict) => (counts[verdict] > 0 ? counts[verdict].toLocaleString('en-US') : '·'))];
  };
  const rows = [
    ['chapter', ...used.map(wordOf)],
    ...[...chapters].map(([chapter, members]) =>
      cells(
        chapter,
        members.flatMap(({ cases }) => cases),
      ),
    ),
    cells(
      'total',
      requirements.flatMap(({ cases }) => cases),
    ),
  ];
  return columnsOf(rows);
}

/** Returns rows as a table: the first column is left-aligned, the others are right-aligned. */
export function columnsOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}

function deviations(cases: readonly JudgedCase[]): string[] {
  const deviating = cases.filter(({ deviation }) => deviation);
  return [
    ...groupBy(
      deviating,
      ({ requirement, deviation }) => `${requirement.id}: ${deviation?.reason}${linked(deviation)}`,
    ),
  ].map(([line, members]) => `${line} (${plural(members.length, 'case')})`);
}

const linked = (deviation: Deviation | undefined): string => (deviation?.link ? `, ${deviation.link}` : '');

function reasons(cases: readonly JudgedCase[], wanted: 'not-supported' | 'skipped'): string[] {
  const groups = groupBy(
    cases.filter(({ verdict }) => verdict === wanted),
    whyUnjudged,
  );
  return [...groups].map(([reason, members]) => `${reason} (${plural(members.length, 'case')})`);
}

/** Returns one line for each requirement that failed under an alias. */
function aliased({ aliased: { cases } }: Verdict): string[] {
  const groups = groupBy(cases.filter(isFailure), ({ requirement }) => requirement.id);
  return [...groups].map(
    ([id, [first, ...more]]) =>
      `${id} › ${first?.subject}: ${first?.message}${more.length === 0 ? '' : ` (and ${plural(more.length, 'case')})`}`,
  );
}

const every = (lines: readonly string[]): string[] => lines.map((line) => firstLine(line, 300));

function some(lines: readonly string[]): string[] {
  const rest = lines.length - shownLines;
  return [...every(lines.slice(0, shownLines)), ...(rest > 0 ? [`and ${rest} more, in the report`] : [])];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}
