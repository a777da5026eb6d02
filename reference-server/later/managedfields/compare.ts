// What a write changes: the paths that it adds, removes and modifies.
import { equal, isRecord, own } from '../../schema/object.js';
import { mayPause, type Steps } from '../../turns.js';
import { type FieldSet, itself, none, setOf, union } from './fieldSet.js';
import { addedPaths, shapeOfField, shapeOfValue } from './owned.js';
import { type ListShape, leaf, type ObjectShape, type Shape } from './shape.js';
import { stepTo } from './steps.js';

export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

export const unchanged: Comparison = { added: none, removed: none, modified: none };

const modifiedItself: Comparison = { ...unchanged, modified: itself };

/** The paths that the new value has and that the old one lacked, or had with another value. */
export const changedPaths = ({ added, modified }: Comparison): FieldSet => union(added, modified);

/** Compares two values of a shape; `undefined` is an absent one. */
export function* compare(given: Shape, before: unknown, after: unknown): Steps<Comparison> {
  if (before === after || given.kind === 'hidden') return unchanged;
  if (before === undefined) return { ...unchanged, added: owned(yield* addedPaths(given, after)) };
  if (after === undefined) return { ...unchanged, removed: owned(yield* addedPaths(given, before)) };
  const shape = sharedShape(given, before, after);
  if (shape.kind === 'object' && !(isBare(before) && isBare(after))) {
    return yield* compareObjects(shape, fieldsOf(before), fieldsOf(after));
  }
  if (shape.kind === 'list' && !(isBare(before) && isBare(after))) {
    return yield* compareLists(shape, itemsOf(before), itemsOf(after));
  }
  return equal(before, after) ? unchanged : modifiedItself;
}

/** A value that appears or goes is itself a path, also if it is an object with parts. */
const owned = (paths: FieldSet): FieldSet => setOf(true, paths.branches);

/** The shape by which two values are compared: `null` is an empty object or list, but in a field of any type a value. */
function sharedShape(shape: Shape, before: unknown, after: unknown): Shape {
  if (before === null && shape.kind === 'any') return leaf;
  if (before === null) return shapeOfValue(shape, after);
  const ofBefore = shapeOfValue(shape, before);
  if (after === null || ofBefore.kind === shapeOfValue(shape, after).kind) return ofBefore;
  return leaf;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isBare(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const name in fieldsOf(value)) if ((value as Record<string, unknown>)[name] !== undefined) return false;
  return true;
}

/** The comparisons of the parts of a value. The maps are made when a part differs. */
class Parts {
  #added: Map<string, FieldSet> | undefined;
  #removed: Map<string, FieldSet> | undefined;
  #modified: Map<string, FieldSet> | undefined;

  add(step: string, { added, removed, modified }: Comparison): void {
    if (added !== none) {
      this.#added ??= new Map();
      this.#added.set(step, added);
    }
    if (removed !== none) {
      this.#removed ??= new Map();
      this.#removed.set(step, removed);
    }
    if (modified !== none) {
      this.#modified ??= new Map();
      this.#modified.set(step, modified);
    }
  }

  get whole(): Comparison {
    if (!this.#added && !this.#removed && !this.#modified) return unchanged;
    return {
      added: setOf(false, this.#added),
      removed: setOf(false, this.#removed),
      modified: setOf(false, this.#modified),
    };
  }
}

function* compareObjects(
  shape: ObjectShape,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Steps<Comparison> {
  const parts = new Parts();
  if (mayPause()) yield;
  for (const name of Object.keys(after)) {
    if (mayPause()) yield;
    const [old, next] = [own(before, name), after[name]];
    if (old === next || next === undefined) continue;
    parts.add(`f:${name}`, yield* compare(shapeOfField(shape, name), old, next));
  }
  for (const name of Object.keys(before)) {
    if (mayPause()) yield;
    const old = before[name];
    if (old === undefined || own(after, name) !== undefined) continue;
    parts.add(`f:${name}`, yield* compare(shapeOfField(shape, name), old, undefined));
  }
  return parts.whole;
}

function* compareLists(shape: ListShape, before: readonly unknown[], after: readonly unknown[]): Steps<Comparison> {
  const [old, next] = [yield* byStep(before, shape), yield* byStep(after, shape)];
  const parts = new Parts();
  const itemsAt = function* (step: string): Steps<void> {
    parts.add(step, yield* compareItems(shape.items, old.get(step) ?? [], next.get(step) ?? []));
  };
  for (const step of next.keys()) yield* itemsAt(step);
  for (const step of old.keys()) if (!next.has(step)) yield* itemsAt(step);
  return parts.whole;
}

/** The items of a list by their steps. Stored lists may have several items of one step. */
export function* byStep(items: readonly unknown[], shape: ListShape): Steps<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  for (let at = 0; at < items.length; at++) {
    if (mayPause()) yield;
    const step = stepTo(items[at], shape);
    const known = found.get(step);
    if (known === undefined) found.set(step, [items[at]]);
    else known.push(items[at]);
  }
  return found;
}

/** Compares the items of one step: several are one leaf. */
function* compareItems(shape: Shape, before: readonly unknown[], after: readonly unknown[]): Steps<Comparison> {
  if (before.length <= 1 && after.length <= 1) return yield* compare(shape, before[0], after[0]);
  if (before.length > 1 && after.length > 1) return equal(before, after) ? unchanged : modifiedItself;
  const [first] = before.length > 1 ? after : before;
  const paths = first === undefined ? none : owned(yield* addedPaths(shape, first));
  return before.length > 1
    ? { ...unchanged, added: paths, removed: itself }
    : { ...unchanged, removed: paths, added: itself };
}
