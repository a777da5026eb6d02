// The operators, and the functions that every kind of value has.
import {
  compareValues,
  Duration,
  equalValues,
  keyOf,
  List,
  Mapping,
  Optional,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from '../values.js';
import { define, fail, type Overload, type Range, sizeOf } from './define.js';

const int64 = (value: bigint): bigint => (value === BigInt.asIntN(64, value) ? value : fail('integer overflow'));
const uint64 = (value: bigint): Uint =>
  value === BigInt.asUintN(64, value) ? new Uint(value) : fail('unsigned integer overflow');

/** The moments that can be written: from the year 1 to the year 9999. */
const earliest = -62_135_596_800_000_000_000n;
const latest = 253_402_300_799_999_999_999n;

export const timestampOf = (nanos: bigint): Timestamp =>
  nanos < earliest || nanos > latest ? fail('timestamp overflow') : new Timestamp(nanos);
const durationOf = (nanos: bigint): Duration =>
  nanos === BigInt.asIntN(64, nanos) ? new Duration(nanos) : fail('duration overflow');

type Ints = readonly [bigint, bigint];
type Uints = readonly [Uint, Uint];
type Doubles = readonly [number, number];

const divisor = (value: bigint, zero: string): bigint => (value === 0n ? fail(zero) : value);
const division = 'division by zero';
const modulus = 'modulus by zero';

const concatCost = (one = 0, other = 0): number => Math.ceil((one + other) * 0.1);
const concatSize = (one: Range, other: Range): Range => ({
  least: one.least + other.least,
  most: one.most + other.most,
});
const equalCost = (one = 0, other = 0): number => Math.max(1, Math.ceil(Math.min(one, other) * 0.1));

/** Returns the sum of lists: of a set without doubles; of a list with keys with the items of the second in place. */
function sum(one: List, other: List): List {
  const { rules } = one;
  if (rules === undefined || one.convert === undefined) return List.sum(one, other);
  if (other.convert === undefined) return rules.kind === 'map' ? List.sum(one, other) : withNew(one, other);
  const items = new Map<string, unknown>();
  for (const raw of one.raw) items.set(rules.keyOf(raw), raw);
  for (const raw of other.raw)
    if (rules.kind === 'map' || !items.has(rules.keyOf(raw))) items.set(rules.keyOf(raw), raw);
  return new List([...items.values()], one.convert, rules);
}

const withNew = (one: List, other: List): List =>
  List.sum(one, new List([...other].filter((item) => ![...one].some((mine) => equalValues(mine, item)))));

function ordered(name: string, test: (order: number) => boolean): readonly Overload[] {
  const run = (one: Value, other: Value) => test(compareValues(one, other) ?? Number.NaN);
  const numbers = ['int', 'uint', 'double'];
  const pairs = [
    ...['bool', 'timestamp', 'duration'].map((type) => [type, type]),
    ...numbers.flatMap((one) => numbers.map((other) => [one, other])),
  ];
  return [
    ...pairs.map(([one, other]) => define(`${name}(${one}, ${other}): bool`, run)),
    ...['string', 'bytes'].map((type) => define(`${name}(${type}, ${type}): bool`, run, equalCost)),
  ];
}

/** Returns the item at an index or key. */
export function itemAt(of: Value, index: Value): Value {
  if (of instanceof List) {
    const at = keyOf(index);
    if (typeof at !== 'bigint') return fail(`unsupported index type '${typeNameOf(index)}' in list`);
    return at >= 0n && at < BigInt(of.size) ? of.at(Number(at)) : fail(`index out of bounds: ${at}`);
  }
  if (of instanceof Mapping) {
    const key = keyOf(index);
    const value = key === undefined ? undefined : of.get(key);
    return value === undefined ? fail(`no such key: ${keyText(index)}`) : value;
  }
  return fail(`no such key: ${keyText(index)}`);
}

const keyText = (key: Value): string => (key instanceof Uint ? String(key.value) : String(key));

/** Returns the item at an index or key if there is one. */
export function optionalItemAt(of: Value, index: Value): Optional {
  if (of instanceof Optional) return of.value === undefined ? of : optionalItemAt(of.value, index);
  if (of instanceof List) {
    const at = keyOf(index);
    const has = typeof at === 'bigint' && at >= 0n && at < BigInt(of.size);
    return has ? new Optional(of.at(Number(at))) : new Optional();
  }
  const key = keyOf(index);
  return new Optional(of instanceof Mapping && key !== undefined ? of.get(key) : undefined);
}

/** Reports whether a list has an item. Comparing it with all of them is what `in` costs. */
function isIn(item: Value, list: List): boolean {
  for (const one of list) if (equalValues(one, item)) return true;
  return false;
}

export const operators: readonly Overload[] = [
  define<[boolean]>('!_(bool): bool', (value) => !value),
  define<[bigint]>('-_(int): int', (value) => int64(-value)),
  define<[number]>('-_(double): double', (value) => -value),
  define<Ints>('_+_(int, int): int', (one, other) => int64(one + other)),
  define<Uints>('_+_(uint, uint): uint', (one, other) => uint64(one.value + other.value)),
  define<Doubles>('_+_(double, double): double', (one, other) => one + other),
  define<[string, string]>('_+_(string, string): string', (one, other) => one + other, concatCost, concatSize),
  define<[Uint8Array, Uint8Array]>(
    '_+_(bytes, bytes): bytes',
    (one, other) => Uint8Array.from([...one, ...other]),
    concatCost,
    concatSize,
  ),
  define<[List, List]>('_+_(list(A), list(A)): list(A)', sum, undefined, concatSize),
  define<[Timestamp, Duration]>('_+_(timestamp, duration): timestamp', (one, other) =>
    timestampOf(one.nanos + other.nanos),
  ),
  define<[Duration, Timestamp]>('_+_(duration, timestamp): timestamp', (one, other) =>
    timestampOf(one.nanos + other.nanos),
  ),
  define<[Duration, Duration]>('_+_(duration, duration): duration', (one, other) =>
    durationOf(one.nanos + other.nanos),
  ),
  define<Ints>('_-_(int, int): int', (one, other) => int64(one - other)),
  define<Uints>('_-_(uint, uint): uint', (one, other) => uint64(one.value - other.value)),
  define<Doubles>('_-_(double, double): double', (one, other) => one - other),
  define<[Timestamp, Timestamp]>('_-_(timestamp, timestamp): duration', (one, other) =>
    durationOf(one.nanos - other.nanos),
  ),
  define<[Timestamp, Duration]>('_-_(timestamp, duration): timestamp', (one, other) =>
    timestampOf(one.nanos - other.nanos),
  ),
  define<[Duration, Duration]>('_-_(duration, duration): duration', (one, other) =>
    durationOf(one.nanos - other.nanos),
  ),
  define<Ints>('_*_(int, int): int', (one, other) => int64(one * other)),
  define<Uints>('_*_(uint, uint): uint', (one, other) => uint64(one.value * other.value)),
  define<Doubles>('_*_(double, double): double', (one, other) => one * other),
  define<Ints>('_/_(int, int): int', (one, other) => int64(one / divisor(other, division))),
  define<Uints>('_/_(uint, uint): uint', (one, other) => uint64(one.value / divisor(other.value, division))),
  define<Doubles>('_/_(double, double): double', (one, other) => one / other),
  define<Ints>('_%_(int, int): int', (one, other) => one % divisor(other, modulus)),
  define<Uints>('_%_(uint, uint): uint', (one, other) => uint64(one.value % divisor(other.value, modulus))),
  define('_==_(A, A): bool', equalValues, equalCost),
  define('_!=_(A, A): bool', (one: Value, other: Value) => !equalValues(one, other), equalCost),
  ...ordered('_<_', (order) => order < 0),
  ...ordered('_<=_', (order) => order <= 0),
  ...ordered('_>_', (order) => order > 0),
  ...ordered('_>=_', (order) => order >= 0),
  define<[Value, List]>('@in(A, list(A)): bool', isIn, (_item, size = 0) => size),
  define<[Value, Mapping]>('@in(A, map(A, B)): bool', (key, map) => {
    const known = keyOf(key);
    return known !== undefined && map.has(known);
  }),
  define<[List, bigint]>('_[_](list(A), int): A', itemAt),
  define<[Mapping, Value]>('_[_](map(A, B), A): B', itemAt),
  define<[List, bigint]>('_[?_](list(A), int): optional(A)', optionalItemAt),
  define<[Mapping, Value]>('_[?_](map(A, B), A): optional(B)', optionalItemAt),
  define<[Optional, bigint]>('_[?_](optional(list(A)), int): optional(A)', optionalItemAt),
  define<[Optional, Value]>('_[?_](optional(map(A, B)), A): optional(B)', optionalItemAt),
  define<[Optional, bigint]>('_[_](optional(list(A)), int): optional(A)', optionalItemAt),
  define<[Optional, Value]>('_[_](optional(map(A, B)), A): optional(B)', optionalItemAt),
  ...['string', 'bytes', 'list(A)', 'map(A, B)'].flatMap((type) => [
    define(`size(${type}): int`, (value: Value) => BigInt(sizeOf(value))),
    define(`(${type}).size(): int`, (value: Value) => BigInt(sizeOf(value))),
  ]),
  define('type(A): type(A)', (value: Value) => new TypeValue(typeNameOf(value))),
  define(
    'dyn(A): dyn',
    (value: Value) => value,
    undefined,
    (size) => size,
  ),
];

export const optionals: readonly Overload[] = [
  define('optional.of(A): optional(A)', (value: Value) => new Optional(value)),
  define('optional.ofNonZeroValue(A): optional(A)', (value: Value) =>
    isZero(value) ? new Optional() : new Optional(value),
  ),
  define('optional.none(): optional(A)', () => new Optional()),
  define<[Optional]>('(optional(A)).hasValue(): bool', ({ value }) => value !== undefined),
  define<[Optional]>('(optional(A)).value(): A', ({ value }) =>
    value === undefined ? fail('optional.none() dereference') : value,
  ),
  define<[Optional, Optional]>('(optional(A)).or(optional(A)): optional(A)', (one, other) =>
    one.value === undefined ? other : one,
  ),
  define<[Optional, Value]>('(optional(A)).orValue(A): A', ({ value }, other) => (value === undefined ? other : value)),
];

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof List || value instanceof Mapping) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  return value === 0n || value === 0 || (value instanceof Optional && value.value === undefined);
}
