// The change of a list in an object: its items by a key, with what is changed, removed, new, or in another order.
import { isObject, type Json, type JsonObject, missing } from '../client/json.js';
import { mergedWithout } from '../objects/effects/index.js';

/** A key, or the list item that contains these values. */
export type Step = string | JsonObject;

type Items = readonly Json[];

/** Returns the change of an object that edits one of its lists. */
export const inList =
  (path: readonly Step[], ...edits: readonly ((items: Items) => Items)[]) =>
  (before: JsonObject): JsonObject =>
    changedAt(before, path, (list) => edits.reduce<Items>((items, edit) => edit(items), itemsOf(list))) as JsonObject;

/** Returns the change of an object that replaces one of its values whole. */
export const replacedAt =
  (path: readonly Step[], value: Json) =>
  (before: JsonObject): JsonObject =>
    changedAt(before, path, () => value) as JsonObject;

const itemsOf = (value: Json | undefined): Items => (Array.isArray(value) ? value : []);

/** Merges items into those with the same key, and adds what is new at the end. */
export const merged =
  (by: string, ...changes: readonly JsonObject[]) =>
  (items: Items): Items => {
    const keys = new Set(items.map((item) => keyOf(item, by)));
    const changeOf = (item: Json): JsonObject => changes.find((one) => one[by] === keyOf(item, by)) ?? {};
    return [
      ...items.map((item) => (isObject(item) ? mergedWithout(item, changeOf(item)) : item)),
      ...changes.filter((one) => !keys.has(one[by])),
    ];
  };

/** Removes the item with this key. */
export const removed =
  (by: string, key: Json) =>
  (items: Items): Items =>
    items.filter((item) => keyOf(item, by) !== key);

/** Puts the items with these keys first, in this order. */
export const ordered =
  (by: string, ...keys: Items) =>
  (items: Items): Items => {
    const place = (item: Json): number => {
      const index = keys.indexOf(keyOf(item, by) ?? null);
      return index < 0 ? keys.length : index;
    };
    return [...items].sort((one, other) => place(one) - place(other));
  };

/** Puts the items in an order of their own, for a comparison without order. */
export const sorted = (items: Items): Items => [...items].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));

/** Returns a text that does not depend on the order of the keys, nor on a field that is empty. */
const textOf = (item: Json): string =>
  JSON.stringify(
    isObject(item)
      ? Object.entries(item)
          .filter(([, value]) => !['null', '{}', '[]'].includes(JSON.stringify(value)))
          .sort()
      : item,
  );

/** Adds a container, with the fields that the server sets in the first one. */
export const withContainer =
  (container: JsonObject) =>
  (items: Items): Items => [...items, asTheFirst(items[0], container)];

/** Leaves only one container, with the fields that the server sets in the first one. */
export const onlyContainer =
  (container: JsonObject) =>
  (items: Items): Items => [asTheFirst(items[0], container)];

const setByServers = ['resources', 'terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy'];

function asTheFirst(first: Json | undefined, container: JsonObject): JsonObject {
  const set = Object.entries(isObject(first) ? first : {}).filter(([key]) => setByServers.includes(key));
  return { ...Object.fromEntries(set), ...container };
}

const keyOf = (item: Json, by: string): Json | undefined => (isObject(item) ? item[by] : undefined);

function changedAt(value: Json | undefined, path: readonly Step[], edit: (value: Json | undefined) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return edit(value);
  if (typeof step === 'string') {
    const object = isObject(value) ? value : {};
    return { ...object, [step]: changedAt(object[step], rest, edit) };
  }
  return itemsOf(value).map((item) => (missing(item, step) === undefined ? changedAt(item, rest, edit) : item));
}
