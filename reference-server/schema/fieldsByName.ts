// The fields of a type by their names in JSON.
import { type Field, fieldsOf, type Type } from '../../matrix/api/modern/index.js';

const known = new WeakMap<Type, ReadonlyMap<string, Field>>();

/** Returns the fields of a type by name. The maps are made on first use. */
export function fieldsByName(type: Type): ReadonlyMap<string, Field> {
  const fields = known.get(type) ?? new Map(fieldsOf(type).map((field) => [field.name, field]));
  known.set(type, fields);
  return fields;
}
