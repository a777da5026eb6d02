// The table of requirements by chapter. The script hides rows and updates the counts; without it the table is complete.

import { groupBy } from '../../../matrix/api/groupBy.js';
import { requirements as allRequirements } from '../../../suites/requirements/index.js';
import { ruleOf } from '../../../suites/requirements/rules.js';
import { verdicts } from '../../judge/counts.js';
import type { RequirementVerdict } from '../../judge/verdict.js';
import { fragmentOf } from '../../page/filter.js';
import { countOf, stateCount } from '../../page/words.js';
import { chip, countsInWords } from './marks.js';
import { html, type Markup } from './markup.js';

const known = new Set(allRequirements.map(({ id }) => id));

/** Returns the table: chapters and requirements with cases come first, those that the run did not test last. */
export function requirementTable(requirements: readonly RequirementVerdict[]): Markup {
  const tested = ({ cases }: RequirementVerdict): boolean => cases.length > 0;
  const chapters = [...groupBy(requirements, ({ requirement }) => requirement.chapter)];
  const ordered = [
    ...chapters.filter(([, members]) => members.some(tested)),
    ...chapters.filter(([, members]) => !members.some(tested)),
  ];
  return html`<p class="dim">${statesInWords(requirements)}</p>
<table class="requirements">
<thead><tr><th class="what" scope="col">Requirement</th><th class="level" scope="col">Level</th><th class="where" scope="col">Rule</th><th class="state" scope="col">Verdict and cases</th></tr></thead>
${ordered.map(
  ([
    chapter,
    members,
  ]) => html`<tbody><tr class="chapter"><th colspan="4" scope="rowgroup"><span class="name">${chapter}</span> <span class="dim">${statesInWords(members)}</span></th></tr>
${[...members.filter(tested), ...members.filter((one) => !tested(one))].map(row)}</tbody>`,
)}
</table>`;
}

const states = [...verdicts, 'untested', 'unobservable'] as const;

/** Returns `746 requirements: 717 passed, 4 not supported, 25 not observable`: the parts add up. */
function statesInWords(requirements: readonly RequirementVerdict[]): string {
  const parts = states.flatMap((state) => {
    const number = requirements.filter((one) => one.state === state).length;
    return number === 0 ? [] : [stateCount(number, state)];
  });
  return `${countOf(requirements.length, 'requirement')}: ${parts.join(', ')}`;
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
