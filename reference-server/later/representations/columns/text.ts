// Cells that several resources share: labels, selectors, containers, and short lists of addresses.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { none } from './column.js';

/** Returns labels as `a=1,b=2` in the order of their names, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  return selectorText({ matchLabels: labels ?? {} });
}

/**
 * Returns a selector in the syntax of the `labelSelector` parameter, its requirements in the order of their keys. A
 * selector that is absent or selects everything is `<none>`.
 */
export function selectorText(selector: ObjectOf<'LabelSelector'> | undefined): string {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...matchExpressions.map((expression) => ({ key: expression.key, text: requirementText(expression) })),
  ];
  const sorted = requirements.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  return sorted.map(({ text }) => text).join(',') || none;
}

function requirementText({ key, operator, values = [] }: ObjectOf<'LabelSelectorRequirement'>): string {
  if (operator === 'Exists') return key;
  return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})`;
}

export const containersText = (template: ObjectOf<'PodTemplateSpec'> | undefined): string =>
  (template?.spec?.containers ?? []).map(({ name = '' }) => name).join(',');

export const imagesText = (template: ObjectOf<'PodTemplateSpec'> | undefined): string =>
  (template?.spec?.containers ?? []).map(({ image = '' }) => image).join(',');

/** The most texts of a short list. */
const most = 3;

/** Returns the first texts of a list, and the number of the others. */
export function shortList(texts: readonly string[]): string {
  const shown = texts.slice(0, most).join(',');
  return texts.length > most ? `${shown} + ${texts.length - most} more...` : shown;
}
