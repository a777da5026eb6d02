// Finds the fields of a value that its type does not have. The decoder drops such fields.
import { type Field, fieldsOf, isTypeName, type Type, typeOf } from '../../matrix/api/modern/index.js';
import { FieldPaths, type RepeatedField } from '../codecs/fieldPaths.js';
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
  const walk = new Walk();
  yield* inObject(type, object, walk);
  return walk.paths.found;
}

/**
 * Returns a sentence for each unknown field in such an object, as its text in JSON has them: with a sentence for each
 * field that the text repeats, in the order of the text. Nothing in an unknown field is repeated. If the object comes
 * from no text in JSON, and `repeated` is absent, its fields are in the order of their names.
 */
export function* mistakesIn(
  type: Type,
  object: unknown,
  repeated?: readonly RepeatedField[],
): Steps<readonly string[]> {
  const walk = new Walk(repeated);
  yield* inObject(type, object, walk);
  // Most objects have no mistake: the names are sorted for those that have several.
  if (repeated !== undefined || walk.sentences.length < 2) return walk.sentences;
  const sorted = new Walk([], true);
  yield* inObject(type, object, sorted);
  return sorted.sentences;
}

/** Quotes a path, without characters that a header cannot have. */
const quoted = (path: string): string => JSON.stringify(path).replaceAll('\x7f', '\\u007f');

/** Returns the sentence for a field that a type does not have. */
export const unknownField = (path: string): string => `unknown field ${quoted(path)}`;

/** Returns the sentence for a field that a body repeats. */
export const sentenceOf = (field: RepeatedField): string =>
  'path' in field
    ? `duplicate field ${quoted(field.path)}`
    : `line ${field.line}: key ${quoted(field.key)} already set in map`;

/** The mistakes that a walk through an object has found. */
class Walk {
  readonly paths = new FieldPaths();
  readonly sentences: string[] = [];
  /** The repeated fields that the walk has not come by. */
  readonly #repeated: Set<RepeatedField>;

  constructor(
    repeated: readonly RepeatedField[] = [],
    readonly isSorted = false,
  ) {
    this.#repeated = new Set(repeated);
  }

  addUnknown(): void {
    const path = this.paths.add();
    if (path !== undefined) this.sentences.push(unknownField(path));
  }

  /** Adds the repeated fields of an object, whose path this is, that follow so many of its fields and are known. */
  addRepeated(object: string, before: number, fields: ReadonlyMap<string, Field>): void {
    const start = object === '' ? '' : `${object}.`;
    this.#addIf((path, at) => at === before && path.startsWith(start) && fields.has(path.slice(start.length)));
  }

  /** Adds the repeated fields in the field at the current place. */
  addRepeatedInside(): void {
    if (!this.hasRepeated) return;
    const here = this.paths.path();
    this.#addIf((path) => path.startsWith(`${here}.`) || path.startsWith(`${here}[`));
  }

  get hasRepeated(): boolean {
    return this.#repeated.size > 0;
  }

  #addIf(isMeant: (path: string, before: number) => boolean): void {
    for (const field of this.#repeated) {
      if (!('path' in field) || !isMeant(field.path, field.before)) continue;
      this.#repeated.delete(field);
      this.sentences.push(sentenceOf(field));
    }
  }
}

function* inObject(type: Type, value: unknown, walk: Walk): Steps<void> {
  if (typeof value !== 'object' || value === null || isSettled(type, value)) return;
  const known = fieldsByName(type);
  const { paths } = walk;
  const object = walk.hasRepeated ? paths.path() : '';
  paths.enter('');
  const names = Object.keys(value);
  if (walk.isSorted) names.sort();
  let before = 0;
  for (const name of names) {
    if (mayPause()) yield;
    if (walk.hasRepeated) walk.addRepeated(object, before, known);
    before += 1;
    const field = known.get(name);
    paths.goTo(name);
    if (field === undefined) walk.addUnknown();
    else if (mayHaveFields(field)) yield* inField(field, (value as Readonly<Record<string, unknown>>)[name], walk);
    else walk.addRepeatedInside();
  }
  if (walk.hasRepeated) walk.addRepeated(object, before, known);
  paths.leave();
}

/** Reports whether values of a field contain objects of the table. */
function mayHaveFields({ type }: Field): boolean {
  return isTypeName(type) && typeOf(type).bare === undefined;
}

function* inField({ type, shape }: Field, value: unknown, walk: Walk): Steps<void> {
  if (!isTypeName(type) || typeof value !== 'object' || value === null) return;
  const inner = typeOf(type);
  if (shape === undefined) {
    yield* inObject(inner, value, walk);
    return;
  }
  const isList = Array.isArray(value);
  walk.paths.enter(isList ? 0 : '');
  for (const [step, item] of Object.entries(value)) {
    walk.paths.goTo(isList ? Number(step) : step);
    yield* inObject(inner, item, walk);
  }
  walk.paths.leave();
}
