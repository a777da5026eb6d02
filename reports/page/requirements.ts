// The table of requirements that the renderer wrote: the filter hides rows and updates the counts, and chapters fold.
import { el } from './dom.js';
import { type Filter, fragmentOf, isFiltering, matchesEmpty } from './filter.js';
import { isPartlyJudged, stateChip, tally, tallyInWords, worstState } from './marks.js';
import { type CaseView, groupCases, type Model } from './model.js';

/** Shows the rows that match the filter. Returns their number. */
export function filterRequirements(model: Model, cases: readonly CaseView[], filter: Filter): number {
  const ofRow = groupCases(cases, ({ requirement }) => requirement.id);
  let shown = 0;
  for (const row of model.requirements) {
    const element = document.getElementById(`r-${row.id}`);
    if (!element) continue;
    const members = ofRow.get(row.id) ?? [];
    const visible = members.length > 0 || matchesEmpty(row, filter);
    element.hidden = !visible;
    if (!visible) continue;
    shown += 1;
    const state = element.querySelector('td.state');
    if (!state || members.length === 0) continue;
    const counts = tally(members);
    const href = fragmentOf({ view: 'cases', filter: { ...filter, requirement: row.id } });
    const good = worstState(counts) === 'passed';
    const part = good && isPartlyJudged(counts) ? el('span', { class: 'dim' }, ' in part') : '';
    state.replaceChildren(
      stateChip(worstState(counts)),
      part,
      el('a', { class: 'counts', href, 'aria-label': `${row.id}: ${tallyInWords(counts)}` }, tallyInWords(counts)),
    );
  }
  const short = isFiltering(filter) && shown <= fewRows;
  for (const body of chapterBodies()) {
    const rows = [...body.querySelectorAll<HTMLElement>('tr.row:not([hidden])')];
    body.hidden = rows.length === 0;
    const tested = rows.some((row) => row.querySelector('.counts') !== null);
    fold(body, !short && (!tested || narrow.matches));
  }
  return shown;
}

/** So many rows of a filter need no folds. */
const fewRows = 60;
const narrow = matchMedia('(max-width: 48rem)');

const chapterBodies = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('table.requirements tbody')];

/** Makes the name of each chapter a button that folds its requirements. */
export function startFolds(): void {
  for (const body of chapterBodies()) {
    const name = body.querySelector('.chapter .name');
    const button = el('button', { type: 'button', class: 'name', 'aria-expanded': 'true' }, name?.textContent ?? '');
    button.addEventListener('click', () => fold(body, !body.classList.contains('folded')));
    name?.replaceWith(button);
  }
}

function fold(body: HTMLElement, folded: boolean): void {
  body.classList.toggle('folded', folded);
  body.querySelector('button.name')?.setAttribute('aria-expanded', String(!folded));
}
