// Lists in a strategic merge: items match by merge key or, for plain values, by value. Each match is one look-up.
import { badRequest } from '../errors.js';
import { excerpt } from '../excerpt.js';
import { canonicalText, isRecord } from '../schema/object.js';

type Item = Readonly<Record<string, unknown>>;

export interface ListMerge {
  readonly original: readonly unknown[];
  /** The items of the patch; undefined if it only orders the list. */
  readonly patch: readonly unknown[] | undefined;
  /** The order of the result, from `$setElementOrder`. */
  readonly elements: readonly unknown[] | undefined;
  /** The merge key of the items; undefined for a list of plain values. */
  readonly key: string | undefined;
  merge(original: Item, patch: Item): Item;
}

/**
 * Returns the merged list. Several items may have one merge key: the first of them is merged with each of the patch.
 * Throws 400 if an item lacks its merge key or the order is not that of `$setElementOrder`.
 */
export function mergeLists({ original, patch, elements, key, merge }: ListMerge): readonly unknown[] {
  if (patch === undefined) return elements ? ordered(original, elements, original, key) : original;
  const { merged, deleted, replaced } = readDirectives(patch, key);
  if (elements) requireOrder(patch, elements, key);
  let all: readonly unknown[];
  // There is nothing to merge with, so the patch's items are kept as they are, even duplicates of a merge key.
  if (replaced || original.length === 0) all = merged.map((item) => (isRecord(item) ? merge({}, item) : item));
  else {
    const gone = places(deleted, key);
    const base = gone.size === 0 ? original : original.filter((item) => !gone.has(identity(item, key)));
    all = ordered(itemsOfBoth(base, merged, key, merge), merged, base, key);
  }
  return elements ? ordered(all, elements, original, key) : all;
}

/** Merges each item of a patch with the first item of its identity, or adds it. Plain values occur once. */
function itemsOfBoth(
  base: readonly unknown[],
  patch: readonly unknown[],
  key: string | undefined,
  merge: ListMerge['merge'],
): readonly unknown[] {
  if (key === undefined) {
    const distinct = new Map<string, unknown>();
    for (const item of [...base, ...patch]) {
      const id = identity(item, key);
      if (!distinct.has(id)) distinct.set(id, item);
    }
    return [...distinct.values()];
  }
  const all = [...base];
  const at = places(base, key);
  for (const item of patch) {
    const id = identity(item, key);
    const place = at.get(id);
    if (place === undefined) at.set(id, all.length);
    const same = place === undefined ? undefined : all[place];
    all[place ?? all.length] = isRecord(item) ? merge(isRecord(same) ? same : {}, item) : item;
  }
  return all;
}

/** The index of the first item of each identity. */
function places(items: readonly unknown[], key: string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const id = identity(item, key);
    if (!found.has(id)) found.set(id, at);
  }
  return found;
}

/**
 * Orders items: those that are in `by` as there, the others as in the list before, between those that come after them
 * there.
 */
function ordered(
  items: readonly unknown[],
  by: readonly unknown[],
  before: readonly unknown[],
  key: string | undefined,
): readonly unknown[] {
  const [wanted, earlier] = [places(by, key), places(before, key)];
  const named: Placed[] = [];
  const others: Placed[] = [];
  for (const item of items) {
    const id = identity(item, key);
    const place = wanted.get(id);
    const was = earlier.get(id) ?? -1;
    if (place === undefined) others.push({ item, place: was, was });
    else named.push({ item, place, was });
  }
  for (const list of [named, others]) list.sort((one, other) => one.place - other.place);
  return interleave(named, others);
}

/** An item, the place by which it is sorted, and its place in the list before, or -1. */
interface Placed {
  readonly item: unknown;
  readonly place: number;
  readonly was: number;
}

/**
 * Returns the identity of an item, as text: equal items have the same one. Throws 400 for an item that has no merge
 * key, though the list has one.
 */
function identity(item: unknown, key: string | undefined): string {
  if (key === undefined) return canonicalText(item);
  if (!isRecord(item)) throw badRequest(`${excerpt(item)} is not a map, which would have the merge key ${key}`);
  const value = item[key];
  if (value === undefined) throw badRequest(`map: ${excerpt(item)} does not contain declared merge key: ${key}`);
  return canonicalText(value);
}

interface Directives {
  readonly merged: readonly unknown[];
  readonly deleted: readonly unknown[];
  readonly replaced: boolean;
}

function readDirectives(patch: readonly unknown[], key: string | undefined): Directives {
  const merged: unknown[] = [];
  const deleted: unknown[] = [];
  let replaced = false;
  for (const item of patch) {
    if (!isRecord(item)) {
      if (item === null || Array.isArray(item)) throw badRequest('an item of a merged list is an object or a value');
      merged.push(item);
      continue;
    }
    const { $patch: how, ...fields } = item;
    if (how === 'replace') {
      replaced = true;
    } else if (how === 'delete') {
      deleted.push(fields);
    } else if (how === undefined || how === 'merge') {
      if (key !== undefined) identity(fields, key);
      merged.push(fields);
    } else throw badRequest(`unknown patch type: ${excerpt(how)} in map: ${excerpt(item)}`);
  }
  return { merged, deleted, replaced };
}

/** Throws 400 if the patch's items are not in the requested order. */
export function requireOrder(patch: readonly unknown[], elements: readonly unknown[], key: string | undefined): void {
  const ids = elements.map((element) => identity(element, key));
  let at = 0;
  for (const item of patch) {
    if (isRecord(item) && item.$patch !== undefined) continue;
    const id = identity(item, key);
    while (at < ids.length && ids[at] !== id) at++;
    at++;
    if (at > ids.length) throw badRequest("The order in patch list doesn't match $setElementOrder list");
  }
}

/** Merges the named items with the others, which keep their places relative to the named ones. New items come first. */
function interleave(named: readonly Placed[], others: readonly Placed[]): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const { item, was } of named) {
    for (let other = others[next]; other !== undefined && other.was < was; other = others[next]) {
      result.push(other.item);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next).map(({ item }) => item)];
}
