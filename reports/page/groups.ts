// The failing requirements of the overview: a switch of each leaves its cases out, so that the rest can be seen.
import { type Filter, type Matcher, offOf, without } from './filter.js';
import type { Model } from './model.js';

const switches = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('.switch input')];

/** Makes the switches work; `change` is called with the requirements that are left out. */
export function startSwitches(change: (off: string) => void): void {
  for (const one of switches())
    one.addEventListener('change', () => {
      const off = switches().filter(({ checked }) => !checked);
      change(off.map(({ value }) => value).join(','));
    });
}

/** Shows the groups of the cases that the filter lets through, each switched as the filter says. */
export function showGroups(model: Model, matcher: Matcher, filter: Filter): void {
  const left = new Set(matcher.casesOf(model.cases, without(filter, 'off')).map(({ requirement }) => requirement.id));
  const off = new Set(offOf(filter));
  for (const one of switches()) {
    const group = one.closest('li');
    one.checked = !off.has(one.value);
    group?.classList.toggle('off', off.has(one.value));
    if (group) group.hidden = !left.has(one.value);
  }
}
