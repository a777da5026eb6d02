// PodDisruptionBudget of policy/v1beta1, stored as policy/v1. An empty selector selects no pods there, and all pods here.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { type DecodedObject, equal, part } from '../../../schema/object.js';
import type { Conversion } from '../../../versions/conversion.js';

/** A label that no pod has: each version says with it what its empty selector does not mean. */
const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
const none: ObjectOf<'LabelSelector'> = { matchExpressions: [{ key, operator: 'Exists' }] };
const all: ObjectOf<'LabelSelector'> = { matchExpressions: [{ key, operator: 'DoesNotExist' }] };

export const earlierBudget: Conversion = {
  fromStorage: (stored) =>
    withSelector(stored, (selector) => (isEmpty(selector) ? all : equal(selector, none) ? {} : selector)),
  toStorage: (object) =>
    withSelector(object, (selector) => (isEmpty(selector) ? none : equal(selector, all) ? {} : withoutLabel(selector))),
};

function withSelector<Budget extends DecodedObject>(
  budget: Budget,
  of: (selector: ObjectOf<'LabelSelector'>) => ObjectOf<'LabelSelector'>,
): Budget {
  const spec = part<ObjectOf<'policy.v1.PodDisruptionBudgetSpec'>>(budget, 'spec');
  return spec.selector === undefined ? budget : { ...budget, spec: { ...spec, selector: of(spec.selector) } };
}

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'>): boolean =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;

/** Beside other terms, the label would be part of the selector. */
function withoutLabel(selector: ObjectOf<'LabelSelector'>): ObjectOf<'LabelSelector'> {
  const { matchExpressions } = selector;
  if (matchExpressions?.some((term) => term.key === key) !== true) return selector;
  return { ...selector, matchExpressions: matchExpressions.filter((term) => term.key !== key) };
}
