// What a create adds: a set of paths for each form of object, made once. Programs create many objects of one form.
import { isRecord, type KubeObject } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { changedPaths, compare } from './compare.js';
import type { FieldSet } from './fieldSet.js';
import { shapeOfField, shapeOfValue } from './owned.js';
import type { ObjectShape, Shape } from './shape.js';
import { stepTo } from './steps.js';

/** The sets of each shape, by the forms of objects. */
const known = new WeakMap<ObjectShape, Map<string, FieldSet>>();
/** The most forms of a shape, and the most characters and parts of one. */
const most = { forms: 200, characters: 4_000, parts: 300 } as const;

/** Returns the paths that an object has and an empty one has not. Throws BadItem. */
export function* addedBy(shape: ObjectShape, empty: KubeObject, object: KubeObject): Steps<FieldSet> {
  const form = formOf(shape, object);
  const found = form === undefined ? undefined : known.get(shape)?.get(form);
  if (found !== undefined) return found;
  const set = changedPaths(yield* compare(shape, empty, object));
  if (form !== undefined) remember(shape, form, set);
  return set;
}

function remember(shape: ObjectShape, form: string, set: FieldSet): void {
  const ofShape = known.get(shape) ?? new Map<string, FieldSet>();
  if (ofShape.size >= most.forms) ofShape.clear();
  known.set(shape, ofShape.set(form, set));
}

/** Reports whether a value may be one that every object has. */
const isZero = (value: unknown): boolean =>
  value === '' || value === 0 || value === false || (isRecord(value) && !Object.values(value).some(isGiven));
const isGiven = (value: unknown): boolean => value !== undefined;

/**
 * Returns the text of what decides the paths of an object: its fields, and the steps to its items. Undefined for a large
 * object, which is compared in turns. Throws BadItem.
 */
function formOf(shape: ObjectShape, object: KubeObject): string | undefined {
  let text = '';
  let parts = 0;
  const isLarge = (): boolean => parts > most.parts || text.length > most.characters;
  const add = (given: Shape, value: unknown): void => {
    parts += 1;
    if (isLarge()) return;
    const own = shapeOfValue(given, value);
    if (own.kind === 'object' && isRecord(value)) {
      text += '{';
      for (const name in value) {
        if (value[name] === undefined || !Object.hasOwn(value, name)) continue;
        const field = shapeOfField(own, name);
        if (field.kind === 'hidden') continue;
        text += `${name.length}:${name}`;
        add(field, value[name]);
      }
      text += '}';
    } else if (own.kind === 'list' && Array.isArray(value)) {
      text += '[';
      for (const item of value) {
        if (isLarge()) return;
        const step = stepTo(item, own);
        text += `${step.length}:${step}`;
        add(own.items, item);
      }
      text += ']';
    } else text += value === null ? 'n' : isZero(value) ? 'z' : 'v';
  };
  add(shape, object);
  return isLarge() ? undefined : text;
}
