// The functions on lists and sets.
import { compareValues, Duration, equalValues, keyOf, List, Optional, Uint, type Value } from '../values.js';
import { define, fail, itemsCost, type Overload, sameSize } from './define.js';

const orderedTypes = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'timestamp', 'duration'];

/** Returns the item that comes before all others by an order. */
function extreme(list: List, isBetter: (order: number) => boolean, name: string): Value {
  let best: Value | undefined;
  for (const item of list) {
    if (best === undefined || isBetter(compareValues(item, best) ?? Number.NaN)) best = item;
  }
  return best ?? fail(`${name} called on empty list`);
}

function isSorted(list: List): boolean {
  for (let index = 1; index < list.size; index += 1) {
    if ((compareValues(list.at(index - 1), list.at(index)) ?? 1) > 0) return false;
  }
  return true;
}

function sum(list: List, add: (one: Value, other: Value) => Value, zero: Value): Value {
  let total = zero;
  for (const item of list) total = add(total, item);
  return total;
}

const int = (value: bigint): bigint => (value === BigInt.asIntN(64, value) ? value : fail('integer overflow'));
const sums: Readonly<Record<string, readonly [Value, (one: never, other: never) => Value]>> = {
  int: [0n, (one: bigint, other: bigint) => int(one + other)],
  uint: [new Uint(0n), (one: Uint, other: Uint) => new Uint(one.value + other.value)],
  double: [0, (one: number, other: number) => one + other],
  duration: [new Duration(0n), (one: Duration, other: Duration) => new Duration(int(one.nanos + other.nanos))],
};

const indexOf = (list: List, item: Value): bigint => BigInt([...list].findIndex((one) => equalValues(one, item)));
const lastIndexOf = (list: List, item: Value): bigint =>
  BigInt([...list].findLastIndex((one) => equalValues(one, item)));

/** Items that are found by their key, and others that are compared one by one. */
class Members {
  readonly #byKey = new Map<unknown, Value[]>();
  readonly #others: Value[] = [];

  constructor(items: Iterable<Value> = []) {
    for (const item of items) this.add(item);
  }

  #of(item: Value): Value[] {
    const key = keyOf(item);
    if (key === undefined) return this.#others;
    const found = this.#byKey.get(key) ?? [];
    this.#byKey.set(key, found);
    return found;
  }

  has(item: Value): boolean {
    return this.#of(item).some((one) => equalValues(one, item));
  }

  add(item: Value): void {
    this.#of(item).push(item);
  }
}

function distinct(list: List): List {
  const seen = new Members();
  const kept: Value[] = [];
  for (const item of list) {
    if (seen.has(item)) continue;
    seen.add(item);
    kept.push(item);
  }
  return new List(kept);
}

/** Opens the lists in a list, for so many levels. */
function flatten(list: List, depth = 1n): List {
  if (depth < 0n) return fail('level must be non-negative');
  const items = [...list].flatMap((item) =>
    item instanceof List && depth > 0n ? [...flatten(item, depth - 1n)] : [item],
  );
  return new List(items);
}

function slice(list: List, from: bigint, to: bigint): List {
  if (from < 0n || to < 0n) return fail(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to) return fail(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > BigInt(list.size)) return fail(`cannot slice(${from}, ${to}), list is length ${list.size}`);
  return new List([...list].slice(Number(from), Number(to)));
}

/** The longest list that an expression can ask for. */
const longestRange = 1_000_000;

function range(count: bigint): List {
  if (count > BigInt(longestRange)) return fail(`lists.range: at most ${longestRange} items`);
  return new List(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index)));
}

/** Returns the items in the order of their keys. */
function sorted(list: List, keys: List): List {
  const order = [...keys].map((key, index) => ({ key, index }));
  order.sort((one, other) => compareValues(one.key, other.key) ?? 0);
  return new List(order.map(({ index }) => list.at(index)));
}

const contains = (all: List, some: List): boolean => {
  const members = new Members(all);
  return [...some].every((item) => members.has(item));
};
const intersects = (one: List, other: List): boolean => {
  const members = new Members(one);
  return [...other].some((item) => members.has(item));
};

const product = (one = 1, other = 1): number => one * other;

export const collections: readonly Overload[] = [
  ...orderedTypes.flatMap((type) => [
    define<[List]>(`(list(${type})).isSorted(): bool`, isSorted, itemsCost),
    define<[List]>(`(list(${type})).min(): ${type}`, (list) => extreme(list, (order) => order < 0, 'min'), itemsCost),
    define<[List]>(`(list(${type})).max(): ${type}`, (list) => extreme(list, (order) => order > 0, 'max'), itemsCost),
  ]),
  ...Object.entries(sums).map(([type, [zero, add]]) =>
    define<[List]>(`(list(${type})).sum(): ${type}`, (list) => sum(list, add as never, zero), itemsCost),
  ),
  define<[List, Value]>('(list(A)).indexOf(A): int', indexOf, itemsCost),
  define<[List, Value]>('(list(A)).lastIndexOf(A): int', lastIndexOf, itemsCost),
  define<[List]>('(list(A)).distinct(): list(A)', distinct, (size = 0) => size * size, sameSize),
  define<[List]>('(list(A)).reverse(): list(A)', (list) => new List([...list].reverse()), itemsCost, sameSize),
  define<[List]>('(list(list(A))).flatten(): list(A)', flatten, itemsCost),
  define<[List, bigint]>('(list(dyn)).flatten(int): list(dyn)', flatten, itemsCost),
  define<[List, bigint, bigint]>('(list(A)).slice(int, int): list(A)', slice, itemsCost),
  define<[List, List]>('sets.contains(list(A), list(A)): bool', contains, product),
  define<[List, List]>('sets.intersects(list(A), list(A)): bool', intersects, product),
  define<[List, List]>(
    'sets.equivalent(list(A), list(A)): bool',
    (one, other) => contains(one, other) && contains(other, one),
    product,
  ),
  define<[List]>('(list(A)).first(): optional(A)', (list) => new Optional(list.size > 0 ? list.at(0) : undefined)),
  define<[List]>(
    '(list(A)).last(): optional(A)',
    (list) => new Optional(list.size > 0 ? list.at(list.size - 1) : undefined),
  ),
  define<[bigint]>(
    'lists.range(int): list(int)',
    range,
    (size = 0) => size,
    () => ({ least: 0, most: longestRange }),
  ),
  ...orderedTypes.map((type) =>
    define<[List]>(`(list(${type})).sort(): list(${type})`, (list) => sorted(list, list), itemsCost, sameSize),
  ),
  ...orderedTypes.map((type) =>
    define<[List, List]>(`(list(A)).@sortByAssociatedKeys(list(${type})): list(A)`, sorted, itemsCost, sameSize),
  ),
];
