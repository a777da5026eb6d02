// Lists of a strategic merge: items are found by their merge key, or are values of their own.
import { badRequest } from '../errors.js';
import { equal, isRecord } from '../schema/object.js';

type Item = Readonly<Record<string, unknown>>;

export interface ListMerge {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
  /** The order that the result is to have, as `$setElementOrder` gives it. */
  readonly elements: readonly unknown[] | undefined;
  /** What tells items apart; none for a list of plain values. */
  readonly key: string | undefined;
  merge(original: Item, patch: Item): Item;
}

/** The merged list. */
export function mergeLists(lists: ListMerge): readonly unknown[] {
  const { original, patch, elements, key } = lists;
  const same = (one: unknown, other: unknown) => equal(identity(one, key), identity(other, key));
  const items = readDirectives(lists, same);
  const kept = original.filter((item) => !items.deleted.some((gone) => same(gone, item)));
  const base = items.replaced ? [] : kept;
  const merged = items.merged.map((item) => {
    const before = base.find((candidate) => same(candidate, item));
    return isRecord(item) ? lists.merge(isRecord(before) ? before : {}, item) : item;
  });
  // Nothing to merge with: what comes is kept as it is, even what a merge key does not tell apart.
  if (base.length === 0 && elements === undefined) return merged;
  const all = [
    ...base.map((item) => merged.find((next) => same(next, item)) ?? item),
    ...newcomers(merged, base, same),
  ];
  if (elements) requireOrder(patch, elements, same);
  const ordered = elements ?? merged;
  const named = ordered.flatMap((element) => all.filter((item) => same(item, element)).slice(0, 1));
  const others = all.filter((item) => !named.includes(item));
  return interleave(unique(named, same), others, base, same);
}

type Same = (one: unknown, other: unknown) => boolean;

const unique = (items: readonly unknown[], same: Same) =>
  items.filter((item, index) => items.findIndex((other) => same(other, item)) === index);

const newcomers = (merged: readonly unknown[], base: readonly unknown[], same: Same) =>
  unique(
    merged.filter((item) => !base.some((before) => same(before, item))),
    same,
  );

function identity(item: unknown, key: string | undefined): unknown {
  if (!isRecord(item)) return item;
  if (key === undefined) return item;
  const value = item[key];
  if (value === undefined) throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
  return value;
}

interface Directives {
  readonly merged: readonly unknown[];
  readonly deleted: readonly unknown[];
  readonly replaced: boolean;
}

function readDirectives({ patch, key }: ListMerge, same: Same): Directives {
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
      same(fields, fields);
      deleted.push(fields);
    } else if (how === undefined || how === 'merge') {
      if (key !== undefined) identity(fields, key);
      merged.push(fields);
    } else throw badRequest(`unknown patch type: ${String(how)} in map: ${JSON.stringify(item)}`);
  }
  return { merged, deleted, replaced };
}

/** What is patched must be in the order that is asked for. */
function requireOrder(patch: readonly unknown[], elements: readonly unknown[], same: Same): void {
  let at = 0;
  for (const item of patch) {
    if (isRecord(item) && item.$patch !== undefined) continue;
    while (at < elements.length && !same(elements[at], item)) at++;
    if (at === elements.length) throw badRequest("The order in patch list doesn't match $setElementOrder list");
  }
}

/** Items that the patch does not name keep their place before or after those it does; new ones come first. */
function interleave(
  named: readonly unknown[],
  others: readonly unknown[],
  base: readonly unknown[],
  same: Same,
): unknown[] {
  const place = (item: unknown) => base.findIndex((before) => same(before, item));
  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    while (next < others.length && place(others[next]) < place(item)) result.push(others[next++]);
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
