// Values that need no second look: parts of stored objects, which were decoded and found valid by this process. A patch
// that leaves such a part alone has the very same value, and costs what it changes.
import { fieldsOf, isTypeName, type Type, typeOf } from '../../matrix/api/modern/index.js';

const types = new WeakMap<object, Type>();

/** Reports whether a value is a settled one of a type. */
export const isSettled = (type: Type, value: object): boolean => types.get(value) === type;

/** Settles the parts of a valid object of a type, but for its metadata and its status, which are written apart. */
export function settle(type: Type, object: Readonly<Record<string, unknown>>): void {
  for (const { name, type: of, shape } of fieldsOf(type)) {
    const value = object[name];
    if (shape !== undefined || name === 'metadata' || name === 'status' || !isTypeName(of)) continue;
    if (typeof value === 'object' && value !== null) types.set(value, typeOf(of));
  }
}
