// The chapters as a table: the second view of the page.
import { el } from './dom.js';
import { type Filter, fragmentOf } from './filter.js';
import { tally, tallyBar } from './marks.js';
import type { CaseView, Model } from './model.js';
import { type CaseVerdictName, countOf, stateWord } from './words.js';

/** Returns the chapters, one row each, with the number of cases of each verdict. Every number links to its cases. */
export function chapterView(model: Model, cases: readonly CaseView[], filter: Filter): HTMLElement {
  const ofChapter = new Map<string, CaseView[]>(model.requirements.map(({ chapter }) => [chapter, []]));
  for (const one of cases) ofChapter.get(one.requirement.chapter)?.push(one);
  return chapterTable(ofChapter, [...tally(cases).keys()], filter);
}

function chapterTable(
  ofChapter: ReadonlyMap<string, readonly CaseView[]>,
  used: readonly CaseVerdictName[],
  filter: Filter,
): HTMLElement {
  const rows = [...ofChapter]
    .filter(([, members]) => members.length > 0)
    .map(([chapter, members]) => {
      const counts = new Map<string, number>(tally(members));
      const to = (verdict?: string): string =>
        fragmentOf({ view: 'cases', filter: { ...filter, chapter, ...(verdict ? { verdict } : {}) } });
      const numbers = used.map((verdict) => {
        const number = counts.get(verdict) ?? 0;
        const name = `${chapter}: ${countOf(number, 'case')} ${stateWord(verdict)}`;
        return el(
          'td',
          { class: 'number' },
          number === 0
            ? el('span', { class: 'zero' }, '0')
            : el('a', { class: verdict, href: to(verdict), 'aria-label': name }, number.toLocaleString('en-US')),
        );
      });
      return el(
        'tr',
        {},
        el('th', { scope: 'row' }, el('a', { href: to() }, chapter)),
        el('td', { class: 'wide' }, tallyBar(tally(members))),
        ...numbers,
      );
    });
  const heads = used.map((verdict) => el('th', { scope: 'col', class: 'number' }, stateWord(verdict)));
  const table = el(
    'table',
    { class: 'chapters' },
    el(
      'thead',
      {},
      el('tr', {}, el('th', { scope: 'col' }, 'Chapter'), el('th', { scope: 'col', class: 'wide' }, 'Share'), ...heads),
    ),
    el('tbody', {}, ...rows),
  );
  return el('div', { class: 'scroll', role: 'region', 'aria-label': 'Cases by chapter', tabindex: '0' }, table);
}
