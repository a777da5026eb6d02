// The values of lists that are sets, and of those that are maps by the keys of their items.
import { type Causes, collectCauses } from '../../schema/causes.js';
import { canonicalText, isRecord, own } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { type StructuralSchema, somewhere } from './structuralSchema.js';

/** Reports whether a node, or one inside of it, is a set, or a map by keys. */
const hasLists = somewhere((node) => ['set', 'map'].includes(node['x-kubernetes-list-type'] ?? ''));

/**
 * Adds a cause for each item that is in a list twice, in steps. No list is looked at if the object had such items before:
 * it must be possible to change it.
 */
export function* checkLists(schema: StructuralSchema, value: unknown, before: unknown, causes: Causes): Steps<void> {
  if (!hasLists(schema)) return;
  const found = causes.part();
  yield* collectCauses(found, checkNode(schema, value, '', found));
  if (found.list.length === 0) return;
  const old = causes.part();
  yield* collectCauses(old, checkNode(schema, before, '', old));
  if (old.list.length === 0) for (const cause of found.list) causes.add(cause);
}

/** Checks a value of a node that has such lists. */
function* checkNode(schema: StructuralSchema, value: unknown, field: string, causes: Causes): Steps<void> {
  yield;
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    yield* checkItems(schema, value, field, causes);
    if (!isRecord(items) || !hasLists(items)) return;
    for (const [index, item] of value.entries()) yield* checkNode(items, item, `${field}[${index}]`, causes);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) {
      const named = own(properties, name) as StructuralSchema | undefined;
      const node = named ?? (isRecord(additionalProperties) ? additionalProperties : undefined);
      if (node === undefined || !hasLists(node)) continue;
      const path = named === undefined ? `${field}[${name}]` : field === '' ? name : `${field}.${name}`;
      yield* checkNode(node, value[name], path, causes);
    }
  }
}

function* checkItems(schema: StructuralSchema, items: readonly unknown[], field: string, causes: Causes): Steps<void> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'set') yield* requireDistinct(items, (item) => item, field, causes);
  if (listType !== 'map') return;
  const wrong = items.findIndex((item) => item !== null && !isRecord(item));
  if (wrong !== -1) {
    causes.invalid(`${field}[${wrong}]`, items[wrong], 'must be an object for an array of list-type map');
    return;
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (item: unknown) =>
    Object.fromEntries(keys.flatMap((key) => (isRecord(item) && Object.hasOwn(item, key) ? [[key, item[key]]] : [])));
  yield* requireDistinct(items, keyOf, field, causes);
}

/** Names the second of several equal items. */
function* requireDistinct(
  items: readonly unknown[],
  of: (item: unknown) => unknown,
  field: string,
  causes: Causes,
): Steps<void> {
  const times = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    if (index % 64 === 63) yield;
    const key = of(item);
    const text = canonicalText(key);
    const before = times.get(text) ?? 0;
    if (before === 1) causes.duplicate(`${field}[${index}]`, key);
    times.set(text, before + 1);
  }
}
