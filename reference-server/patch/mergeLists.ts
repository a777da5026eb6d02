// Lists in a strategic merge: items match by merge key or, for plain values, by value. Each match is one look-up.
import { badRequest } from '../errors.js';
import { excerpt } from '../excerpt.js';
import { canonicalText, isRecord } from '../schema/object.js';

type Item = Readonly<Record<string, unknown>>;

export interface ListMerge {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
  /** The order of the result, from `$setElementOrder`. */
  readonly elements: readonly unknown[] | undefined;
  /** The merge key of the items; undefined for a list of plain values. */
  readonly key: string | undefined;
  merge(original: Item, patch: Item): Item;
}

/**
 * Returns the merged list. Throws 400 if an item lacks its merge key or the order is not that of `$setElementOrder`.
 */
export function mergeLists({ original, patch, elements, key, merge }: ListMerge): readonly unknown[] {
  const directives = readDirectives(patch, key);
  const index = (items: readonly unknown[]) => indexed(items, key);
  const gone = index(directives.deleted);
  const kept = gone.size === 0 ? original : original.filter((item) => !gone.has(identity(item, key)));
  const base = directives.replaced ? [] : kept;
  // There is nothing to merge with, so the patch's items are kept as they are, even duplicates of a merge key.
  if (base.length === 0 && elements === undefined) {
    return directives.merged.map((item) => (isRecord(item) ? merge({}, item) : item));
  }
  if (directives.merged.length === 0 && elements === undefined) return base;
  const before = index(base);
  const merged = directives.merged.map((item) => {
    if (!isRecord(item)) return item;
    const same = before.get(identity(item, key))?.item;
    return merge(isRecord(same) ? same : {}, item);
  });
  const after = index(merged);
  const newcomers = [...after].filter(([id]) => !before.has(id)).map(([, { item }]) => item);
  const all = [...base.map((item) => after.get(identity(item, key))?.item ?? item), ...newcomers];
  if (elements) requireOrder(patch, elements, key);
  const present = index(all);
  const named = new Map<string, unknown>();
  for (const element of elements ?? merged) {
    const id = identity(element, key);
    const found = present.get(id);
    if (found !== undefined) named.set(id, found.item);
  }
  const chosen = new Set(named.values());
  const position = (item: unknown) => before.get(identity(item, key))?.at ?? -1;
  const others = all.filter((item) => !chosen.has(item));
  return interleave([...named.values()], others, position);
}

/** The first item of each identity, with its index. */
type Index = ReadonlyMap<string, { readonly item: unknown; readonly at: number }>;

function indexed(items: readonly unknown[], key: string | undefined): Index {
  const index = new Map<string, { readonly item: unknown; readonly at: number }>();
  for (const [at, item] of items.entries()) {
    const id = identity(item, key);
    if (!index.has(id)) index.set(id, { item, at });
  }
  return index;
}

/**
 * Returns the identity of an item, as text: equal items have the same one. Throws 400 for an item without its merge
 * key.
 */
function identity(item: unknown, key: string | undefined): string {
  if (!isRecord(item) || key === undefined) return canonicalText(item);
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
      if (Object.keys(fields).length > 0) merged.push(fields);
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
function requireOrder(patch: readonly unknown[], elements: readonly unknown[], key: string | undefined): void {
  const ids = elements.map((element) => identity(element, key));
  let at = 0;
  for (const item of patch) {
    if (isRecord(item) && item.$patch !== undefined) continue;
    const id = identity(item, key);
    while (at < ids.length && ids[at] !== id) at++;
    if (at === ids.length) throw badRequest("The order in patch list doesn't match $setElementOrder list");
  }
}

/**
 * Merges the named items with the others, which keep their positions relative to the named items. New items come first.
 */
function interleave(
  named: readonly unknown[],
  others: readonly unknown[],
  position: (item: unknown) => number,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    const place = position(item);
    while (next < others.length && position(others[next]) < place) result.push(others[next++]);
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
