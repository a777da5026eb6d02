// LimitRanges: defaults derived from the limits, and limits that agree with each other.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { eachField, own, part } from '../../schema/object.js';
import { compareQuantities, type Quantities } from '../../schema/quantity.js';
import type { Strategy } from '../strategy.js';

const limitsOf = (object: Readonly<Record<string, unknown>>) =>
  part<ObjectOf<'LimitRangeSpec'>>(object, 'spec').limits ?? [];

export const limitRanges: Strategy = {
  createOnReplace: true,
  defaults(object) {
    const { limits } = part<ObjectOf<'LimitRangeSpec'>>(object, 'spec');
    if (limits) object.spec = { limits: limits.map(withDefaults) };
  },
  validate(range, causes) {
    const types = new Set<string>();
    limitsOf(range).forEach((item, index) => {
      const field = `spec.limits[${index}]`;
      if (!item.type) causes.required(`${field}.type`);
      else if (types.has(item.type)) causes.duplicate(`${field}.type`, item.type);
      types.add(item.type);
      if (item.type === 'Pod') {
        for (const name of ['default', 'defaultRequest'] as const) {
          if (item[name]) causes.forbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'");
        }
      }
      validateItem(field, item, causes);
    });
  },
};

/**
 * Without a default limit, a container gets the maximum; without a default request, it requests its limit or the
 * minimum.
 */
function withDefaults(item: ObjectOf<'LimitRangeItem'>): ObjectOf<'LimitRangeItem'> {
  if (item.type !== 'Container') return item;
  const { type, max, min, default: given, defaultRequest: request, ...rest } = item;
  const limit = { ...max, ...given };
  const asked = { ...min, ...limit, ...request };
  return {
    type,
    ...(max && { max }),
    ...(min && { min }),
    ...(Object.keys(limit).length > 0 && { default: limit }),
    ...(Object.keys(asked).length > 0 && { defaultRequest: asked }),
    ...rest,
  };
}

const none: Quantities = {};

function validateItem(field: string, item: ObjectOf<'LimitRangeItem'>, causes: Causes): void {
  const { max = none, min = none, default: limit = none, defaultRequest: request = none } = item;
  const ordered = (low: Quantities, high: Quantities, at: string, names: [string, string]) => {
    if (high === none) return;
    eachField(low, (name, quantity) => {
      const bound = own(high, name);
      if (typeof bound !== 'string' || compareQuantities(quantity, bound) <= 0) return;
      causes.invalid(
        `${field}.${at}[${name}]`,
        quantity,
        `${names[0]} value ${quantity} is greater than ${names[1]} value ${bound}`,
      );
    });
  };
  ordered(min, max, 'min', ['min', 'max']);
  ordered(min, request, 'defaultRequest', ['min', 'default request']);
  ordered(request, max, 'defaultRequest', ['default request', 'max']);
  ordered(request, limit, 'defaultRequest', ['default request', 'default limit']);
  ordered(min, limit, 'default', ['min', 'default']);
  ordered(limit, max, 'default', ['default', 'max']);
  eachField(item.maxLimitRequestRatio ?? none, (name, ratio) => {
    if (compareQuantities(ratio, '1') >= 0) return;
    causes.invalid(`${field}.maxLimitRequestRatio[${name}]`, ratio, `ratio ${ratio} is less than 1`);
  });
}
