// The left column of the overview, which the renderer wrote: the failing requirements or the chapters, as far as the filter
// leaves them. A switch for each failing requirement hides its cases in the map, so that the other cases can be seen.
import { type Filter, hiddenRequirements, isFiltering, type Matcher, withoutKeys } from './filter.js';
import { cellShare, tally, tallyBar } from './marks.js';
import { type CaseView, groupCases, isFailedCase, type Model } from './model.js';
import { countOf } from './words.js';

const switches = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('.switch input')];

/** Makes the switches work. Calls `change` with the requirements that are hidden. */
export function startSwitches(change: (off: string) => void): void {
  for (const one of switches())
    one.addEventListener('change', () => {
      const off = switches().filter(({ checked }) => !checked);
      change(off.map(({ value }) => value).join(','));
    });
}

/** Shows the left column of the overview for the cases that match the filter: the failing requirements, or the chapters. */
export function showColumn(model: Model, matcher: Matcher, filter: Filter): void {
  const whole = withoutKeys(filter, 'off');
  const cases = matcher.casesOf(model.cases, whole);
  const isPart = isFiltering(whole);
  showGroups(cases, isPart, new Set(hiddenRequirements(filter)));
  showChapters(cases, isPart);
}

/** Shows the groups with matching failures, each with its switch and the number of its cases that match. */
function showGroups(cases: readonly CaseView[], isPart: boolean, off: ReadonlySet<string>): void {
  const matching = groupCases(cases, ({ requirement }) => requirement.id);
  const fails = (id: string): boolean => matching.get(id)?.some(isFailedCase) ?? false;
  for (const one of switches()) {
    const group = one.closest('li');
    if (group === null) continue;
    one.checked = !off.has(one.value);
    group.classList.toggle('off', off.has(one.value));
    // A requirement stays while one of its symptoms, which are inside, matches.
    const inside = [...group.querySelectorAll<HTMLInputElement>('.switch input')];
    group.hidden = !inside.some(({ value }) => fails(value));
    const members = matching.get(one.value) ?? [];
    const { failing, passed, deviating } = cellShare(members);
    tell(
      group.querySelector('.fraction'),
      isPart ? `${failing.toLocaleString('en-US')} of ${countOf(failing + passed + deviating, 'case')}` : undefined,
    );
  }
  for (const folded of document.querySelectorAll<HTMLElement>('.causes .fold')) {
    const rows = [...folded.querySelectorAll<HTMLElement>(':scope > ol > .cause')];
    const number = rows.filter(({ hidden }) => !hidden).length;
    folded.hidden = number === 0;
    tell(folded.querySelector('summary'), isPart ? `${number.toLocaleString('en-US')} more` : undefined);
  }
  if (switches().length === 0) return;
  const ids = [...matching.keys()].filter(fails);
  tell(
    document.querySelector('.causes > h2'),
    isPart ? `${countOf(ids.length, 'failing requirement')} in this filter` : undefined,
  );
  tell(document.querySelector('.causes > .dim'), isPart ? '' : undefined);
}

/** Shows the chapters with matching cases, if the overview lists chapters. */
function showChapters(cases: readonly CaseView[], isPart: boolean): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.chapter-list li')];
  if (rows.length === 0) return;
  const matching = groupCases(cases, ({ requirement }) => requirement.chapter);
  for (const row of rows) {
    const members = matching.get(row.dataset.chapter ?? '') ?? [];
    const counts = tally(members);
    row.hidden = isPart && members.length === 0;
    tell(
      row.querySelector('.number'),
      isPart
        ? `${(counts.get('passed') ?? 0).toLocaleString('en-US')} of ${members.length.toLocaleString('en-US')}`
        : undefined,
    );
    if (!row.hidden) row.querySelector('svg')?.replaceWith(tallyBar(counts));
  }
  tell(
    document.querySelector('.causes > h2'),
    isPart ? `${countOf(matching.size, 'chapter')} in this filter` : undefined,
  );
}

const written = new WeakMap<Element, string>();

/** Replaces the text that the renderer wrote; undefined brings it back. */
function tell(element: Element | null, text: string | undefined): void {
  if (element === null) return;
  const first = written.get(element) ?? element.textContent ?? '';
  written.set(element, first);
  element.textContent = text ?? first;
}
