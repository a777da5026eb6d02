// The kinds × verbs grid: what holds for each resource and verb, at a glance.
import { type Operation, resourceId, statedOperations } from '../../../matrix/api/index.js';
import { columnOf, columns } from '../../columns.js';
import { count, groupBy, isFailure, isPartial, type JudgedCase, stateOf, wordOf } from '../../counts.js';
import { countsInWords } from './marks.js';
import { html, type Markup } from './markup.js';

/** The grid. `anchors` has the place on the page of each failure that is shown in full. */
export function grid(cases: readonly JudgedCase[], anchors: ReadonlyMap<JudgedCase, string>): Markup[] {
  const ofCell = groupBy(
    cases.filter(({ about }) => about?.operation),
    ({ about }) => (about?.operation ? cellOf(about.operation) : ''),
  );
  const stated = new Set(statedOperations.map(cellOf));
  const used = columns.filter((column) => [...stated].some((cell) => cell.endsWith(` ${column}`)));
  const resources = [...new Set(statedOperations.flatMap(({ resource }) => (resource ? [resourceId(resource)] : [])))];
  const rows = [...groupBy(resources, (resource) => resource.split('/')[0] ?? '')].map(
    ([group, members]) => html`<tr class="group"><th colspan="${used.length + 1}" scope="rowgroup">${group}</th></tr>
${members.map((resource) => row(resource, used, (cell) => (stated.has(cell) ? (ofCell.get(cell) ?? []) : undefined), anchors))}`,
  );
  return [
    html`<p class="dim">A cell has the worst verdict of its cases, and their number. An empty one is not stated. Cells with failures lead to the first of them.</p>
<div class="scroll"><table class="grid">
<thead><tr><th></th>${used.map((column) => html`<th scope="col"><span>${column}</span></th>`)}</tr></thead>
<tbody>
${rows}
</tbody></table></div>
${legend}`,
  ];
}

const cellOf = ({ resource, verb }: Operation): string =>
  resource && verb !== 'discover' ? `${resourceId(resource)} ${columnOf(verb)}` : '';

function row(
  resource: string,
  used: readonly string[],
  casesOf: (cell: string) => readonly JudgedCase[] | undefined,
  anchors: ReadonlyMap<JudgedCase, string>,
): Markup {
  const cells = used.map((column) => {
    const cases = casesOf(`${resource} ${column}`);
    return cases ? cellMarkup(`${resource} ${column}`, cases, anchors) : html`<td></td>`;
  });
  return html`<tr><th scope="row">${resource.split('/')[1] ?? resource}</th>${cells}</tr>`;
}

function cellMarkup(name: string, cases: readonly JudgedCase[], anchors: ReadonlyMap<JudgedCase, string>): Markup {
  const counts = count(cases);
  const state = stateOf(counts);
  const look = [state, ...(decides(cases) ? [] : ['convention']), ...(isPartial(counts) ? ['partial'] : [])].join(' ');
  const title = `${name}: ${cases.length > 0 ? countsInWords(counts) : wordOf(state)}`;
  const first = cases.find((judged) => isFailure(judged) && anchors.has(judged));
  const anchor = first && anchors.get(first);
  const text = cases.length > 0 ? String(cases.length) : '–';
  return anchor
    ? html`<td><a class="cell ${look}" href="#${anchor}" title="${title}">${text}</a></td>`
    : html`<td><span class="cell ${look}" title="${title}">${text}</span></td>`;
}

// A conformant server may fail conventions: its grid must not look like that of one that is not.
function decides(cases: readonly JudgedCase[]): boolean {
  const failures = cases.filter(isFailure);
  return failures.length === 0 || failures.some(({ requirement }) => requirement.row.level === 'stated');
}

const legend = html`<p class="legend">${[
  ['passed', 'passed'],
  ['passed partial', 'passed, the rest not offered or not run'],
  ['deviation', 'deviation'],
  ['failed', 'failed'],
  ['failed convention', 'failed, conventions only'],
  ['not-testable', 'not testable'],
  ['not-run', 'not run'],
  ['not-offered', 'not offered'],
  ['untested', 'no case yet'],
].map(([look, word]) => html`<span><span class="cell ${look}">&nbsp;</span>${word}</span>`)}</p>`;
