// The summary for the terminal: a table, the failures by requirement, the cases that were not judged, the verdict line last.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { Deviation } from '../../suites/requirements/index.js';
import { columnWord, countShown, isFailure, type JudgedCase, retries, shownVerdicts } from '../judge/counts.js';
import {
  aboutOf,
  type CauseGroup,
  type FailureGroup,
  groupsOfRun,
  levelOf,
  standingOf,
  symptomsText,
  worstOf,
} from '../judge/failureGroups.js';
import { exampleOf, exampleText } from '../judge/failureMessage.js';
import { kindNotes } from '../judge/otherKinds.js';
import { byReason } from '../judge/reasons.js';
import type { RequirementVerdict, Verdict } from '../judge/verdict.js';
import { countOf } from '../page/words.js';
import { firstLine } from '../safeText.js';

/** The number of lines of a section. */
const shownLines = 20;

/** The number of requirements with their sentence and an example, and the number of other ids. */
const shownGroups = { whole: 3, ids: 5 } as const;

type Style = (text: string) => string;

/** How a terminal shows parts of the summary; as plain text where a style is absent. */
export interface SummaryStyles {
  /** The differing part of a value. */
  readonly mark?: Style;
  /** A verdict that is a success. */
  readonly good?: Style;
  /** A failing requirement, and a verdict that is none. */
  readonly bad?: Style;
}

const plain: Style = (text) => text;

/** Returns the run in a few lines of text; the last one is the verdict. */
export function renderSummary(verdict: Verdict, styles: SummaryStyles = {}): string {
  const { good = plain, bad = plain } = styles;
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
    section('Passed by a retry', some(retries(verdict.cases))),
    section('Notes', some(verdict.notes)),
    section('Fixed', some(verdict.fixed?.map(({ id }) => id) ?? [])),
    section('Why', every(verdict.reasons)),
    verdict.aliased.line,
    groupLines(groupsOfRun(verdict), styles).join('\n'),
    (verdict.exitCode === 0 ? good : bad)(firstLine(verdict.line, 500)),
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
  const all = countShown(requirements.flatMap(({ cases }) => cases));
  const used = shownVerdicts.filter((verdict) => all[verdict] > 0);
  const cells = (name: string, cases: readonly JudgedCase[]): string[] => {
    const counts = countShown(cases);
    return [name, ...used.map((verdict) => (counts[verdict] > 0 ? counts[verdict].toLocaleString('en-US') : '·'))];
  };
  const rows = [
    ['chapter', ...used.map(columnWord)],
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
  return textColumns(rows);
}

/** Returns rows as a table: the first column is left-aligned, the others are right-aligned. */
export function textColumns(rows: readonly (readonly string[])[]): string {
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
  ].map(([line, members]) => `${line} (${countOf(members.length, 'case')})`);
}

const linked = (deviation: Deviation | undefined): string => (deviation?.link ? `, ${deviation.link}` : '');

const reasons = (cases: readonly JudgedCase[], wanted: 'not-supported' | 'skipped'): string[] =>
  byReason(cases, wanted).map(([reason, members]) => `${reason} (${countOf(members.length, 'case')})`);

/** Returns one line for each requirement that failed under an alias. */
function aliased({ aliased: { cases } }: Verdict): string[] {
  const groups = groupBy(cases.filter(isFailure), ({ requirement }) => requirement.id);
  return [...groups].map(
    ([id, [first, ...more]]) =>
      `${id} › ${first?.subject}: ${exampleText(exampleOf(first?.subject ?? '', first?.message))}${more.length === 0 ? '' : ` (and ${countOf(more.length, 'case')})`}`,
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

/** Returns the failing requirements as lines: three for each of the worst, one or two for all others of a level. */
function groupLines(groups: readonly FailureGroup[], styles: SummaryStyles): string[] {
  if (groups.length === 0) return [];
  const whole = worstOf(groups, shownGroups.whole);
  const told = new Set(whole.flatMap(({ shown, symptoms }) => [shown, ...symptoms]));
  const rest = groups.filter((group) => !told.has(group));
  return [
    groups.length === 1 ? '1 requirement fails:' : `${countOf(groups.length, 'requirement')} fail, the worst first:`,
    ...whole.flatMap((cause) => wholeLines(cause, styles)),
    ...[...groupBy(rest, restOf)].flatMap(([name, members]) => restLines(name, members)),
  ];
}

function wholeLines({ shown: group, symptoms }: CauseGroup, { mark = plain, bad = plain }: SummaryStyles): string[] {
  const { requirement, fraction, blocked, example } = group;
  const about = aboutOf(group);
  return [
    `  ${bad(`${blocked ? '!' : '✗'} ${requirement.id}`)} (${standingOf(group)}): ${fraction}${about === '' ? '' : ` (${about})`}`,
    `      ${requirement.row.text}`,
    `      ${exampleText(example, mark)}`,
    ...(symptoms.length === 0 ? [] : [`      ${symptomsText(symptoms)}: ${someIds(symptoms)}`]),
  ];
}

const restOf = (group: FailureGroup): string =>
  group.missing ? 'without a verdict' : group.blocked ? 'blocked' : levelOf(group);

function someIds(members: readonly FailureGroup[]): string {
  const ids = members.slice(0, shownGroups.ids).map(({ requirement }) => requirement.id);
  const more = members.length - ids.length;
  return `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function restLines(name: string, members: readonly FailureGroup[]): string[] {
  const line = `  and ${members.length} ${name}: ${someIds(members)}`;
  const [first] = members;
  return first?.blocked ? [line, `      ${firstLine(exampleText(first.example), 160)}`] : [line];
}
