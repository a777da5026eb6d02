// The script of the page: reads the data, and shows the view in the URL fragment.
import { filterBar } from './bar.js';
import { caseList } from './cases.js';
import { chapterView } from './chapters.js';
import { problemsOf } from './chips.js';
import { showColumn, startSwitches } from './column.js';
import './copy.js';
import { byId, el } from './dom.js';
import {
  type Filter,
  fragmentOf,
  isFiltering,
  Matcher,
  type PageState,
  parseFragment,
  type ViewName,
  viewNames,
  withoutKeys,
} from './filter.js';
import type { Island } from './island.js';
import { startKeys, themeSwitch } from './keys.js';
import { matrixView } from './matrix.js';
import { type CaseView, isFailedCase, modelOf } from './model.js';
import { startPane, suggestCell } from './pane.js';
import { filterRequirements, startFolds } from './requirements.js';
import { KnownValues } from './search.js';
import { countOf } from './words.js';

const model = modelOf(JSON.parse(byId('data').textContent ?? '') as Island);
const matcher = new Matcher();
const known = new KnownValues(model);
const failures = model.cases.filter(isFailedCase);
const filtered = new Set<ViewName>(['matrix', 'chapters', 'requirements', 'failures', 'cases']);
/** The views in which a verdict chooses; in the others each case counts by its verdict. */
const byVerdict = new Set<ViewName>(['requirements', 'cases']);
// The browser scrolls to the element whose id is the fragment. The script renames the elements and scrolls itself.
const sections = new Map<ViewName, HTMLElement>();
for (const name of viewNames) {
  const section = document.getElementById(name);
  if (!section) continue;
  section.id = `view-${name}`;
  sections.set(name, section);
}
const scrolled = new Map<string, number>();
let place: PageState = { view: 'matrix', filter: {} };

const ask = document.querySelector<HTMLElement>('nav.views .ask') ?? el('button');
const bar = filterBar(model, known, ask, (filter, typing) => go({ view: place.view, filter }, typing));
byId('filter').append(bar.element);

/** Goes to a state. Updates the address first, so that the back button works. */
function go(to: PageState, replace: boolean): void {
  const fragment = fragmentOf(to);
  if (fragment === location.hash) return;
  if (replace) history.replaceState(null, '', fragment);
  else history.pushState(null, '', fragment);
  show(to);
}

const views: Readonly<Partial<Record<ViewName, (cases: readonly CaseView[], filter: Filter) => HTMLElement>>> = {
  matrix: (cases, filter) => el('div', {}, matrixView(model, cases, filter), splitChoice(filter)),
  chapters: (cases, filter) => chapterView(model, cases, filter),
  failures: (cases, filter) =>
    caseList(model, cases, filter, failures.length === 0 ? 'Nothing failed.' : 'No failure matches the filter.'),
  cases: (cases, filter) => caseList(model, cases, filter, 'No case matches the filter.'),
};

function show({ view: asked, filter, unknown }: PageState): void {
  // A link from another run may name a view that this one does not need.
  const view = sections.has(asked) ? asked : 'matrix';
  const missing = unknown ?? (view === asked ? undefined : asked);
  const astray = missing === undefined ? [] : [`this report has no view #${missing}; this is the overview`];
  place = { view, filter };
  for (const [name, section] of sections) section.hidden = name !== view;
  byId('filter').hidden = !filtered.has(view);
  ask.hidden = !filtered.has(view);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav.views a')) lead(link, place);
  if (!filtered.has(view)) return;
  const [all, noun] = view === 'failures' ? [failures, 'failure'] : [model.cases, 'case'];
  const cases = matcher.casesOf(all, filter);
  const caseCount = `${cases.length.toLocaleString('en-US')} of ${countOf(all.length, noun)}`;
  const rows = view === 'requirements' ? filterRequirements(model, cases, filter) : undefined;
  bar.show({
    filter,
    view,
    status: rows === undefined ? caseCount : `${countOf(rows, 'requirement')}, ${caseCount}`,
    problems: [...astray, ...problemsOf(filter, known)],
  });
  byId('filter').classList.toggle('quiet', view === 'matrix' && !isFiltering(filter) && astray.length === 0);
  const draw = views[view];
  if (draw) byId(`${view}-view`).replaceChildren(draw(cases, filter));
  if (view !== 'matrix') return;
  showColumn(model, matcher, filter);
  suggestCell();
}

/** Sets the link of a tab: to its view with the present filter. */
function lead(link: HTMLAnchorElement, { view, filter }: PageState): void {
  const { view: target } = parseFragment(link.dataset.to ?? '');
  const kept = withoutKeys(filter, 'case', 'requirement', 'reason', 'split');
  if (filtered.has(target))
    link.setAttribute(
      'href',
      fragmentOf({ view: target, filter: byVerdict.has(target) ? kept : withoutKeys(kept, 'verdict') }),
    );
  const current = target === view;
  if (!current) {
    link.removeAttribute('aria-current');
    return;
  }
  link.setAttribute('aria-current', 'page');
  // The tabs scroll where there is no room for all: the present one is in view.
  const list = link.closest('ul');
  if (list) list.scrollLeft = link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
}

/** Marks where the tabs go on beyond the edge of their strip. */
function markEdges(strip: HTMLElement): void {
  const { scrollLeft, clientWidth, scrollWidth } = strip;
  strip.classList.toggle('before', scrollLeft > 1);
  strip.classList.toggle('after', scrollLeft + clientWidth < scrollWidth - 1);
}

function splitChoice(filter: Filter): HTMLElement {
  const choice = el(
    'select',
    { name: 'split' },
    ...(
      [
        ['', 'no'],
        ['media', 'by media type'],
        ['mechanism', 'by mechanism'],
      ] as const
    ).map(([value, text]) => el('option', { value }, text)),
  );
  choice.value = filter.split ?? '';
  choice.addEventListener('change', () => {
    go({ view: 'matrix', filter: { ...filter, split: choice.value } }, false);
    document.querySelector<HTMLElement>('select[name="split"]')?.focus();
  });
  return el('p', { class: 'choice' }, el('label', {}, el('span', {}, 'Split the cells '), choice));
}

/** Opens the search; where a view cannot be filtered, that of all cases. */
function search(): void {
  if (ask.hidden) go({ view: 'cases', filter: {} }, false);
  bar.ask();
}

/** Shows the state in the address. Restores the scroll position if the reader has been there before. */
function follow(): void {
  const to = parseFragment(location.hash);
  const after = fragmentOf(to);
  if (after === fragmentOf(place) && to.unknown === undefined) return;
  show(to);
  scrollTo(0, scrolled.get(after) ?? Math.min(scrollY, tabsTop()));
}

/** Returns the position of the tabs when they do not stick. */
function tabsTop(): number {
  return (document.querySelector('header')?.offsetHeight ?? 0) + 1;
}

addEventListener('scroll', () => scrolled.set(fragmentOf(place), scrollY), { passive: true });
addEventListener('hashchange', follow);
addEventListener('popstate', follow);
const theme = themeSwitch();
const tabs = [...document.querySelectorAll<HTMLAnchorElement>('nav.views a')].slice(0, 9);
const help = startKeys([
  { key: '/', does: 'search', act: search },
  { key: 'Esc', does: 'leave the search' },
  ...tabs.map((tab, index) => ({
    key: String(index + 1),
    does: (tab.firstChild?.textContent ?? '').trim(),
    act: () => tab.click(),
  })),
  { key: 't', does: 'change the theme: as the system, light, dark', act: () => theme.click() },
  { key: '← ↑ ↓ →', does: 'move in the map' },
]);
ask.after(theme, help);
// Paper has no tabs: the first view without a filter prints as a summary on two pages, any other view prints as it is.
addEventListener('beforeprint', () => {
  if (fragmentOf(place) !== '#matrix') return;
  document.documentElement.classList.add('whole');
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('.causes details')) fold.open = true;
  byId('chapters-view').replaceChildren(chapterView(model, model.cases, {}));
});
addEventListener('afterprint', () => document.documentElement.classList.remove('whole'));

document.documentElement.classList.add('script');
const strip = document.querySelector<HTMLElement>('nav.views ul');
if (strip) {
  new ResizeObserver(() => markEdges(strip)).observe(strip);
  strip.addEventListener('scroll', () => markEdges(strip), { passive: true });
}
history.scrollRestoration = 'manual';
startPane();
startFolds();
startSwitches((off) => go({ view: 'matrix', filter: { ...place.filter, off } }, true));
show(parseFragment(location.hash));
// The browser may have scrolled to the section that the address names; the verdict comes first.
scrollTo(0, 0);
