// Strategic merge patch: a merge patch that merges lists by the merge keys of the field table, and has directives.
import { type Field, isTypeName, type Type, typeOf } from '../../matrix/api/modern/index.js';
import { badRequest } from '../errors.js';
import { cut, excerpt } from '../excerpt.js';
import { canonicalText, isRecord, own, setOwn } from '../schema/object.js';
import { fieldsByName } from '../schema/unknownFields.js';
import { mergeLists, requireOrder } from './mergeLists.js';

export type Json = Readonly<Record<string, unknown>>;

const directive = '$patch';
const retain = '$retainKeys';
const order = '$setElementOrder/';
const remove = '$deleteFromPrimitiveList/';

/**
 * Returns an object of a type with the patch merged in. Changes neither. Without a type, lists are replaced. If
 * `younger` is false, all directives except `$patch` are ordinary fields. Throws 400 for an invalid directive.
 */
export function strategicMerge(original: Json, patch: Json, type: Type | undefined, younger = true): Json {
  const how = patch[directive];
  // What replaces is taken as it is: there is nothing that a null could remove.
  if (how === 'replace') return without(patch, directive);
  if (how === 'delete') return {};
  if (how !== undefined && how !== 'merge') throw badRequest(`unknown patch type: ${excerpt(how)}`);
  const result: Record<string, unknown> = { ...(younger ? retained(original, patch) : original) };
  const orders = new Map<string, readonly unknown[]>();
  for (const name of Object.keys(patch)) {
    if (!younger) break;
    if (name.startsWith(order)) orders.set(name.slice(order.length), listIn(patch, name));
    if (name.startsWith(remove)) removeValues(result, name.slice(remove.length), listIn(patch, name), type);
  }
  for (const name of Object.keys(patch)) {
    if (name === directive || (younger && isYounger(name))) continue;
    const value = patch[name];
    if (value === null) delete result[name];
    else
      setOwn(
        result,
        name,
        mergeValue(own(result, name), value, { field: fieldOf(type, name), elements: orders.get(name), younger }),
      );
    orders.delete(name);
  }
  for (const [name, elements] of orders) {
    const value = own(result, name);
    if (Array.isArray(value)) setOwn(result, name, inOrder(value, fieldOf(type, name), elements));
  }
  return result;
}

const isYounger = (name: string): boolean => name === retain || name.startsWith(order) || name.startsWith(remove);

/** The context of a merged value. */
interface Known {
  readonly field: Field | undefined;
  /** The requested order of a list. */
  readonly elements: readonly unknown[] | undefined;
  readonly younger: boolean;
}

function mergeValue(original: unknown, patch: unknown, { field, elements, younger }: Known): unknown {
  if (isRecord(patch)) return strategicMerge(isRecord(original) ? original : {}, patch, valueType(field), younger);
  if (!Array.isArray(patch)) return patch;
  if (!merges(field)) {
    if (elements) requireOrder(patch, elements, field?.mergeKey);
    return patch;
  }
  return mergeLists({
    original: Array.isArray(original) ? original : [],
    patch,
    elements,
    key: field?.mergeKey,
    merge: (one, other) => strategicMerge(one, other, valueType(field), younger),
  });
}

/** Returns a list in the order of `$setElementOrder`, if it is a list that patches merge. */
function inOrder(list: readonly unknown[], field: Field | undefined, elements: readonly unknown[]): readonly unknown[] {
  if (!merges(field)) return list;
  return mergeLists({ original: list, patch: undefined, elements, key: field?.mergeKey, merge: (one) => one });
}

/** Reports whether patches merge the list of a field, instead of replacing it. */
const merges = (field: Field | undefined): boolean => field?.strategy?.includes('merge') === true;

/**
 * Returns the original fields that `$retainKeys` keeps. Throws 400 if the patch sets a field that is not in the list.
 */
function retained(original: Json, patch: Json): Json {
  if (patch[retain] === undefined) return original;
  const keys = new Set(listIn(patch, retain));
  for (const name of Object.keys(patch)) {
    if (!name.startsWith('$') && patch[name] !== null && !keys.has(name)) {
      throw badRequest(`invalid patch format of retainKeys: ${excerpt(name)}, which the patch sets, is not in it`);
    }
  }
  return Object.fromEntries(Object.entries(original).filter(([name]) => keys.has(name)));
}

/** Removes values from a list that patches merge. As on real servers, they replace a list that patches replace. */
function removeValues(
  result: Record<string, unknown>,
  name: string,
  values: readonly unknown[],
  type: Type | undefined,
): void {
  const list = own(result, name);
  if (!Array.isArray(list)) return;
  const gone = new Set(values.map(canonicalText));
  const left = merges(fieldOf(type, name)) ? list.filter((item) => !gone.has(canonicalText(item))) : values;
  setOwn(result, name, left);
}

function listIn(patch: Json, name: string): readonly unknown[] {
  const list = patch[name];
  if (!Array.isArray(list)) throw badRequest(`${cut(name)}: expected a list`);
  return list;
}

function without(object: Json, name: string): Json {
  const { [name]: _left, ...rest } = object;
  return rest;
}

const fieldOf = (type: Type | undefined, name: string): Field | undefined =>
  type === undefined || type.bare ? undefined : fieldsByName(type).get(name);

/** The type of a field's value or of its items; undefined for the values of a map. */
function valueType(field: Field | undefined): Type | undefined {
  return field && field.shape !== 'map' && isTypeName(field.type) ? typeOf(field.type) : undefined;
}
