// The paths of a value: all that a write adds, or those that an applied configuration owns.
import { isRecord } from '../../schema/object.js';
import { type FieldSet, itself, none, setOf } from './fieldSet.js';
import { anyValue, type ListShape, leaf, type ObjectShape, type Shape } from './shape.js';
import { stepTo } from './steps.js';

/** Work in steps, between which other requests have their turn. */
export type Steps<Result> = Generator<void, Result>;

/** The objects and leaves that are handled between two steps: a step costs more than one of them. */
const inOneStep = 64;
let handled = 0;

/** Counts an object or leaf. Reports whether it begins a new step. */
export function isTurn(): boolean {
  handled = (handled + 1) % inOneStep;
  return handled === 0;
}

/** The shape of a field of an object: that of a named field, or that of all others. */
export const shapeOfField = (shape: ObjectShape, name: string): Shape => shape.field(name) ?? shape.others ?? leaf;

/** The shape by which a value is handled: a value of any type has the shape of what it is. */
export function shapeOfValue(shape: Shape, value: unknown): Shape {
  if (shape.kind === 'any') return isRecord(value) ? anyObject : leaf;
  if (shape.kind === 'object') return isRecord(value) ? shape : leaf;
  if (shape.kind === 'list') return Array.isArray(value) ? shape : leaf;
  return shape;
}

const anyObject: ObjectShape = { kind: 'object', field: () => undefined, others: anyValue };

/** Returns the paths that a write owns that adds a value: also those of the objects and lists with parts. */
export const addedPaths = (shape: Shape, value: unknown): Steps<FieldSet> => pathsIn(shape, value, true);

/**
 * Returns the paths that an applied configuration owns: leaves, the items of lists, and the entries of maps. Objects
 * with parts are owned only if they are empty.
 */
export const appliedPaths = (shape: Shape, value: unknown): Steps<FieldSet> => pathsIn(shape, value, false);

function* pathsIn(given: Shape, value: unknown, ownsContainers: boolean): Steps<FieldSet> {
  const shape = shapeOfValue(given, value);
  if (shape.kind === 'hidden') return none;
  if (shape.kind === 'object') return yield* pathsOfObject(shape, value as Record<string, unknown>, ownsContainers);
  if (shape.kind === 'list') return yield* pathsOfList(shape, value as unknown[], ownsContainers);
  // An absent value of an object or list is owned where it is named.
  return itself;
}

function* pathsOfObject(
  shape: ObjectShape,
  value: Readonly<Record<string, unknown>>,
  ownsContainers: boolean,
): Steps<FieldSet> {
  const branches = new Map<string, FieldSet>();
  let isBare = true;
  if (isTurn()) yield;
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (inner === undefined) continue;
    isBare = false;
    const named = shape.field(name);
    const fieldShape = named ?? shape.others ?? leaf;
    if (fieldShape.kind === 'hidden') continue;
    if (fieldShape.kind === 'leaf') {
      branches.set(`f:${name}`, itself);
      if (isTurn()) yield;
      continue;
    }
    const paths = yield* pathsIn(fieldShape, inner, ownsContainers);
    const isOwned = ownsContainers || named === undefined || (isRecord(inner) && isWithoutFields(inner));
    const all = isOwned ? setOf(true, paths.branches) : paths;
    if (all !== none) branches.set(`f:${name}`, all);
  }
  return setOf(ownsContainers && isBare, branches);
}

const isWithoutFields = (value: Readonly<Record<string, unknown>>): boolean => {
  for (const name in value) if (value[name] !== undefined) return false;
  return true;
};

function* pathsOfList(shape: ListShape, items: readonly unknown[], ownsContainers: boolean): Steps<FieldSet> {
  if (items.length === 0) return ownsContainers ? itself : none;
  const branches = new Map<string, FieldSet>();
  if (isTurn()) yield;
  for (let at = 0; at < items.length; at++) {
    if (isTurn()) yield;
    const step = stepTo(items[at], shape);
    // Items with the same keys have one owner.
    const paths = branches.has(step) ? none : yield* pathsIn(shape.items, items[at], ownsContainers);
    branches.set(step, setOf(true, paths.branches));
  }
  return setOf(false, branches);
}
