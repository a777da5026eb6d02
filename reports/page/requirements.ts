// The requirements that the renderer wrote. In their table the filter hides rows and updates the counts. In the overview a
// switch for each failing requirement hides its cases, so that the other cases can be seen.
import { el } from './dom.js';
import { type Filter, fragmentOf, hiddenRequirements, type Matcher, matchesEmpty, withoutKeys } from './filter.js';
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
  for (const body of document.querySelectorAll<HTMLElement>('table.requirements tbody')) {
    body.hidden = body.querySelector('tr.row:not([hidden])') === null;
  }
  return shown;
}

const switches = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('.switch input')];

/** Makes the switches work. Calls `change` with the requirements that are hidden. */
export function startSwitches(change: (off: string) => void): void {
  for (const one of switches())
    one.addEventListener('change', () => {
      const off = switches().filter(({ checked }) => !checked);
      change(off.map(({ value }) => value).join(','));
    });
}

/** Shows the groups of the cases that match the filter, each with its switch. */
export function showGroups(model: Model, matcher: Matcher, filter: Filter): void {
  const left = new Set(
    matcher.casesOf(model.cases, withoutKeys(filter, 'off')).map(({ requirement }) => requirement.id),
  );
  const off = new Set(hiddenRequirements(filter));
  for (const one of switches()) {
    const group = one.closest('li');
    one.checked = !off.has(one.value);
    group?.classList.toggle('off', off.has(one.value));
    // A requirement stays while one of its symptoms, which are inside, matches.
    const inside = group?.querySelectorAll<HTMLInputElement>('.switch input') ?? [];
    if (group) group.hidden = ![...inside].some(({ value }) => left.has(value));
  }
}
