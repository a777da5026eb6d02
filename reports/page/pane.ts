// The pane of a cell: the requirements that its cases are about, those that fail first. It follows hover and focus.
import { byId, el } from './dom.js';
import { shareOf, tally, worst } from './marks.js';
import type { CaseView, RequirementView } from './model.js';
import { caseVerdicts, countOf, spell, symbolOf } from './words.js';

/** How many requirements the pane names. */
const shown = 16;

const rank = new Map<string, number>(caseVerdicts.map(({ name }, index) => [name, index]));

/** What a cell is called and what it holds. */
export interface CellView {
  readonly name: string;
  readonly cases: readonly CaseView[];
}

const cells = new WeakMap<Element, CellView>();

/** Notes what the pane shows for a link of the map. */
export function noteCell(link: Element, cell: CellView): void {
  cells.set(link, cell);
}

/** Makes the pane follow the cells of the page. */
export function startPane(): void {
  const pane = byId('pane');
  const show = (target: EventTarget | null): void => {
    const link = target instanceof Element ? target.closest('a.cell') : null;
    const cell = link && cells.get(link);
    if (!link || !cell) return;
    pane.replaceChildren(...contents(cell));
    document.documentElement.classList.add('pointing');
    place(pane, link);
  };
  const hide = (): void => document.documentElement.classList.remove('pointing');
  document.addEventListener('pointerover', (event) => {
    if (event.target instanceof Element && event.target.closest('a.cell')) show(event.target);
    else hide();
  });
  document.addEventListener('focusin', (event) => {
    hide();
    if (event.target instanceof Element && event.target.matches('a.cell:focus-visible')) show(event.target);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
  pane.replaceChildren(el('p', { class: 'dim' }, 'Point at a part of the map to see its requirements.'));
}

/** Puts a pane that floats on the side of the cell where there is room; one with a column of its own stays there. */
function place(pane: HTMLElement, link: Element): void {
  pane.style.left = '';
  pane.style.top = '';
  if (getComputedStyle(pane).position !== 'absolute') return;
  const around = pane.parentElement?.getBoundingClientRect();
  if (!around) return;
  const at = link.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = pane;
  const left = at.left - width - 12 >= 0 ? at.left - width - 12 : Math.min(at.right + 12, innerWidth - width - 8);
  const top = Math.max(Math.min(at.top, innerHeight - height - 8), 8);
  pane.style.left = `${left - around.left}px`;
  pane.style.top = `${top - around.top}px`;
}

function contents({ name, cases }: CellView): HTMLElement[] {
  const groups = new Map<RequirementView, CaseView[]>();
  for (const one of cases) {
    const group = groups.get(one.requirement);
    if (group) group.push(one);
    else groups.set(one.requirement, [one]);
  }
  const weight = ([requirement, members]: readonly [RequirementView, readonly CaseView[]]): number =>
    2 * (rank.get(worst(tally(members))) ?? 0) + (requirement.level === 'recommended' ? 1 : 0);
  const ordered = [...groups].sort((a, b) => weight(a) - weight(b));
  const rows = ordered.slice(0, shown).map(([{ text }, members]) => {
    const state = worst(tally(members));
    return el(
      'li',
      {},
      el('span', { class: `sign ${state}`, title: spell(state) }, symbolOf(state)),
      el('span', {}, text),
      el('span', { class: 'number' }, shareOf(members).text),
    );
  });
  const rest = ordered.length - rows.length;
  return [
    el('h3', {}, name),
    el('p', { class: 'dim' }, `${countOf(cases.length, 'case')} of ${countOf(ordered.length, 'requirement')}`),
    el('ul', {}, ...rows),
    ...(rest > 0 ? [el('p', { class: 'dim' }, `and ${countOf(rest, 'requirement')} more`)] : []),
  ];
}
