// Label selectors inside objects.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { labelValue, qualifiedName } from '../../schema/formats.js';
import { validateLabels } from '../metadata.js';

/** Checks a selector. */
export function validateSelector(field: string, selector: ObjectOf<'LabelSelector'>, causes: Causes): void {
  validateLabels(`${field}.matchLabels`, selector.matchLabels, causes);
  selector.matchExpressions?.forEach(({ key, operator, values = [] }, index) => {
    const at = `${field}.matchExpressions[${index}]`;
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        causes.required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        causes.forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
    } else causes.invalid(`${at}.operator`, operator, 'not a valid selector operator');
    causes.format(`${at}.key`, key, qualifiedName);
  });
}

/** Reports whether objects can be compared with a selector: labels that can match nothing do no harm. */
export const isReadable = ({ matchLabels, matchExpressions = [] }: ObjectOf<'LabelSelector'>): boolean => {
  const isValid = (key: string, values: readonly string[]) =>
    qualifiedName(key).length === 0 && values.every((value) => labelValue(value).length === 0);
  return (
    Object.entries(matchLabels ?? {}).every(([key, value]) => isValid(key, [value])) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const hasValues = values.length > 0;
      const isKnown = hasValues ? ['In', 'NotIn'].includes(operator) : ['Exists', 'DoesNotExist'].includes(operator);
      return isKnown && isValid(key, values);
    })
  );
};
