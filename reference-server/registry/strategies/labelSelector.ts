// Label selectors inside objects.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { qualifiedName } from '../../schema/formats.js';
import { validateLabels } from '../metadata.js';

/** Checks a selector. Reports whether it is valid. */
export function validateSelector(field: string, selector: ObjectOf<'LabelSelector'>, causes: Causes): boolean {
  const before = causes.list.length;
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
  return causes.list.length === before;
}
