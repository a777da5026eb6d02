// Warnings of labels of nodes that have other names now, in what chooses nodes.
import type { ObjectOf } from '../../../../../matrix/api/modern/objects.js';
import { labelValue } from '../../../../schema/formats.js';

const insteadSince = (version: string, label: string): string => `deprecated since ${version}; use "${label}" instead`;

const deprecated: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', insteadSince('v1.14', 'kubernetes.io/arch')],
  ['beta.kubernetes.io/os', insteadSince('v1.14', 'kubernetes.io/os')],
  ['failure-domain.beta.kubernetes.io/region', insteadSince('v1.17', 'topology.kubernetes.io/region')],
  ['failure-domain.beta.kubernetes.io/zone', insteadSince('v1.17', 'topology.kubernetes.io/zone')],
  ['beta.kubernetes.io/instance-type', insteadSince('v1.17', 'node.kubernetes.io/instance-type')],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Returns what is said of a label in a field that names it by its path. */
export function keyWarnings(at: string, label: string): readonly string[] {
  const why = deprecated.get(label);
  return why === undefined ? [] : [`${at}: ${why}`];
}

/** The same in a field that has it as its value. */
export function labelWarnings(at: string, label: string | undefined): readonly string[] {
  const why = deprecated.get(label ?? '');
  return why === undefined ? [] : [`${at}: ${label} is ${why}`];
}

interface Term {
  readonly matchExpressions?: readonly { readonly key?: string; readonly values?: readonly string[] }[];
}

export const termWarnings = (at: string, { matchExpressions = [] }: Term): readonly string[] =>
  matchExpressions.flatMap(({ key }, index) => labelWarnings(`${at}.matchExpressions[${index}].key`, key));

/** The same for a term that is only preferred, whose values are not checked otherwise. */
export const preferenceWarnings = (at: string, term: Term): readonly string[] =>
  (term.matchExpressions ?? []).flatMap((expression, index) => [
    ...labelWarnings(`${at}.matchExpressions[${index}].key`, expression.key),
    ...(expression.values ?? []).flatMap((value, position) =>
      labelValue(value).map(
        (why) => `${at}.matchExpressions[${index}].values[${position}]: ${value} is invalid, ${why}`,
      ),
    ),
  ]);

export const selectorWarnings = (at: string, selector: ObjectOf<'LabelSelector'> = {}): readonly string[] => [
  ...termWarnings(at, selector as Term),
  ...Object.keys(selector.matchLabels ?? {}).flatMap((label) => keyWarnings(`${at}.matchLabels.${label}`, label)),
];
