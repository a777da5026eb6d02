// The bar of the filter: choices, search, and the number of matching cases. The bar and the URL fragment always agree.
import { el } from './dom.js';
import { type Filter, type FilterKey, hiddenRequirements, verdictsOf, withoutKeys } from './filter.js';
import type { Model } from './model.js';
import { caseVerdicts, countOf, emptyStates, levels, stateWord, symbolOf } from './words.js';

export interface FilterBar {
  readonly element: HTMLElement;
  show(filter: Filter, status: string): void;
  /** Opens the bar and moves the focus to its search. */
  ask(): void;
}

const choices = [
  ['level', 'Level'],
  ['chapter', 'Chapter'],
  ['kind', 'Kind'],
  ['verb', 'Verb'],
  ['media', 'Media type'],
  ['mechanism', 'Mechanism'],
] as const satisfies readonly (readonly [FilterKey, string])[];

/** Makes the bar, which the button `ask` opens. Calls `change` with the new filter. */
export function filterBar(
  model: Model,
  ask: HTMLElement,
  change: (filter: Filter, typing: boolean) => void,
): FilterBar {
  const options: Readonly<Record<(typeof choices)[number][0], readonly string[]>> = {
    level: levels,
    chapter: [...new Set(model.requirements.map(({ chapter }) => chapter))],
    kind: model.island.kinds,
    verb: model.island.verbs.filter((verb) => verb !== ''),
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
    placeholder: 'verb:patch kind:pods status:failed "text"',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => set('q', search.value.trim(), true), 150);
  });
  const selects = choices.map(([key, label]) => {
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
  const also = el('ul', { class: 'also' });
  const form = el(
    'form',
    { role: 'search', 'aria-label': 'Filter' },
    el('label', { class: 'search' }, el('span', {}, 'Search'), search),
    ...selects.map(({ element }) => element),
    el('fieldset', {}, el('legend', {}, 'Verdict'), ...boxes.map(({ element }) => element)),
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  const fold = el('div', { class: 'filter', hidden: '' }, form);
  const answer = el('div', { class: 'answer' }, status, also, clear);
  const element = el('div', { class: 'filters' }, fold, answer);
  const open = (wanted: boolean): void => {
    fold.hidden = !wanted;
    ask.setAttribute('aria-expanded', String(wanted));
  };
  ask.addEventListener('click', () => {
    open(fold.hidden !== false);
    if (!fold.hidden) search.focus();
  });

  // Parts of the filter without a field of their own are listed with buttons that remove them.
  const others = (filter: Filter): HTMLElement[] =>
    (['requirement', 'reason', 'case', 'off'] as const).flatMap((key) => {
      const value = filter[key];
      if (!value) return [];
      const text =
        key === 'off'
          ? `${countOf(hiddenRequirements(filter).length, 'requirement')} switched off`
          : `${key}: ${value}`;
      const button = el('button', { type: 'button', 'aria-label': `Take away: ${text}` }, `${text} ×`);
      button.addEventListener('click', () => set(key, ''));
      return [el('li', {}, button)];
    });

  return {
    element,
    ask() {
      open(true);
      search.focus();
    },
    show(filter, text) {
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
      for (const { box } of boxes) box.checked = verdicts.includes(box.value);
      status.textContent = text;
      also.replaceChildren(...others(filter));
      clear.hidden = Object.values(withoutKeys(filter, 'split')).every((value) => !value);
      ask.classList.toggle('active', !clear.hidden);
    },
  };
}
