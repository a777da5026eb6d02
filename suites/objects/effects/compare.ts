// Compares whole objects: each member of either side must be in the other, but for the bookkeeping of a write.
import { fail } from '../../client/expect.js';
import { at, brief, inOrder, isObject, type Json, type JsonObject } from '../../client/json.js';

/** What a write makes of an object: members to merge (undefined removes one), or a function of the state before. */
export type Change = JsonObject | ((before: JsonObject) => JsonObject);

/** Metadata in which a server notes that it wrote. */
const notes = new Set(['resourceVersion', 'generation', 'managedFields', 'selfLink']);

/** Counters of writes to a template, which a server raises by one: each stands in the object that it counts for. */
const counters: readonly (readonly string[])[] = [
  ['spec', 'templateGeneration'],
  ['metadata', 'annotations', 'deprecated.daemonset.template.generation'],
];

/**
 * Throws Failure unless `after` is `before` with the change: whole, in both directions, but for the bookkeeping of a
 * write. A map or list that the change empties may be absent. `what` names the write and where the state was seen.
 */
export function isChange(before: JsonObject | undefined, after: unknown, change: Change, what: string): void {
  const start = before ?? {};
  const expected = typeof change === 'function' ? change(start) : mergedWithout(start, change);
  const found = differenceAfterWrite(after, expected, start);
  if (found !== undefined) fail(`${what}: ${found}`);
}

/** Throws Failure unless two objects are the same in each member, versions and bookkeeping included. */
export function isSame(actual: unknown, expected: unknown, what: string): void {
  const found = difference(actual, expected);
  if (found !== undefined) fail(`${what}: ${found}`);
}

/**
 * Returns the first difference between the state after a write and the expected state, but for the bookkeeping, in
 * words. What was not empty `before` may be absent instead of empty.
 */
export function differenceAfterWrite(after: unknown, expected: JsonObject, before: JsonObject): string | undefined {
  return difference(withoutNotes(counted(after, expected)), withoutNotes(expected), { before });
}

/** Merges as a merge patch does, with undefined for null: a member that is undefined in `change` is removed. */
export function mergedWithout(before: JsonObject, change: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...before };
  for (const [key, value] of Object.entries(change)) {
    const old = result[key];
    if (value === undefined) delete result[key];
    else result[key] = isObject(value) ? mergedWithout(isObject(old) ? old : {}, value) : value;
  }
  return result;
}

/**
 * Returns the first path at which two values differ, in words; undefined if they are equal. A member that is null is an
 * absent one: some servers write it so in JSON, and protobuf has no null. With the value `before`, an empty map or list
 * equals an absent one, unless it was there before and is lost.
 */
export function difference(
  actual: unknown,
  expected: unknown,
  since?: { readonly before: unknown },
  path = '',
): string | undefined {
  if ((actual ?? undefined) === (expected ?? undefined)) return undefined;
  const inner = (key: string, at: string): string | undefined =>
    difference(own(actual, key), own(expected, key), since && { before: own(since.before, key) }, at);
  if (isObject(actual) && isObject(expected)) {
    const added = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
    for (const key of [...Object.keys(expected), ...added]) {
      const found = inner(key, path ? `${path}.${key}` : key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    const isEqual = (item: Json, one: Json) => difference(item, one, undefined, `${path}[0]`) === undefined;
    for (const [index, item] of inOrder(path, actual, expected, isEqual).entries()) {
      const before = since && { before: own(since.before, String(index)) };
      const found = difference(item, expected[index], before, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (path === 'metadata.selfLink' && linked(actual) === linked(expected)) return undefined;
  const isLost = actual === undefined && since?.before !== undefined && isEmpty(since.before);
  if (since !== undefined && isEmpty(actual) && isEmpty(expected) && !isLost) return undefined;
  return `${path || '(body)'} is ${brief(actual)}, not ${brief(expected)}`;
}

/** Returns the selfLink of the object itself: before 1.20, a response about a status has the path of its request. */
const linked = (selfLink: unknown): unknown =>
  typeof selfLink === 'string' ? selfLink.replace(/\/status$/, '') : selfLink;

const own = (value: unknown, key: string): unknown =>
  Object.hasOwn(Object(value), key) ? (value as JsonObject)[key] : undefined;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.values(value).every((member) => member === undefined));

function withoutNotes(object: unknown): unknown {
  if (!isObject(object) || !isObject(object.metadata)) return object;
  const kept = Object.entries(object.metadata).filter(([key]) => !notes.has(key));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** Returns the object with each counter that was raised by one set back. */
function counted(after: unknown, expected: JsonObject): unknown {
  return counters.reduce<unknown>((object, path) => {
    const [now, old] = [at(object, ...path), at(expected, ...path)];
    if (now === old || old === undefined || Number(now) !== Number(old) + 1) return object;
    return mergedWithout(
      object as JsonObject,
      path.reduceRight<Json>((value, key) => ({ [key]: value }), old) as JsonObject,
    );
  }, after);
}
