// The failing requirements of the overview: a switch for each hides its cases, so that the other cases can be seen.
import { type Filter, type Matcher, offOf, without } from './filter.js';
import type { Model } from './model.js';

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
  const left = new Set(matcher.casesOf(model.cases, without(filter, 'off')).map(({ requirement }) => requirement.id));
  const off = new Set(offOf(filter));
  for (const one of switches()) {
    const group = one.closest('li');
    one.checked = !off.has(one.value);
    group?.classList.toggle('off', off.has(one.value));
    if (group) group.hidden = !left.has(one.value);
  }
}
