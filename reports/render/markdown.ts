// The summary for CI pages as Markdown: small, and without markup from a server.

import { groupBy } from '../../matrix/api/groupBy.js';
import { columnWord, countShown, type JudgedCase, retries, shownVerdicts } from '../judge/counts.js';
import type { Evidence } from '../judge/evidence.js';
import {
  aboutOf,
  type CauseGroup,
  type FailureGroup,
  groupsOfRun,
  standingOf,
  symptomsText,
  worstOf,
} from '../judge/failureGroups.js';
import type { Example, MarkedText } from '../judge/failureMessage.js';
import { kindNotes, otherKinds } from '../judge/otherKinds.js';
import { headingOf, selectionWords } from '../judge/outcome.js';
import { byReason } from '../judge/reasons.js';
import type { RequirementVerdict, Verdict } from '../judge/verdict.js';
import { countOf, levels } from '../page/words.js';
import { codeSpan, escapeMarkdown } from '../safeText.js';

/** The maximum number of entries in each list: the text stays below 64 KiB; a CI page accepts 1 MB for all steps. */
const shown = { failing: 10, ids: 30, reasons: 30, groups: 100 } as const;

const marks = {
  conformant: '✅',
  partial: '☑️',
  'not-conformant': '❌',
  'could-not-run': '⛔',
} as const satisfies Record<Verdict['outcome'], string>;

/** Returns the run as a page of Markdown (CommonMark with tables, for GitHub and GitLab). */
export function renderMarkdown(verdict: Verdict, evidence: Evidence): string {
  const { cases } = verdict;
  return [
    `## ${verdict.nothingNew === undefined ? marks[verdict.outcome] : marks.conformant} ${headingOf(verdict)}`,
    codeSpan(verdict.line, 500),
    facts(evidence),
    failures(verdict),
    list('Why', verdict.reasons.map(quote)),
    countTable(verdict),
    chapterTable(verdict.requirements),
    kindTable(verdict),
    list('Kinds without objects of the run', kindNotes(verdict).map(quote)),
    ...verdict.checks.map(({ name, problems }) => list(`Run: ${name}`, problems.map(quote))),
    list('Known deviations', deviations(cases)),
    list('Skipped', unjudged(cases, 'skipped')),
    list('Not supported', unjudged(cases, 'not-supported')),
    list('Passed by a retry', retries(cases).map(quote)),
    list('Notes', verdict.notes.map(quote)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const quote = (line: string): string => codeSpan(line, 300);

function facts({ run, end }: Evidence): string {
  if (!run) return '';
  const { target, startedAt, nodes, anonymous, version, runId } = run;
  const choice = selectionWords(run);
  const milliseconds = end ? Date.parse(end.endedAt) - Date.parse(startedAt) : Number.NaN;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['Target', `${codeSpan(target.name)} at ${codeSpan(target.url)}`],
    ...(target.insecure ? [['Certificate', 'not verified'] as const] : []),
    ...(target.serverVersion === undefined ? [] : [['Server version', codeSpan(target.serverVersion)] as const]),
    ['Started', codeSpan(startedAt)],
    ...(Number.isFinite(milliseconds) ? [['Took', `${Math.round(milliseconds / 1000)} s`] as const] : []),
    ...(nodes === undefined ? [] : [['Nodes', codeSpan(nodes)] as const]),
    ...(anonymous === undefined ? [] : [['Anonymous', codeSpan(anonymous, 300)] as const]),
    ...(choice.length === 0 ? [] : [['Selected', codeSpan(choice.join(', '))] as const]),
    ['Suite', `${codeSpan(version)}, run ${codeSpan(runId)}`],
  ];
  return rows.map(([name, value]) => `- ${name}: ${value}`).join('\n');
}

function countTable({ cases }: Verdict): string {
  const all = countShown(cases);
  const used = shownVerdicts.filter((column) => all[column] > 0);
  if (used.length === 0) return '';
  return table(
    ['level', ...used.map(columnWord)],
    levels.map((level) => {
      const counts = countShown(cases.filter(({ requirement }) => requirement.row.level === level));
      return [level, ...used.map((column) => number(counts[column]))];
    }),
  );
}

function chapterTable(requirements: readonly RequirementVerdict[]): string {
  const checked = requirements.filter(({ cases }) => cases.length > 0);
  const all = countShown(checked.flatMap(({ cases }) => cases));
  const used = shownVerdicts.filter((column) => all[column] > 0);
  const rows = [...groupBy(checked, ({ requirement }) => requirement.chapter)].map(([chapter, members]) => {
    const counts = countShown(members.flatMap(({ cases }) => cases));
    return [chapter, ...used.map((column) => number(counts[column]))];
  });
  if (rows.length === 0) return '';
  return details('Chapters', table(['chapter', ...used.map(columnWord)], rows));
}

/** Returns the kinds that the interface lacks, by group. */
function kindTable(verdict: Verdict): string {
  const kinds = otherKinds(verdict);
  if (kinds.length === 0) return '';
  const all = countShown(kinds.flatMap(({ cases }) => cases));
  const used = shownVerdicts.filter((column) => all[column] > 0);
  const rows = [...groupBy(kinds, ({ group }) => group)].slice(0, shown.groups).map(([group, members]) => {
    const counts = countShown(members.flatMap(({ cases }) => cases));
    // A bar ends a cell, even inside a code span.
    return [codeSpan(group.replaceAll('|', '')), number(members.length), ...used.map((one) => number(counts[one]))];
  });
  const title = `Kinds that the interface lacks (${number(kinds.length)})`;
  return details(title, table(['group', 'kinds', ...used.map(columnWord)], rows));
}

/** Returns the failing requirements, each with an example; those that do not fit by their ids. */
function failures(verdict: Verdict): string {
  const groups = groupsOfRun(verdict);
  const whole = worstOf(groups, shown.failing);
  const told = new Set(whole.flatMap(({ shown, symptoms }) => [shown, ...symptoms]));
  const rest = groups.filter((group) => !told.has(group));
  const lines = [
    ...whole.map(groupItem),
    ...(rest.length === 0 ? [] : [`${number(rest.length)} more: ${someIds(rest)}`]),
  ];
  return groups.length === 0
    ? ''
    : `### ${countOf(groups.length, 'requirement')} ${groups.length === 1 ? 'fails' : 'fail'}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function someIds(groups: readonly FailureGroup[]): string {
  const ids = groups.slice(0, shown.ids).map(({ requirement }) => codeSpan(requirement.id));
  const more = groups.length - ids.length;
  return `${ids.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`;
}

function groupItem({ shown: group, symptoms }: CauseGroup): string {
  const { requirement, fraction, example } = group;
  const about = aboutOf(group) === '' ? '' : ` (${aboutOf(group)})`;
  const also = symptoms.length === 0 ? '' : `<br>${symptomsText(symptoms)}: ${someIds(symptoms)}`;
  return `**${escapeMarkdown(requirement.row.text)}** ${fraction}${about}, ${standingOf(group)}, ${codeSpan(requirement.id)}<br>${exampleMarkdown(example)}${also}`;
}

function exampleMarkdown({ what, compared }: Example): string {
  if (compared === undefined) return quote(what);
  const side = ({ before, differs, after }: MarkedText): string =>
    [before && codeSpan(before), differs && `**${codeSpan(differs)}**`, after && codeSpan(after)]
      .filter(Boolean)
      .join(' ');
  return `${what === '' ? '' : `${quote(what)}: `}expected ${side(compared.expected)}, got ${side(compared.got)}`;
}

const unjudged = (cases: readonly JudgedCase[], wanted: 'not-supported' | 'skipped'): string[] =>
  byReason(cases, wanted).map(([reason, members]) => `${quote(reason)} (${countOf(members.length, 'case')})`);

function deviations(cases: readonly JudgedCase[]): string[] {
  const deviating = cases.filter(({ verdict }) => verdict === 'known-deviation');
  const groups = groupBy(deviating, ({ requirement, deviation }) => `${requirement.id}: ${deviation?.reason}`);
  return [...groups].map(([reason, of]) => `${quote(reason)} (${countOf(of.length, 'case')})`);
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const some = lines.slice(0, shown.reasons);
  const rest = lines.length - some.length;
  const items = [...some, ...(rest > 0 ? [`and ${number(rest)} more, in the report`] : [])];
  return details(`${title} (${number(lines.length)})`, items.map((line) => `- ${line}`).join('\n'));
}

// A blank line after the tag ends the HTML block, so the rest is Markdown again.
function details(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

/**
 * Returns a table with numbers in all columns but the first. `align` has the rows below the heads of the first column
 * and of the others.
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  [first, others] = ['---', '---:'],
): string {
  const align = head.map((_, column) => (column === 0 ? first : others));
  return [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable(head, rows, [':--', '--:']);

const number = (value: number): string => value.toLocaleString('en-US');
