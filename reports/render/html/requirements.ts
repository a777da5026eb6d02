// The table of requirements by chapter. The script hides rows and updates the counts; without it the table is complete.

import { requirements as allRequirements } from '../../../suites/requirements/index.js';
import { ruleOf } from '../../../suites/requirements/rules.js';
import { groupBy } from '../../judge/counts.js';
import type { RequirementVerdict } from '../../judge/verdict.js';
import { fragmentOf } from '../../page/filter.js';
import { chip, countsInWords } from './marks.js';
import { html, type Markup } from './markup.js';

const known = new Set(allRequirements.map(({ id }) => id));

export function requirementTable(requirements: readonly RequirementVerdict[]): Markup {
  const chapters = groupBy(requirements, ({ requirement }) => requirement.chapter);
  return html`<table class="requirements">
<thead><tr><th class="what" scope="col">Requirement</th><th class="level" scope="col">Level</th><th class="where" scope="col">Rule</th><th class="state" scope="col">Verdict and cases</th></tr></thead>
${[...chapters].map(
  ([chapter, members]) => html`<tbody><tr class="chapter"><th colspan="4" scope="rowgroup">${chapter}</th></tr>
${members.map(row)}</tbody>`,
)}
</table>`;
}

function row({ requirement, state, counts, cases }: RequirementVerdict): Markup {
  const { id, row } = requirement;
  const words =
    cases.length > 0
      ? html`<a class="counts" href="${fragmentOf({ view: 'cases', filter: { requirement: id } })}" aria-label="${id}: ${countsInWords(counts)}">${countsInWords(counts)}</a>`
      : undefined;
  return html`<tr class="row" id="r-${id}"><td class="what">${row.text}<code>${id}</code></td>
<td class="level">${row.level}</td>
<td class="where">${ruleLink(id)}</td>
<td class="state">${chip(state, counts)}${words}</td></tr>`;
}

function ruleLink(id: string): Markup | undefined {
  const rule = quotedRule(id);
  return rule && html`<a href="${rule.url}">${rule.number} ${rule.title}</a>`;
}

/** Returns the rule that a requirement checks; undefined for a requirement that the matrix does not have. */
export function quotedRule(requirementId: string): ReturnType<typeof ruleOf> | undefined {
  return known.has(requirementId) ? ruleOf(requirementId) : undefined;
}
