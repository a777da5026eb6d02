// The bar of the filter: choices, search, and the number of matching cases. The bar and the URL fragment always agree.
import { chipsOf } from './chips.js';
import { el } from './dom.js';
import { type Filter, type FilterKey, isFiltering, type ViewName, verdictsOf, withoutKeys } from './filter.js';
import type { Model } from './model.js';
import type { KnownValues } from './search.js';
import { caseVerdicts, emptyStates, levels, stateWord, symbolOf } from './words.js';

export interface FilterBar {
  readonly element: HTMLElement;
  show(shown: ShownFilter): void;
  /** Opens the bar and moves the focus to its search. */
  ask(): void;
}

interface ShownFilter {
  readonly filter: Filter;
  readonly view: ViewName;
  /** How many cases match. */
  readonly status: string;
  /** What is wrong with the filter or the address, one sentence each. */
  readonly problems: readonly string[];
}

const choices = [
  ['level', 'Level'],
  ['chapter', 'Chapter'],
  ['kind', 'Kind'],
  ['verb', 'Verb'],
  ['media', 'Media type'],
  ['mechanism', 'Mechanism'],
] as const satisfies readonly (readonly [FilterKey, string])[];

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('?') ? '' : '.'}`;

/** Makes the bar, which the button `ask` opens. Calls `change` with the new filter. */
export function filterBar(
  model: Model,
  known: KnownValues,
  ask: HTMLElement,
  change: (filter: Filter, typing: boolean) => void,
): FilterBar {
  const occurring = (all: readonly string[], values: ReadonlySet<string>): string[] =>
    all.filter((value) => value !== '' && values.has(value));
  const options: Readonly<Record<(typeof choices)[number][0], readonly string[]>> = {
    level: occurring(levels, known.of('level')),
    chapter: [...new Set(model.cases.map(({ requirement }) => requirement.chapter))],
    kind: occurring(model.island.kinds, known.of('kind')),
    verb: occurring(model.island.verbs, known.of('verb')),
    media: model.island.media,
    mechanism: model.island.mechanisms,
  };
  let current: Filter = {};
  const set = (key: FilterKey, value: string, typing = false): void => {
    change({ ...withoutKeys(current, 'case'), [key]: value }, typing);
  };

  const search = el('input', {
    type: 'search',
    name: 'q',
    placeholder: 'verb:patch kind:pods verdict:failed "text"',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => set('q', search.value.trim(), true), 150);
  });
  const offered = choices.filter(([key]) => options[key].length > 0);
  const selects = offered.map(([key, label]) => {
    const select = el(
      'select',
      { name: key },
      el('option', { value: '' }, 'any'),
      ...options[key].map((value) => el('option', { value }, value)),
    );
    select.addEventListener('change', () => set(key, select.value));
    return { key, select, element: el('label', {}, el('span', {}, label), select) };
  });
  const present = new Set<string>([
    ...model.cases.map(({ verdict }) => verdict),
    ...model.requirements.flatMap(({ empty, cases }) => (cases === 0 && empty ? [empty] : [])),
  ]);
  const boxes = [...caseVerdicts, ...emptyStates]
    .filter(({ name }) => present.has(name))
    .map(({ name }) => {
      const box = el('input', { type: 'checkbox', name: 'verdict', value: name });
      box.addEventListener('change', () =>
        set(
          'verdict',
          boxes
            .filter(({ box }) => box.checked)
            .map(({ box }) => box.value)
            .join(','),
        ),
      );
      return {
        box,
        name,
        element: el(
          'label',
          { class: `toggle ${name}` },
          box,
          el('span', { 'aria-hidden': 'true' }, symbolOf(name)),
          ` ${stateWord(name)}`,
        ),
      };
    });
  const clear = el('button', { type: 'button', class: 'clear' }, 'Clear');
  clear.addEventListener('click', () => {
    change({}, false);
    search.focus();
  });
  const status = el('p', { class: 'told', role: 'status' });
  const also = el('ul', { class: 'also', 'aria-label': 'Filters' });
  const wrong = el('p', { class: 'wrong', role: 'status' });
  const form = el(
    'form',
    { role: 'search', 'aria-label': 'Filter' },
    el('label', { class: 'search' }, el('span', {}, 'Search'), search),
    ...selects.map(({ element }) => element),
    el('fieldset', {}, el('legend', {}, 'Verdict'), ...boxes.map(({ element }) => element)),
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  const fold = el('div', { class: 'filter', hidden: '' }, form);
  const answer = el('div', { class: 'answer' }, status, also, clear, wrong);
  const element = el('div', { class: 'filters' }, fold, answer);
  const open = (wanted: boolean): void => {
    fold.hidden = !wanted;
    ask.setAttribute('aria-expanded', String(wanted));
  };
  ask.addEventListener('click', () => {
    open(fold.hidden !== false);
    if (!fold.hidden) search.focus();
  });

  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // The browser would empty the field.
    event.preventDefault();
    open(false);
    ask.focus();
  });
  const chips = (filter: Filter): HTMLElement[] =>
    chipsOf(filter).map(({ text, without }) => {
      const button = el('button', { type: 'button', 'aria-label': `Remove the filter ${text}` }, `${text} ×`);
      button.addEventListener('click', () => change(without, false));
      return el('li', {}, button);
    });
  const belongs = (name: string, view: ViewName): boolean => {
    if (view === 'failures') return name === 'failed' || name === 'blocked';
    return view === 'requirements' || !emptyStates.some((state) => state.name === name);
  };

  return {
    element,
    ask() {
      open(true);
      search.focus();
    },
    show({ filter, view, status: text, problems }) {
      current = filter;
      if (document.activeElement !== search) search.value = filter.q ?? '';
      for (const { key, select } of selects) {
        const value = filter[key] ?? '';
        // A link may contain a value that this run does not have: the value is shown, and no case matches.
        if (value && ![...select.options].some((option) => option.value === value))
          select.append(el('option', { value }, value));
        select.value = value;
      }
      const verdicts = verdictsOf(filter);
      for (const { box, name, element: label } of boxes) {
        box.checked = verdicts.includes(box.value);
        label.hidden = !belongs(name, view);
      }
      status.textContent = text;
      wrong.textContent = problems.map(sentence).join(' ');
      also.replaceChildren(...chips(filter));
      clear.hidden = !isFiltering(filter);
      ask.classList.toggle('active', !clear.hidden);
    },
  };
}
