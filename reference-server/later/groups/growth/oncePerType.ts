// What is made for each type of the field table once.
import type { Type } from '../../../../matrix/api/modern/index.js';

/** Returns a function that makes a value for a type of objects on first use. A type within itself has none. */
export function oncePerType<T>(make: (type: Type) => T | undefined): (type: Type) => T | undefined {
  const known = new Map<Type, T | undefined>();
  return (type) => {
    if (!known.has(type)) {
      known.set(type, undefined);
      if (type.bare === undefined) known.set(type, make(type));
    }
    return known.get(type);
  };
}
