// Finds the fields of a value that its type does not have. The decoder drops such fields.
import { type Field, fieldsOf, isTypeName, type Type, typeOf } from '../../matrix/api/modern/index.js';
import { FieldPaths } from '../codecs/fieldPaths.js';
import { mayPause, type Steps } from '../turns.js';
import { isSettled } from './settled.js';

const known = new WeakMap<Type, ReadonlyMap<string, Field>>();

/** Returns the fields of a type by name. The maps are made on first use. */
export function fieldsByName(type: Type): ReadonlyMap<string, Field> {
  const fields = known.get(type) ?? new Map(fieldsOf(type).map((field) => [field.name, field]));
  known.set(type, fields);
  return fields;
}

/**
 * Returns the paths of the unknown fields in an object that `decodeValue` accepts. A value of another type than its field
 * is not looked into.
 */
export function* unknownFields(type: Type, object: unknown): Steps<readonly string[]> {
  const paths = new FieldPaths();
  yield* inObject(type, object, paths);
  return paths.found;
}

function* inObject(type: Type, value: unknown, paths: FieldPaths): Steps<void> {
  if (typeof value !== 'object' || value === null || isSettled(type, value)) return;
  const known = fieldsByName(type);
  paths.enter('');
  for (const name of Object.keys(value)) {
    if (mayPause()) yield;
    const field = known.get(name);
    paths.goTo(name);
    if (field === undefined) paths.add();
    else if (mayHaveFields(field)) yield* inField(field, (value as Readonly<Record<string, unknown>>)[name], paths);
  }
  paths.leave();
}

/** Reports whether values of a field contain objects of the table. */
function mayHaveFields({ type }: Field): boolean {
  return isTypeName(type) && typeOf(type).bare === undefined;
}

function* inField({ type, shape }: Field, value: unknown, paths: FieldPaths): Steps<void> {
  if (!isTypeName(type) || typeof value !== 'object' || value === null) return;
  const inner = typeOf(type);
  if (shape === undefined) {
    yield* inObject(inner, value, paths);
    return;
  }
  const isList = Array.isArray(value);
  paths.enter(isList ? 0 : '');
  for (const [step, item] of Object.entries(value)) {
    paths.goTo(isList ? Number(step) : step);
    yield* inObject(inner, item, paths);
  }
  paths.leave();
}
