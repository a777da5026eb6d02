// The matrix of kinds and verbs as a heat map. A cell leads to its cases, and can be divided.
import { el } from './dom.js';
import { type Filter, fragmentOf, withoutKeys } from './filter.js';
import { cellLook, cellShare, tally, tallyInWords } from './marks.js';
import { type CaseView, groupCases, type Model } from './model.js';
import { noteCell } from './pane.js';
import { cellStops } from './share.js';
import { stateWord, symbolOf } from './words.js';

type Split = 'media' | 'mechanism';

/** Short names of the parts of a divided cell. */
const short: Readonly<Record<string, string>> = {
  json: 'J',
  yaml: 'Y',
  protobuf: 'PB',
  jsonPatch: 'JP',
  mergePatch: 'MP',
  strategicMergePatch: 'SM',
  clientCertificate: 'CC',
  staticToken: 'ST',
  staticPassword: 'SP',
  serviceAccountToken: 'SA',
  openidConnect: 'OI',
  webhookTokenReview: 'WH',
  identityServicePassword: 'IS',
};
const shortOf = (name: string): string => (name === '' ? '·' : (short[name] ?? name.slice(0, 2)));

/** Returns the matrix of the cases that match the filter: the kinds of the interface, then those that it lacks. */
export function matrixView(model: Model, cases: readonly CaseView[], filter: Filter): HTMLElement {
  const { kinds, verbs, stated, others } = model.island;
  const cells = groupCases(cases, ({ kind, verb }) => `${kind} ${verb}`);
  const split = filter.split === 'media' || filter.split === 'mechanism' ? filter.split : undefined;
  const columnsOf = (named: ReadonlySet<string>): string[] => {
    const found = new Set([...named].map((name) => name.split(' ')[1]));
    return verbs.filter((verb) => verb !== '' && found.has(verb));
  };
  const named = new Set(stated.map(([kind, verb]) => `${kinds[kind]} ${verbs[verb]}`));
  const columns = columnsOf(named);
  const rows = kinds.filter((kind) => columns.some((verb) => named.has(`${kind} ${verb}`)));
  const own = grid({ rows: rows.map((kind) => [kind, '']), columns, cells, named, filter, split });

  const otherRows = others.map(([kind, note]) => [kinds[kind] ?? '', note] as const);
  const ofOthers = new Set(otherRows.map(([kind]) => kind));
  const otherNamed = new Set(
    model.cases.filter(({ kind }) => ofOthers.has(kind)).map(({ kind, verb }) => `${kind} ${verb}`),
  );
  const otherColumns = columnsOf(otherNamed);
  const beside =
    otherRows.length === 0
      ? []
      : [
          el('h3', { class: 'others' }, 'Kinds that the interface lacks'),
          grid({ rows: otherRows, columns: otherColumns, cells, named: otherNamed, filter, split, byGroup: true }),
        ];
  const hasCell = (kind: string, verb: string): boolean =>
    (rows.includes(kind) && columns.includes(verb)) || (ofOthers.has(kind) && otherColumns.includes(verb));
  const hasEmpty = [...named].some((name) => !cells.has(name));
  return el('div', {}, own, ...beside, ...beyond(cells, hasCell, filter), legend(split, cases, hasEmpty));
}

interface Grid {
  readonly rows: readonly (readonly [kind: string, note: string])[];
  readonly columns: readonly string[];
  readonly cells: ReadonlyMap<string, readonly CaseView[]>;
  /** The cells that exist, as `kind verb`. */
  readonly named: ReadonlySet<string>;
  readonly filter: Filter;
  readonly split: Split | undefined;
  /** Set if each group has a row with its name. */
  readonly byGroup?: true;
}

function grid({ rows, columns, cells, named, filter, split, byGroup }: Grid): HTMLElement {
  const body = el('tbody');
  let group = '';
  for (const [kind, note] of rows) {
    const ofKind = kind.split('/')[0] ?? '';
    const first = ofKind !== group;
    group = ofKind;
    if (first && byGroup)
      body.append(
        el('tr', { class: 'group' }, el('th', { scope: 'rowgroup', colspan: String(columns.length + 2) }, group)),
      );
    const link = el(
      'a',
      { href: fragmentOf({ view: 'cases', filter: { ...filter, kind } }), tabindex: '-1' },
      ...breakable(kind.split('/')[1] ?? kind),
    );
    const row = el('tr', first && !byGroup ? { class: 'first' } : {}, el('th', { scope: 'row' }, link));
    for (const verb of columns) {
      const name = `${kind} ${verb}`;
      const inside = cells.get(name);
      if (inside) row.append(el('td', {}, cell(inside, { ...filter, kind, verb }, name, split)));
      else if (named.has(name))
        row.append(
          el(
            'td',
            {},
            el('span', { class: 'cell none', title: `${name}: no case` }, el('span', { class: 'unseen' }, 'no case')),
          ),
        );
      else row.append(el('td'));
    }
    if (note !== '') row.append(el('td', { class: 'note' }, el('span', { title: note }, note)));
    body.append(row);
  }
  const heads = columns.map((verb) =>
    el(
      'th',
      { scope: 'col' },
      el('a', { href: fragmentOf({ view: 'cases', filter: { ...filter, verb } }), tabindex: '-1' }, verb),
    ),
  );
  const table = el(
    'table',
    { class: split ? 'matrix split' : 'matrix' },
    el(
      'caption',
      { class: 'unseen' },
      'Kinds and verbs: how many cases passed of those that were judged. A link opens them. Arrow keys move.',
    ),
    el('thead', {}, el('tr', {}, el('td'), ...heads)),
    body,
  );
  roam(table);
  const label = byGroup ? 'Other kinds × verbs' : 'Kinds × verbs';
  return el('div', { class: 'scroll', role: 'region', 'aria-label': label }, table);
}

/** Returns the name of a resource with places where it may be broken: before its later words. */
function breakable(name: string): (string | Node)[] {
  const words = name.split(
    /(?<=component|persistent|volume|horizontal|pod|replication|resource|service|third|network)(?=[a-z]{4})/,
  );
  return words.flatMap((word, index) => (index === 0 ? [word] : [el('wbr'), word]));
}

function cell(cases: readonly CaseView[], filter: Filter, name: string, split: Split | undefined): HTMLElement {
  if (!split) return link(cases, filter, name);
  const parts = groupCases(cases, (one) => one[split]);
  const only = parts.get('');
  if (only && parts.size === 1) return link(only, filter, name);
  const links = [...parts].map(([part, members]) =>
    link(
      members,
      part === '' ? filter : { ...filter, [split]: part },
      `${name}, ${part || `no ${split === 'media' ? 'media type' : 'mechanism'}`}`,
      shortOf(part),
    ),
  );
  return el('div', { class: 'parts' }, ...links);
}

function link(cases: readonly CaseView[], filter: Filter, name: string, label?: string): HTMLElement {
  const { state, look } = cellLook(cases);
  const share = cellShare(cases);
  const visible = label ?? share.text;
  const said = `${name}: ${tallyInWords(tally(cases))} (${visible})`;
  const judged = share.passed + share.deviating + share.failing;
  const sign =
    judged === 0 || label !== undefined
      ? el('span', { class: 'sign', 'aria-hidden': 'true' }, symbolOf(state))
      : undefined;
  const element = el(
    'a',
    {
      class: `cell ${look}${share.text.length > 5 && label === undefined ? ' long' : ''}`,
      href: fragmentOf({ view: 'cases', filter: withoutKeys(filter, 'split') }),
      'aria-label': said,
      tabindex: '-1',
    },
    sign,
    visible,
  );
  if (judged > 0) {
    const { good, odd } = cellStops(share);
    element.style.setProperty('--good', `${good.toFixed(1)}%`);
    element.style.setProperty('--odd', `${odd.toFixed(1)}%`);
  }
  noteCell(element, { name, cases });
  return element;
}

// Cases without a kind and verb have no cell, and are shown below the table.
function beyond(
  cells: ReadonlyMap<string, readonly CaseView[]>,
  hasCell: (kind: string, verb: string) => boolean,
  filter: Filter,
): HTMLElement[] {
  const kinds = new Map<string, CaseView[]>();
  for (const [name, members] of cells) {
    const [kind = '', verb = ''] = name.split(' ');
    if (!hasCell(kind, verb)) kinds.set(kind, [...(kinds.get(kind) ?? []), ...members]);
  }
  if (kinds.size === 0) return [];
  const items = [...kinds].map(([kind, members]) => {
    const name = kind === 'server' ? 'the server as a whole' : kind;
    return el('li', {}, link(members, { ...filter, kind }, name), ` ${name}`);
  });
  return [
    el(
      'div',
      { class: 'beyond' },
      el('p', {}, 'Cases that are about no single kind and verb, and how many passed:'),
      el('ul', {}, ...items),
    ),
  ];
}

function legend(split: Split | undefined, cases: readonly CaseView[], hasEmpty: boolean): HTMLElement {
  const items = [
    ['passed', 'passed'],
    ['passed partial', 'passed; others not judged'],
    ['failed', 'failed, required'],
    ['failed recommended', 'failed, recommended'],
    ['blocked', stateWord('blocked')],
    ['known-deviation', stateWord('known-deviation')],
    ['skipped', stateWord('skipped')],
    ['not-supported', stateWord('not-supported')],
  ] as const;
  const cellOf = (one: CaseView): string => `${one.kind} ${one.verb} ${split === undefined ? '' : one[split]}`;
  const occurring = new Set([...groupCases(cases, cellOf).values()].map(lookOf));
  const list = items
    .filter(([look]) => occurring.has(look))
    .map(([look, text]) => {
      const [state = look] = look.split(' ');
      const sign = el('span', { class: `cell ${look}`, 'aria-hidden': 'true' }, symbolOf(state as 'passed'));
      return el('li', {}, sign, text);
    });
  const empty = hasEmpty ? [el('li', {}, el('span', { class: 'cell none', 'aria-hidden': 'true' }), 'no case')] : [];
  // The parts of divided cells have no numbers.
  const ofCells = groupCases(cases, ({ kind, verb }) => `${kind} ${verb}`);
  const hasNumbers =
    split === undefined || [...ofCells.values()].some((members) => members.every((one) => one[split] === ''));
  const counted = hasNumbers ? [el('li', { class: 'counted' }, 'Numbers count cases; 2/3: two of three passed.')] : [];
  const parts = split ? [...new Set(cases.map((one) => one[split]))].sort() : [];
  const names = parts.map((part) => el('li', {}, el('b', {}, shortOf(part)), part === '' ? 'none of them' : part));
  return el(
    'div',
    {},
    el('ul', { class: 'legend' }, ...list, ...empty, ...counted),
    names.length > 0 ? el('ul', { class: 'legend' }, ...names) : undefined,
  );
}

/** Returns the look of a cell, as the legend names it: a state, and `recommended` or `partial` if that shows. */
function lookOf(cases: readonly CaseView[]): string {
  const { state, look } = cellLook(cases);
  if (state === 'passed') return look;
  return state === 'failed' && look.includes(' recommended') ? 'failed recommended' : state;
}

/** Makes the table one stop of the Tab key; the arrow keys move inside it. */
function roam(table: HTMLTableElement): void {
  const links = (row: Element | undefined | null): HTMLElement[] => [
    ...(row?.querySelectorAll<HTMLElement>('a') ?? []),
  ];
  const first = table.querySelector<HTMLElement>('tbody td a');
  first?.setAttribute('tabindex', '0');
  const go = (to: HTMLElement | undefined | null): boolean => {
    if (!to) return false;
    for (const stop of table.querySelectorAll('a[tabindex="0"]')) stop.setAttribute('tabindex', '-1');
    to.setAttribute('tabindex', '0');
    to.focus();
    return true;
  };
  table.addEventListener('keydown', (event) => {
    const here = event.target instanceof HTMLElement ? event.target.closest('a') : null;
    const row = here?.closest('tr');
    if (!here || !row) return;
    const inRow = links(row);
    const at = inRow.indexOf(here);
    const column =
      here.closest('td, th') instanceof HTMLTableCellElement
        ? (here.closest('td, th') as HTMLTableCellElement).cellIndex
        : 0;
    const rows = [...table.rows];
    const below = (from: Iterable<HTMLTableRowElement>): HTMLElement | undefined => {
      for (const next of from) {
        const found = links(next.cells[column]);
        if (found[0] && next.cells[column]?.colSpan === 1) return found[0];
      }
      return undefined;
    };
    const moves: Readonly<Record<string, () => HTMLElement | undefined>> = {
      ArrowRight: () => inRow[at + 1],
      ArrowLeft: () => inRow[at - 1],
      ArrowDown: () => below(rows.slice(row.rowIndex + 1)),
      ArrowUp: () => below(rows.slice(0, row.rowIndex).reverse()),
      Home: () => inRow[0],
      End: () => inRow.at(-1),
    };
    if (go(moves[event.key]?.())) event.preventDefault();
  });
}
