// Edits of JSON objects. A path names a field by dots; `*` stands for each item of a list, or each
// field of an object: `spec.containers.*.image`.
import { at, isObject, itemsOf, type Json, type JsonObject } from '../../../client/json.js';

export type Edit = (object: JsonObject) => JsonObject;

/** A JSON value, or undefined for a field that is absent. */
type Value = Json | undefined;

/** Changes the value at a path; undefined removes the field or the item. Creates missing parents. */
export const change = (path: string, to: (value: Value, object: JsonObject) => Value) => (object: JsonObject) => {
  const changed = changedAt(object, stepsOf(path), (value) => to(value, object));
  return isObject(changed) ? changed : {};
};

function changedAt(value: Value, [step, ...rest]: readonly string[], to: (value: Value) => Value): Value {
  if (step === undefined) return to(value);
  if (step === '*') return changedEach(value, (item) => changedAt(item, rest, to));
  const object = isObject(value) ? value : {};
  const changed = changedAt(object[step], rest, to);
  if (changed !== undefined) return { ...object, [step]: changed };
  return isObject(value) ? without(value, step) : value;
}

function changedEach(value: Value, to: (value: Value) => Value): Value {
  if (Array.isArray(value)) return value.flatMap((item) => to(item) ?? []);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, to(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

/** Sets a field. */
export const set = (path: string, value: Json): Edit => change(path, () => value);

/** Sets a field to the value of another one. */
export const copy = (path: string, from: string): Edit => change(path, (_, object) => valueAt(object, from));

/** Sets a field to the result of a function of its text. */
export const text = (path: string, to: (text: string) => string): Edit => change(path, (value) => to(String(value)));

/** An edit of a text, which replaces what matches. */
export const replacing =
  (from: string | RegExp, to: string | ((match: string, group: string) => string)) =>
  (text: string): string =>
    typeof to === 'string' ? text.replace(from, to) : text.replace(from, to);
export const lowerCase = (text: string) => text.toLowerCase();

/** Drops fields. */
export const drop = (...paths: readonly string[]): Edit => all(...paths.map((path) => change(path, () => undefined)));

/** Shows a field as it was the time before. */
export const lagging = (path: string): Edit => {
  let before: Value;
  return change(path, (now) => {
    const shown = before ?? now;
    before = now;
    return shown;
  });
};

/**
 * Keeps the value of a field (`note`), and sets the field to this value where an object of the same name is seen later, or
 * one without a name (`put`): what an object of an earlier try had is not shown in another.
 */
export const memory = (path: string): { readonly note: Edit; readonly put: Edit } => {
  let last: Value;
  const noted = new Map<Value, Value>();
  const nameOf = (object: JsonObject): Value => valueAt(object, 'metadata.name');
  const note = change(path, (value, object) => {
    last = value;
    noted.set(nameOf(object), value);
    return value;
  });
  const put = change(path, (value, object) => {
    const name = nameOf(object);
    return (name === undefined ? last : noted.get(name)) ?? value;
  });
  return { note, put };
};

/** Edits each object of a list. */
export const inEach = (path: string, edit: Edit): Edit =>
  change(path, (list) => (Array.isArray(list) ? list.map((item) => (isObject(item) ? edit(item) : item)) : list));
/** Edits each object of a list but the first. */
export const inLater = (path: string, edit: Edit): Edit =>
  change(path, (list) =>
    Array.isArray(list) ? list.map((item, index) => (index > 0 && isObject(item) ? edit(item) : item)) : list,
  );
/** Keeps only the first item of a list. */
export const keepFirst = (path: string): Edit =>
  change(path, (value) => (Array.isArray(value) ? value.slice(0, 1) : value));

/** Edits the items of a list body. */
export const items = (to: (items: readonly JsonObject[]) => readonly JsonObject[]) => (body: JsonObject) =>
  isList(body) ? { ...body, items: to(itemsOf(body)) } : body;

/** Leaves no item in a list body. */
export const emptied = items(() => []);
/** Repeats each item of a list body. */
export const twice = items((all) => all.flatMap((item) => [item, item]));
/** Leaves out the items of a list in which a field has a value. */
export const dropItems = (path: string, field: string, value: Json): Edit =>
  change(`${path}.*`, (item) => (valueAt(item, field) === value ? undefined : item));

/** Applies one edit after the other. */
export const all =
  (...edits: readonly Edit[]) =>
  (object: JsonObject) =>
    edits.reduce((edited, edit) => edit(edited), object);

/** Edits only objects with this value in a field, or with a value that the function accepts. */
export const where = (path: string, is: Value | ((value: Value) => boolean), edit: Edit) => (object: JsonObject) => {
  const value = valueAt(object, path);
  return (typeof is === 'function' ? is(value) : value === is) ? edit(object) : object;
};

/** For `where`: a field that is there. */
export const isGiven = (value: Value): boolean => value !== undefined;

/** Edits only objects of a kind. */
export const of = (kind: string, edit: Edit): Edit => where('kind', kind, edit);

/** Returns the steps of a path; a dot after a backslash belongs to a name. */
const stepsOf = (path: string): string[] => path.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'));
/** Returns the value at a path; a number selects an item of a list. */
export const valueAt = (object: unknown, path: string): Value =>
  at(object, ...stepsOf(path).map((step) => (/^\d+$/.test(step) ? Number(step) : step)));

const isList = (body: JsonObject): boolean => Array.isArray(body.items);
const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== key));
/** Decodes a text as JSON; undefined for any other text. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
/** Decodes a text as a JSON object; empty for any other text. */
export function parsed(text: string): JsonObject {
  const value = fromJson(text);
  return isObject(value) ? value : {};
}
