// Typed access to JSON values that can have any form.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** The maximum depth of what a target sends: more than any object of the API has, and little for recursive code. */
const deepest = 1_000;

/** Parses JSON of a target. Throws if it is malformed or nested too deeply. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayBeDeep(text) ? shallow(value) : value;
}

/** Reports whether a text opens so many objects and lists that they may be nested too deeply. */
function mayBeDeep(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > deepest) return true;
    }
  return false;
}

/** Returns a decoded value. Throws if it is nested too deeply: the functions that compare, merge and write values recurse. */
export function shallow(value: unknown): unknown {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw new Error(`nested more than ${deepest} levels deep`);
    const next: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null) for (const each of Object.values(one)) next.push(each);
    level = next;
  }
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path of keys and indexes; undefined if the path does not exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let here = value;
  for (const step of path) {
    if (typeof step === 'number') here = Array.isArray(here) ? here[step] : undefined;
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here as Json | undefined;
}

/** Returns the items of a list that are objects; empty if the value is no list. */
export const objectsIn = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** Returns the items of a list body that are objects; empty if the body has none. */
export const itemsOf = (list: unknown): JsonObject[] => objectsIn(at(list, 'items'));

/** Returns the deletion timestamp of an object; undefined if it was not deleted. Some servers write null for no time. */
export function endOf(object: unknown): string | undefined {
  const end = at(object, 'metadata', 'deletionTimestamp');
  return typeof end === 'string' ? end : undefined;
}

/** Reports whether an object is being deleted. */
export const isEnding = (object: unknown): boolean => endOf(object) !== undefined;

/** Returns the names of the items of a list body, in their order; empty if the body has none. */
export const namesIn = (list: unknown): string[] => itemsOf(list).map((item) => String(at(item, 'metadata', 'name')));

/** Merges two plain objects: values of `over` take precedence, objects are merged. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    result[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return result;
}

/** Metadata that servers and controllers change without a client. */
const volatile = new Set(['resourceVersion', 'annotations', 'managedFields', 'generation', 'selfLink']);

/**
 * Returns the part of an object that a client wrote: without the status, and without metadata and node taints that
 * controllers change.
 */
export function essence(object: unknown): JsonObject {
  if (!isObject(object)) return {};
  const { status: _, metadata, ...rest } = object;
  const kept = isObject(metadata) ? Object.entries(metadata).filter(([key]) => !volatile.has(key)) : [];
  return { ...rest, ...withoutTaints(rest.spec), metadata: Object.fromEntries(kept) };
}

/** Returns the spec without taints if all taints are those that a controller adds for conditions of nodes. */
function withoutTaints(spec: unknown): JsonObject {
  if (!isObject(spec) || !Array.isArray(spec.taints)) return {};
  const { taints, ...kept } = spec;
  const isControllers = (taint: Json): boolean => String(at(taint, 'key')).startsWith('node.kubernetes.io/');
  return Array.isArray(taints) && taints.every(isControllers) ? { spec: kept } : {};
}

/**
 * Returns the items of a list that have the names of the expected ones: the admission of many clusters adds containers,
 * volumes and variables to pods. A list without names, or without one of the expected items, is returned as it is.
 */
function withoutAdded(actual: readonly Json[], expected: readonly Json[]): readonly Json[] {
  const names: readonly unknown[] = expected.map((item) => at(item, 'name'));
  if (names.some((name) => typeof name !== 'string')) return actual;
  const kept = actual.filter((item) => names.includes(at(item, 'name')));
  return kept.length === expected.length ? kept : actual;
}

/** The lists of Endpoints are sets, which older servers sort by a hash. */
const isSet = /^subsets(\[\d+\]\.ports)?$/;

/** Returns the items of a list at a path: those of a set in the order of the expected ones that they are equal to. */
export function inOrder(
  path: string,
  actual: readonly Json[],
  expected: readonly Json[],
  isEqual: (item: Json, expected: Json) => boolean,
): readonly Json[] {
  if (!isSet.test(path) || actual.length !== expected.length) return actual;
  const left = [...actual];
  return expected.flatMap((one) => {
    const index = left.findIndex((item) => isEqual(item, one));
    return left.splice(Math.max(index, 0), 1);
  });
}

/**
 * Returns the first path at which `actual` lacks a value of `expected`; undefined if there is none. Objects of `actual`
 * may have more members, and the named lists in the spec of a Pod more items.
 */
export function missing(
  actual: unknown,
  expected: Json | undefined,
  path = '',
  grows = [actual, expected].some((object) => at(object, 'kind') === 'Pod'),
): string | undefined {
  if (isObject(expected)) {
    if (!isObject(actual)) return `${path || '(body)'} is ${brief(actual)}, not an object`;
    for (const [key, value] of Object.entries(expected)) {
      const found = missing(actual[key], value, path ? `${path}.${key}` : key, grows);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(expected)) {
    const kept = grows && path.startsWith('spec.') && Array.isArray(actual) ? withoutAdded(actual, expected) : actual;
    if (!Array.isArray(kept) || kept.length !== expected.length) {
      return `${path} is ${brief(actual)}, not a list of ${expected.length}`;
    }
    const holds = (item: Json, one: Json) => missing(item, one, `${path}[0]`, grows) === undefined;
    const items = inOrder(path, kept, expected, holds);
    for (const [index, value] of expected.entries()) {
      const found = missing(items[index], value, `${path}[${index}]`, grows);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return actual === expected ? undefined : `${path || '(body)'} is ${brief(actual)}, not ${brief(expected)}`;
}

/** Returns the first path at which two values differ, in words; undefined if they are deeply equal. */
export function difference(actual: unknown, expected: unknown, path = ''): string | undefined {
  const here = path === '' ? '(body)' : path;
  const isList = Array.isArray(expected);
  if (isList !== Array.isArray(actual) || !(isList || (isObject(expected) && isObject(actual))))
    return actual === expected ? undefined : `${here} is ${brief(actual)}, not ${brief(expected)}`;
  const [left, right] = [Object(actual) as JsonObject, Object(expected) as JsonObject];
  for (const key of new Set([...Object.keys(right), ...Object.keys(left)])) {
    const below = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const [mine, theirs] = [left, right].map((object) => (Object.hasOwn(object, key) ? object[key] : undefined));
    const found = difference(mine, theirs, below);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a value for a message: JSON, cut at 200 characters. */
export function brief(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

// One decoder for all bodies, because making a decoder costs more than a short text.
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of UTF-8. Throws if the bytes are malformed. */
export const utf8Of = (bytes: Uint8Array): string => decoder.decode(bytes);
