// Runs side by side as one HTML page: a column each, differences first. The single cases come on demand.

import type { Level } from '../../matrix/requirements/index.js';
import { count, groupBy, isFailure, type JudgedCase, plural, type State } from '../counts.js';
import type { Evidence } from '../evidence.js';
import { levelWord } from '../page/words.js';
import type { RequirementVerdict, Verdict } from '../verdict.js';
import { document } from './html/document.js';
import { chip, countsBar, countsInWords } from './html/marks.js';
import { html, jsonElement, type Markup } from './html/markup.js';
import { treesOf } from './html/tree.js';
import { firstLine } from './visible.js';

/** One run of a comparison; the name heads its column. */
export interface ComparedRun {
  readonly name: string;
  readonly verdict: Verdict;
  readonly evidence: Evidence;
}

/** How many cases of one requirement are listed, and how many characters all lists may take. */
const casesOfOne = 500;
const listBudget = 4 * 1024 * 1024;

/** The comparison of runs, the first of which is what the others are compared with. */
export function renderComparison(runs: readonly ComparedRun[]): string {
  const rows = rowsOf(runs);
  const differing = rows
    .filter(({ cases, states }) => cases.length > 0 || new Set(states).size > 1)
    .sort((a, b) => weightOf(a) - weightOf(b));
  const title = `Comparison: ${runs.map(({ name }) => name).join(', ')}`;
  const lists: Markup[] = [];
  let left = listBudget;
  const list = differing.map((row) => {
    const rows = casesMarkup(row, runs.length);
    const { length } = rows.toString();
    if (row.cases.length === 0 || length > left) return differingRow(row);
    left -= length;
    const id = `cases-${lists.length}`;
    lists.push(jsonElement(id, treesOf(rows)));
    return differingRow(row, id);
  });
  const body = html`<header class="top"><p class="target">kube-api-conformance</p><h1 class="verdict">${sentence(differing)}</h1></header>
<nav class="views" aria-label="Sections"><ul><li><a href="#runs">Runs</a></li><li><a href="#differences">Differences <span class="count">${differing.length}</span></a></li><li><a href="#chapters">Chapters</a></li><li><a href="#same">The same in all <span class="count">${rows.length - differing.length}</span></a></li></ul></nav>
<main>
<section id="runs"><h2>Runs</h2>${scroll('Runs', runTable(runs))}</section>
<section id="differences"><h2>Differences</h2>
${differing.length === 0 ? html`<p>Every requirement and every case has the same verdict in all runs.</p>` : html`<p class="dim">A button shows the cases that differ, with what each run says of them.</p>${scroll('Differences', table(runs, list))}`}</section>
<section id="chapters"><h2>Chapters</h2>${scroll('Chapters', chapterTable(runs))}</section>
<section id="same"><h2>The same in all</h2>${sameTables(
    rows.filter((row) => !differing.includes(row)),
    runs,
  )}</section>
</main>
<footer><p>Verdicts are compared, not messages. A dash says that a run did not have the case.</p></footer>
${lists}`;
  return document({ title, body, script: 'comparison' });
}

/** A requirement in all runs. */
interface Row {
  readonly id: string;
  readonly text: string;
  readonly level: Level;
  readonly chapter: string;
  readonly verdicts: readonly (RequirementVerdict | undefined)[];
  readonly states: readonly (State | undefined)[];
  /** The subjects whose verdicts differ, with their cases, a column each. */
  readonly cases: readonly (readonly [subject: string, cases: readonly (JudgedCase | undefined)[]])[];
}

function rowsOf(runs: readonly ComparedRun[]): Row[] {
  const byId = runs.map(({ verdict }) => new Map(verdict.requirements.map((one) => [one.requirement.id, one])));
  const known = new Map(
    runs.flatMap(({ verdict }) => verdict.requirements.map((one) => [one.requirement.id, one.requirement])),
  );
  return [...known.values()].map(({ id, chapter, row: { text, level } }) => {
    const ofRun = byId.map((requirements) => requirements.get(id));
    return {
      id,
      text,
      level,
      chapter,
      verdicts: ofRun,
      states: ofRun.map((one) => one?.state),
      cases: differingCases(ofRun),
    };
  });
}

function differingCases(ofRun: readonly (RequirementVerdict | undefined)[]): Row['cases'] {
  const columns = ofRun.map((one) => new Map((one?.cases ?? []).map((judged) => [judged.subject, judged])));
  const subjects = new Set(columns.flatMap((column) => [...column.keys()]));
  return [...subjects].flatMap((subject) => {
    const cases = columns.map((column) => column.get(subject));
    return new Set(cases.map((judged) => judged?.verdict)).size > 1 ? [[subject, cases] as const] : [];
  });
}

function sentence(differing: readonly Row[]): string {
  if (differing.length === 0) return 'The runs agree';
  const cases = differing.reduce((sum, row) => sum + row.cases.length, 0);
  return `${plural(differing.length, 'requirement')} and ${plural(cases, 'case')} differ`;
}

function scroll(label: string, content: Markup): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}

const runHeads = (runs: readonly ComparedRun[]): Markup[] => runs.map(({ name }) => html`<th scope="col">${name}</th>`);

function runTable(runs: readonly ComparedRun[]): Markup {
  const facts: readonly (readonly [string, (run: ComparedRun) => string | Markup | undefined])[] = [
    ['Verdict', ({ verdict }) => html`<b>${verdict.line}</b>`],
    ['Target', ({ evidence }) => evidence.run?.target.name],
    ['Server', ({ evidence }) => evidence.run?.target.serverVersion],
    ['Started', ({ evidence }) => evidence.run?.startedAt],
    ['Node', ({ evidence }) => evidence.run?.nodes],
    ['Selected', ({ evidence }) => evidence.run?.grep],
    ['Suite', ({ evidence }) => evidence.run?.version],
    [
      'Required',
      ({ name, verdict }) =>
        html`${countsBar(`${name}, required`, verdict.counts.stated)}${countsInWords(verdict.counts.stated)}`,
    ],
    [
      'Recommended',
      ({ name, verdict }) =>
        html`${countsBar(`${name}, recommended`, verdict.counts.convention)}${countsInWords(verdict.counts.convention)}`,
    ],
  ];
  const rows = facts.flatMap(([name, tell]) => {
    const cells = runs.map(tell);
    if (cells.every((cell) => cell === undefined)) return [];
    return [html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell ?? '–'}</td>`)}</tr>`];
  });
  return html`<table class="compared"><thead><tr><td></td>${runHeads(runs)}</tr></thead><tbody>${rows}</tbody></table>`;
}

function table(runs: readonly ComparedRun[], rows: readonly Markup[]): Markup {
  return html`<table class="compared"><thead><tr><th scope="col">Requirement, and the cases that differ</th>${runHeads(runs)}</tr></thead>
${rows}</table>`;
}

const stateCell = (one: RequirementVerdict | undefined): Markup =>
  one ? html`<td>${chip(one.state, one.counts)}<small>${countsInWords(one.counts)}</small></td>` : html`<td>–</td>`;

/** What is to be fixed comes first: failures of required cases, then of recommended ones, then the rest. */
function weightOf({ level, verdicts }: Row): number {
  const fails = verdicts.some((one) => one?.cases.some(isFailure));
  return (fails ? 0 : 2) + (level === 'stated' ? 0 : 1);
}

function differingRow({ id, text, level, cases, verdicts }: Row, list?: string): Markup {
  const number = `${plural(cases.length, 'case')} ${cases.length === 1 ? 'differs' : 'differ'}`;
  const more =
    list === undefined
      ? html`<small>${number}</small>`
      : html`<button type="button" class="unfold needs-script" value="${list}" aria-expanded="false" aria-label="${id}: ${number}">${number}</button><small class="needs-none">${number}</small>`;
  return html`<tbody><tr class="row"><th scope="row">${text}<code>${id} · ${levelWord(level)}</code>${more}</th>${verdicts.map(stateCell)}</tr></tbody>`;
}

function casesMarkup({ cases }: Row, columns: number): Markup {
  const shown = cases.slice(0, casesOfOne);
  const rest = cases.length - shown.length;
  const rows = shown.map(
    ([subject, ofRun]) => html`<tr class="one"><th scope="row"><code>${subject}</code></th>${ofRun.map(caseCell)}</tr>`,
  );
  const more = html`<tr class="one"><th scope="row" colspan="${columns + 1}">${plural(rest, 'case')} more</th></tr>`;
  return html`${rows}${rest > 0 ? more : undefined}`;
}

function caseCell(judged: JudgedCase | undefined): Markup {
  if (!judged) return html`<td>–</td>`;
  const why =
    judged.verdict === 'passed'
      ? undefined
      : html`<small>${firstLine(judged.deviation?.reason ?? judged.message ?? '', 200)}</small>`;
  return html`<td>${chip(judged.verdict)}${why}</td>`;
}

function chapterTable(runs: readonly ComparedRun[]): Markup {
  const chapters = runs.map(({ verdict }) => groupBy(verdict.cases, ({ requirement }) => requirement.chapter));
  const names = [...new Set(chapters.flatMap((ofRun) => [...ofRun.keys()]))];
  const rows = names.map((name) => {
    const cells = chapters.map((ofRun, index) => {
      const counts = count(ofRun.get(name) ?? []);
      return html`<td>${countsBar(`${runs[index]?.name}, ${name}`, counts)}<small>${countsInWords(counts) || '–'}</small></td>`;
    });
    return html`<tr><th scope="row">${name}</th>${cells}</tr>`;
  });
  return html`<table class="compared"><thead><tr><th scope="col">Chapter</th>${runHeads(runs)}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** What is alike is told in few words: by state, then by chapter. */
function sameTables(rows: readonly Row[], runs: readonly ComparedRun[]): Markup[] {
  if (rows.length === 0) return [html`<p>Nothing.</p>`];
  const groups = groupBy(rows, ({ states: [state] }) => state ?? 'untested');
  return [...groups.values()].map((members) => {
    const state = members[0]?.states[0] ?? 'untested';
    const items = members.map(({ id, text }) => html`<li>${text} <code>${id}</code></li>`);
    return html`<details class="exchange"><summary>${chip(state)} ${plural(members.length, 'requirement')} in ${runs.length === 2 ? 'both' : 'all'} runs</summary><ul class="plain">${items}</ul></details>`;
  });
}
