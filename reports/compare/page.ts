// Runs side by side as one HTML page: the requirements that got worse or better, the map, and the equal ones, folded.

import { groupBy } from '../../matrix/api/groupBy.js';
import type { Level } from '../../suites/requirements/index.js';
import { shareOf, shareText } from '../judge/counts.js';
import { countOf, moreOf } from '../page/words.js';
import { htmlDocument } from '../render/html/document.js';
import { nodesText } from '../render/html/firstScreen.js';
import { countsBar, countsInWords } from '../render/html/marks.js';
import { html, type Markup } from '../render/html/markup.js';
import { styleOfColumns } from '../render/html/styleOfColumns.js';
import { firstLine } from '../safeText.js';
import type { ComparedRequirement, ComparedRun, Comparison, DifferenceKind } from './compareRuns.js';
import { comparisonMap } from './pageMap.js';
import { pageRowLimits, type RowLimits, requirementRows } from './pageRows.js';
import {
  comparisonFacts,
  comparisonHeadline,
  isPartial,
  kindMeanings,
  kindTitles,
  otherDifferences,
  partialTitle,
  runName,
} from './words.js';

/** The number of reasons of other differences that are shown. */
const shownReasons = 40;

/** Returns the comparison as a page without a script. */
export function renderComparison(comparison: Comparison): string {
  const { runs, requirements } = comparison;
  const of = (kind: ComparedRequirement['kind']): ComparedRequirement[] =>
    requirements.filter((one) => one.kind === kind);
  const partial = requirements.filter(isPartial);
  const same = of('same').filter((one) => !isPartial(one));
  const room = pageRowLimits();
  const title = comparisonHeadline(comparison);
  const map = comparisonMap(comparison);
  const ways = [
    ...(['worse', 'better', 'other'] as const).map((kind) => way(kind, kindTitles[kind], of(kind).length)),
    ...(map === undefined ? [] : [html`<li><a href="#map">Kinds and verbs</a></li>`]),
    html`<li><a href="#runs">Runs</a></li>`,
    html`<li><a href="#chapters">Chapters</a></li>`,
    way('same', 'Equal', same.length),
    ...(partial.length === 0 ? [] : [way('partial', partialTitle, partial.length)]),
  ];
  const body = html`<header class="top"><p class="target">kube-api-conformance</p>
<h1>${title}</h1>
<p class="facts-line">${comparisonFacts(comparison)}</p>${comparison.unlike.map((line) => html`\n<p class="facts-line">${line}</p>`)}</header>
<nav aria-label="Sections"><ul class="ways">${ways}</ul></nav>
<main class="runs-${Math.min(runs.length, 6)}">
${wholeRuns(comparison)}
${(['worse', 'better'] as const).map((kind) => section(comparison, kind, of(kind), room))}
${otherSection(comparison)}
${map === undefined ? undefined : html`<section id="map"><h2>Kinds and verbs</h2>${map}</section>`}
<section id="runs"><h2>Runs</h2>${scroll('Runs', runTable(runs))}</section>
<section id="chapters"><h2>Chapters</h2>${scroll('Chapters', chapterTable(runs))}</section>
<section id="same"><h2>Equal ${numbered(same.length)}</h2>${equal(same)}</section>${partial.length === 0 ? undefined : html`\n<section id="partial"><h2>${partialTitle} ${numbered(partial.length)}</h2>${equal(partial)}</section>`}
</main>
<footer><p>The first run is what the others are compared with. A fraction is the cases that pass, of those that were judged. What a run was not told to run is no difference.</p></footer>`;
  return htmlDocument({ title, body, style: styleOfColumns, description: comparisonFacts(comparison) });
}

const numbered = (number: number): Markup => html`<span class="count">${countOf(number, 'requirement')}</span>`;

const way = (id: string, title: string, number: number): Markup =>
  html`<li><a href="#${id}">${title}</a> <span class="count">${number}</span></li>`;

function section(
  comparison: Comparison,
  kind: Exclude<DifferenceKind, 'other'>,
  members: readonly ComparedRequirement[],
  room: RowLimits,
): Markup {
  const rows = members.length === 0 ? html`<p class="dim">Nothing.</p>` : requirementRows(comparison, members, room);
  return html`<section id="${kind}"><h2>${kindTitles[kind]} ${numbered(members.length)}</h2>
<p class="dim">${kindMeanings[kind]}</p>${rows}</section>`;
}

/** Returns the differences that are neither worse nor better, by their reasons; each opens to its requirements. */
function otherSection(comparison: Comparison): Markup {
  const rows = otherDifferences(comparison).map(({ verdicts, reason, cases }) => {
    const ids = [...new Set(cases.map(({ requirement }) => requirement.id))];
    return html`<details class="equal"><summary><b>${countOf(cases.length, 'case')}</b> of ${countOf(ids.length, 'requirement')} ${verdicts}: ${reason}</summary><p>${ids.map((id) => html`<code>${id}</code> `)}</p></details>`;
  });
  const number = comparison.requirements.filter(({ kind }) => kind === 'other').length;
  const rest = rows.length - shownReasons;
  const more = rest > 0 ? html`<p class="dim">${moreOf(rest, 'reason')}: compare.json has all cases.</p>` : undefined;
  return html`<section id="other"><h2>${kindTitles.other} ${numbered(number)}</h2>
<p class="dim">${kindMeanings.other}</p>${rows.length === 0 ? html`<p class="dim">Nothing.</p>` : rows.slice(0, shownReasons)}${more}</section>`;
}

function wholeRuns({ runDifferences, runs }: Comparison): Markup | undefined {
  if (runDifferences.length === 0) return undefined;
  const items = runDifferences.map(
    ({ run, check, problems }) => html`<li><b>${runName(run)}</b>: ${check}: ${firstLine(problems[0] ?? '', 300)}</li>`,
  );
  return html`<section class="whole"><h2>Runs as a whole</h2><p class="dim">These checks pass in ${runName(runs[0]?.name)}.</p><ul class="plain">${items}</ul></section>`;
}

function scroll(label: string, content: Markup): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}

const runHeads = (runs: readonly ComparedRun[]): Markup[] =>
  runs.map(({ name }) => html`<th scope="col">${runName(name)}</th>`);

function runTable(runs: readonly ComparedRun[]): Markup {
  const level =
    (level: Level, word: string) =>
    ({ name, verdict }: ComparedRun): Markup =>
      html`${countsBar(`${runName(name)}, ${word}`, verdict.counts[level])}${countsInWords(verdict.counts[level])}`;
  const rowsOf: readonly (readonly [string, (run: ComparedRun) => string | Markup | undefined])[] = [
    ['Verdict', ({ verdict }) => firstLine(verdict.line, 300)],
    ['Required', level('required', 'required')],
    ['Recommended', level('recommended', 'recommended')],
    ['Server', ({ evidence }) => evidence.run?.target.serverVersion],
    ['Started', ({ evidence }) => evidence.run?.startedAt],
    ['Nodes', ({ evidence: { run } }) => run?.nodes && nodesText(run.nodes)],
    ['Suite', ({ evidence }) => evidence.run?.version],
  ];
  const rows = rowsOf.flatMap(([name, tell]) => {
    const cells = runs.map(tell);
    if (cells.every((cell) => cell === undefined)) return [];
    return [html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell ?? '–'}</td>`)}</tr>`];
  });
  return html`<table class="runs-table"><thead><tr><td></td>${runHeads(runs)}</tr></thead><tbody>${rows}</tbody></table>`;
}

function chapterTable(runs: readonly ComparedRun[]): Markup {
  const chapters = runs.map(({ verdict }) => groupBy(verdict.cases, ({ requirement }) => requirement.chapter));
  const names = [...new Set(chapters.flatMap((ofRun) => [...ofRun.keys()]))];
  const rows = names.map((name) => {
    const cells = chapters.map((ofRun) => {
      const share = shareOf(ofRun.get(name) ?? []);
      return html`<td class="number ${share?.state ?? 'none'}">${shareText(share)}</td>`;
    });
    return html`<tr><th scope="row">${name}</th>${cells}</tr>`;
  });
  return html`<table class="chapters-table"><thead><tr><th scope="col">Chapter</th>${runs.map(({ name }) => html`<th scope="col" class="number">${runName(name)}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** Returns requirements that do not differ: only their ids, by chapter. */
function equal(members: readonly ComparedRequirement[]): Markup[] {
  if (members.length === 0) return [html`<p class="dim">Nothing.</p>`];
  return [...groupBy(members, ({ requirement }) => requirement.chapter)].map(
    ([chapter, of]) =>
      html`<details class="equal"><summary>${chapter}: ${countOf(of.length, 'requirement')}</summary><p>${of.map(({ requirement, shares }) => html`<code>${requirement.id}</code> ${shareText(shares.find((share) => share !== undefined))} `)}</p></details>`,
  );
}
