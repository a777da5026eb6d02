// The pane of a cell: the requirements of its cases, failing ones first. It follows hover and focus.
import { byId, el } from './dom.js';
import { cellShare, tally, worstState } from './marks.js';
import { type CaseView, groupCases, isFailedCase, type RequirementView } from './model.js';
import { caseVerdicts, countOf, moreOf, stateWord, symbolOf } from './words.js';

/** The number of requirements in the pane: when it floats, and in a column of its own. */
const shown = { floating: 8, column: 16 } as const;

const rank = new Map<string, number>(caseVerdicts.map(({ name }, index) => [name, index]));

export interface CellView {
  readonly name: string;
  readonly cases: readonly CaseView[];
}

const cells = new WeakMap<Element, CellView>();

/** Stores the content of the pane for a link of the map. */
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
    pane.replaceChildren(...contents(cell, floats(pane) ? shown.floating : shown.column));
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
}

/** Shows the cell with the most failures, or else the largest cell, if the pane has a column of its own. */
export function suggestCell(): void {
  const pane = byId('pane');
  let most: CellView | undefined;
  const weight = ({ cases }: CellView): number => cases.filter(isFailedCase).length * 100_000 + cases.length;
  for (const link of document.querySelectorAll('.matrix a.cell')) {
    const cell = cells.get(link);
    if (cell && (!most || weight(cell) > weight(most))) most = cell;
  }
  pane.replaceChildren(...(most ? contents(most, shown.column) : []));
}

const floats = (pane: HTMLElement): boolean => getComputedStyle(pane).position === 'absolute';

/** Moves a floating pane to the side of the cell that has room. A pane in a column stays there. */
function place(pane: HTMLElement, link: Element): void {
  pane.style.left = '';
  pane.style.top = '';
  if (!floats(pane)) return;
  const around = pane.parentElement?.getBoundingClientRect();
  if (!around) return;
  const at = link.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = pane;
  const left = at.left - width - 12 >= 0 ? at.left - width - 12 : Math.min(at.right + 12, innerWidth - width - 8);
  const top = Math.max(Math.min(at.top, innerHeight - height - 8), 8);
  pane.style.left = `${left - around.left}px`;
  pane.style.top = `${top - around.top}px`;
}

function contents({ name, cases }: CellView, limit: number): HTMLElement[] {
  const groups = groupCases(cases, ({ requirement }) => requirement);
  const weight = ([requirement, members]: readonly [RequirementView, readonly CaseView[]]): number =>
    2 * (rank.get(worstState(tally(members))) ?? 0) + (requirement.level === 'recommended' ? 1 : 0);
  const ordered = [...groups].sort((a, b) => weight(a) - weight(b));
  const rows = ordered.slice(0, limit).map(([{ text }, members]) => {
    const state = worstState(tally(members));
    return el(
      'li',
      {},
      el('span', { class: `sign ${state}`, title: stateWord(state) }, symbolOf(state)),
      el('span', {}, text),
      el('span', { class: 'number' }, cellShare(members).text),
    );
  });
  const rest = ordered.length - rows.length;
  return [
    el('h3', {}, name),
    el('p', { class: 'dim' }, `${countOf(cases.length, 'case')} of ${countOf(ordered.length, 'requirement')}`),
    el('ul', {}, ...rows),
    ...(rest > 0 ? [el('p', { class: 'dim' }, `and ${moreOf(rest, 'requirement')}`)] : []),
  ];
}
