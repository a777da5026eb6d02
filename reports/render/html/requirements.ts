// A row per requirement, grouped by chapter.
import { count, groupBy, isFailure } from '../../counts.js';
import type { RequirementVerdict } from '../../verdict.js';
import { chip, countsInWords } from './marks.js';
import { html, type Markup } from './markup.js';

/** Every chapter with its requirements; open where something in it needs attention. */
export function requirementTables(requirements: readonly RequirementVerdict[]): Markup[] {
  return [...groupBy(requirements, ({ requirement }) => requirement.chapter)].map(([chapter, members]) =>
    chapterTable(chapter, members),
  );
}

function chapterTable(chapter: string, members: readonly RequirementVerdict[]): Markup {
  const cases = members.flatMap((member) => member.cases);
  const planned = members.filter(({ state }) => state === 'planned').length;
  const words = [
    ...(cases.length > 0 ? [countsInWords(count(cases))] : []),
    ...(planned > 0 ? [`${planned} of ${members.length} planned`] : []),
  ].join('; ');
  const failing = members.some(({ state, requirement }) => isFailureState(state) && requirement.row.level === 'stated');
  const attributes = failing ? html`class="chapter" open` : html`class="chapter"`;
  return html`<details ${attributes}><summary><b>${chapter}</b> <span class="dim">${words}</span></summary>
<table class="requirements">
<thead><tr><th class="what">Requirement</th><th class="where">Document</th><th class="state">State</th></tr></thead>
<tbody>
${members.map(requirementRow)}
</tbody></table></details>`;
}

function isFailureState(state: RequirementVerdict['state']): boolean {
  return state !== 'planned' && state !== 'unobservable' && state !== 'untested' && isFailure({ verdict: state });
}

function requirementRow({ requirement, state, counts, cases }: RequirementVerdict): Markup {
  const { id, row } = requirement;
  return html`<tr id="r-${id}"><td class="what">${row.text}<code>${id} · ${row.level}</code></td>
<td class="where">${sources(row.source)}</td>
<td class="state">${chip(state, counts)}${cases.length > 0 ? html`<small class="dim">${countsInWords(counts)}</small>` : undefined}</td></tr>`;
}

// A rule about every operation has dozens of addresses.
function sources(all: readonly string[]): Markup[] {
  const small = (source: string): Markup => html`<small>${source}</small>`;
  if (all.length <= 4) return all.map(small);
  const rest = all.slice(3);
  return [
    ...all.slice(0, 3).map(small),
    html`<details class="more"><summary>${rest.length} more</summary>${rest.map(small)}</details>`,
  ];
}
