// The requirements of a comparison as rows that open to their cases, with a column of fractions for each run.

import { type JudgedCase, type Share, shareText, whyUnjudged } from '../judge/counts.js';
import { exampleOf, exampleText } from '../judge/failureMessage.js';
import { countOf, moreOf, stateWord, symbolOf } from '../page/words.js';
import { html, type Markup } from '../render/html/markup.js';
import { firstLine } from '../safeText.js';
import type { CaseDifference, ComparedRequirement, Comparison } from './compareRuns.js';
import { reasonText, runName } from './words.js';

/**
 * The number of listed cases of a requirement, the number of visible rows of a section, and the size of lists and rows
 * in characters.
 */
const shown = { cases: 8, rows: 6, listed: 90_000, written: 250_000 } as const;

/** The remaining size of a page, in characters. Cases beyond it are only counted. */
export interface RowLimits {
  /** The size for lists of cases. */
  left: number;
  /** The size for rows of requirements. */
  rows: number;
}

/** Returns the size of a whole page. */
export const pageRowLimits = (): RowLimits => ({ left: shown.listed, rows: shown.written });

function columnHeads({ runs }: Comparison): Markup {
  const names = runs.map(({ name }) => html`<span>${runName(name)}</span>`);
  return html`<div class="cols heads" aria-hidden="true"><span class="what">Requirement</span>${names}</div>`;
}

/** Returns the rows of a section; rows beyond the first ones are folded. */
export function requirementRows(
  comparison: Comparison,
  members: readonly ComparedRequirement[],
  room: RowLimits,
): Markup | undefined {
  const rows: Markup[] = [];
  for (const one of members) {
    const markup = row(comparison, one, room);
    const { length } = markup.toString();
    if (length > room.rows) break;
    room.rows -= length;
    rows.push(markup);
  }
  const ids = members.slice(rows.length).map(({ requirement }) => html`<code>${requirement.id}</code> `);
  const named = ids.length > 0 ? html`<p>And ${ids}</p>` : undefined;
  const rest = members.length - shown.rows;
  const more =
    rest > 0
      ? html`<details class="rest"><summary>${moreOf(rest, 'requirement')}</summary>${rows.slice(shown.rows)}${named}</details>`
      : named;
  return html`${columnHeads(comparison)}${rows.slice(0, shown.rows)}${more}`;
}

function row({ runs }: Comparison, one: ComparedRequirement, room: RowLimits): Markup {
  const { requirement, shares, differences } = one;
  const { id, row } = requirement;
  const names = runs.map(({ name }) => runName(name));
  const fractions = shares.map((share, index) => fraction(share, names[index] ?? ''));
  const why = reasonText(one);
  return html`<details class="req"><summary class="cols"><span class="what">${row.text}<span class="dim"><code>${id}</code> ${row.level}${count(differences)}</span></span>${fractions}</summary>
<div class="cases">${why === '' ? undefined : html`<p class="message">${why}</p>`}${caseList(differences, names, room)}</div></details>`;
}

function count(differences: readonly CaseDifference[]): string {
  const of = (kind: CaseDifference['kind']): number => differences.filter((one) => one.kind === kind).length;
  const parts = (['worse', 'better', 'other'] as const).flatMap((kind) =>
    of(kind) > 0 ? [`${countOf(of(kind), 'case')} ${kind === 'other' ? 'different' : kind}`] : [],
  );
  return parts.length === 0 ? '' : ` · ${parts.join(', ')}`;
}

/** Returns a fraction with its bar; the sign and the colour show the worst case. */
function fraction(share: Share | undefined, name: string): Markup {
  const state = share?.state ?? 'untested';
  const width = share === undefined || share.judged === 0 ? 0 : Math.floor((100 * share.passed) / share.judged);
  const sign = share === undefined ? '' : symbolOf(state);
  return html`<span class="fraction ${share === undefined ? 'none' : state}"><span class="run">${name}: </span><span class="sign" aria-hidden="true">${sign}</span> ${shareText(share)}<i class="share of${width}"></i></span>`;
}

function caseList(differences: readonly CaseDifference[], names: readonly string[], room: RowLimits): Markup {
  const items: Markup[] = [];
  // A case that failed by itself explains more than a blocked case.
  const own = (one: CaseDifference): boolean => one.results.some((result) => result?.verdict === 'failed');
  const telling = [...differences.filter(own), ...differences.filter((one) => !own(one))];
  for (const { subject, results } of telling.slice(0, shown.cases)) {
    const item = html`<li><code>${subject}</code>${results.map((result, index) => oneResult(result, names[index] ?? ''))}</li>`;
    const { length } = item.toString();
    if (length > room.left) break;
    room.left -= length;
    items.push(item);
  }
  const rest = differences.length - items.length;
  const more = rest > 0 ? html`<li class="dim">${moreOf(rest, 'case')}: compare.json has all of them</li>` : undefined;
  return html`<ul class="plain">${items}${more}</ul>`;
}

function oneResult(result: JudgedCase | undefined, name: string): Markup {
  if (result === undefined) return html`<span class="result"><span class="dim">${name}:</span> not selected</span>`;
  const { verdict, deviation, subject, message } = result;
  const unjudged = verdict === 'skipped' || verdict === 'not-supported';
  const said = unjudged ? whyUnjudged(result) : exampleText(exampleOf(subject, message));
  const why = verdict === 'passed' ? '' : (deviation?.reason ?? said);
  return html`<span class="result ${verdict}"><span class="dim">${name}:</span> <b><span class="sign" aria-hidden="true">${symbolOf(verdict)}</span> ${stateWord(verdict)}</b>${why === '' ? undefined : html` ${firstLine(why, 160)}`}</span>`;
}
