// The values of the language while an expression runs.
import { isRecord, own } from '../../schema/object.js';

/**
 * A value: an int is a bigint, a double a number. Lists, maps and the rest are of the classes below; other modules add
 * opaque values.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | List
  | Mapping
  | Optional
  | TypeValue
  | Opaque;

/** An expression failed. */
export class EvaluationError extends Error {}

export class Uint {
  constructor(readonly value: bigint) {}
}

/** A moment, in nanoseconds since 1970. */
export class Timestamp {
  constructor(readonly nanos: bigint) {}
}

export class Duration {
  constructor(readonly nanos: bigint) {}
}

export class TypeValue {
  constructor(readonly name: string) {}
}

export class Optional {
  constructor(readonly value?: Value) {}
}

/** A value of a type that only functions know. */
export abstract class Opaque {
  abstract readonly typeName: string;
  abstract equals(other: Opaque): boolean;
}

/** How the items of a list of a schema are compared and merged. */
export interface ListRules {
  readonly kind: 'set' | 'map';
  /** The text that is equal for equal items of a set, or for items of a map with equal keys. */
  keyOf(raw: unknown): string;
}

/** A list. Its items are converted when they are read. */
export class List {
  readonly #raw: unknown[];
  readonly #made: Value[] | undefined;
  readonly #sum: readonly [List, List] | undefined;
  readonly #size: number | undefined;

  constructor(
    raw: unknown[],
    readonly convert?: (raw: unknown) => Value,
    readonly rules?: ListRules,
    sum?: readonly [List, List],
  ) {
    this.#raw = raw;
    this.#made = convert && [];
    this.#sum = sum;
    this.#size = sum && sum[0].size + sum[1].size;
  }

  /** Returns the items of two lists. None is copied: what a sum costs does not grow with the lists. */
  static sum(one: List, other: List): List {
    if (one.size === 0) return other;
    return other.size === 0 ? one : new List([], undefined, undefined, [one, other]);
  }

  get size(): number {
    return this.#size ?? this.#raw.length;
  }

  /** The items as JSON has them, of a list that is no sum. */
  get raw(): readonly unknown[] {
    return this.#raw;
  }

  at(index: number): Value {
    let list: List = this;
    let at = index;
    while (list.#sum !== undefined) {
      const [one, other]: readonly [List, List] = list.#sum;
      const isFirst = at < one.size;
      if (!isFirst) at -= one.size;
      list = isFirst ? one : other;
    }
    return list.#item(at);
  }

  #item(index: number): Value {
    if (this.#made === undefined || this.convert === undefined) return this.#raw[index] as Value;
    const known = this.#made[index];
    if (known !== undefined) return known;
    const value = this.convert(this.#raw[index]);
    this.#made[index] = value;
    return value;
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let index = 0; index < this.size; index += 1) yield this.at(index);
  }

  /** Adds an item to a list that only one loop knows. */
  push(item: Value): this {
    this.#raw.push(item);
    return this;
  }
}

/** A key of a map: numbers that are equal are one key. */
type Key = string | boolean | bigint | number | null;

export function keyOf(value: Value): Key | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return value === null ? value : undefined;
}

/** A map, or an object of a schema. */
export abstract class Mapping {
  abstract readonly size: number;
  abstract get(key: Key): Value | undefined;
  abstract keys(): Iterable<Value>;

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }
}

/** A map that an expression makes. */
export class MapValue extends Mapping {
  readonly #entries = new Map<Key, readonly [Value, Value]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.[1];
  }

  override has(key: Key): boolean {
    return this.#entries.has(key);
  }

  *keys(): Generator<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  /** Sets an entry. Reports whether the value may be a key. */
  set(key: Value, value: Value): boolean {
    const known = keyOf(key);
    if (known === undefined) return false;
    this.#entries.set(known, [key, value]);
    return true;
  }
}

/** The object of a JSON text. `convert` returns undefined for a field that the schema hides; `rawName` the field's own name. */
export class RecordValue extends Mapping {
  readonly #made = new Map<string, Value>();

  constructor(
    readonly raw: Readonly<Record<string, unknown>>,
    readonly convert: (name: string, raw: unknown) => Value | undefined,
    readonly rawName: (name: string) => string = (name) => name,
  ) {
    super();
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  get(key: Key): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const name = this.rawName(key);
    if (!Object.hasOwn(this.raw, name)) return undefined;
    const value = this.convert(name, own(this.raw, name));
    if (value !== undefined) this.#made.set(key, value);
    return value;
  }

  keys(): Iterable<Value> {
    return Object.keys(this.raw);
  }
}

/** Returns a value of JSON whose type is not known. */
export function fromJson(raw: unknown): Value {
  if (raw === undefined || raw === null) return null;
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? BigInt(raw) : raw;
  if (Array.isArray(raw)) return new List(raw, fromJson);
  if (isRecord(raw)) return new RecordValue(raw, (_name, inner) => fromJson(inner));
  return raw as Value;
}

/** Returns the name of a value's type, as messages and `type` write it. */
export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
  }
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof List) return 'list';
  if (value instanceof Mapping) return 'map';
  if (value instanceof Optional) return 'optional_type';
  return value instanceof TypeValue ? 'type' : value.typeName;
}

type Numeric = bigint | number;

function numberOf(value: Value): Numeric | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

/** Counts the parts of values that were compared, since that can be far more than what the comparison costs. */
export const comparisons = { count: 0 };

/** Reports whether two values are equal: numbers by value, others by type and content. */
export function equalValues(one: Value, other: Value): boolean {
  comparisons.count += 1;
  if (one === other) return true;
  const number = numberOf(one);
  // Not `===`: an int and a double can be equal.
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by value.
  if (number !== undefined) return number == numberOf(other);
  if (one instanceof List) return other instanceof List && equalLists(one, other);
  if (one instanceof Mapping) return other instanceof Mapping && equalMaps(one, other);
  if (one instanceof Uint8Array) return other instanceof Uint8Array && Buffer.compare(one, other) === 0;
  if (one instanceof Timestamp) return other instanceof Timestamp && one.nanos === other.nanos;
  if (one instanceof Duration) return other instanceof Duration && one.nanos === other.nanos;
  if (one instanceof TypeValue) return other instanceof TypeValue && one.name === other.name;
  if (one instanceof Optional) {
    if (!(other instanceof Optional) || one.value === undefined || other.value === undefined) {
      return other instanceof Optional && one.value === other.value;
    }
    return equalValues(one.value, other.value);
  }
  return one instanceof Opaque && other instanceof Opaque && one.typeName === other.typeName && one.equals(other);
}

function equalLists(one: List, other: List): boolean {
  if (one.size !== other.size) return false;
  const rules = one.rules ?? other.rules;
  if (rules === undefined || !one.convert || !other.convert) {
    for (let index = 0; index < one.size; index += 1) {
      if (!equalValues(one.at(index), other.at(index))) return false;
    }
    return true;
  }
  // The order of a set, and of a list with keys, is not part of its value.
  const places = new Map(other.raw.map((raw, index) => [rules.keyOf(raw), index]));
  return one.raw.every((raw, index) => {
    const place = places.get(rules.keyOf(raw));
    return place !== undefined && equalValues(one.at(index), other.at(place));
  });
}

function equalMaps(one: Mapping, other: Mapping): boolean {
  if (one.size !== other.size) return false;
  for (const key of one.keys()) {
    const known = keyOf(key);
    if (known === undefined) continue;
    const value = other.get(known);
    const mine = one.get(known);
    if (mine === undefined ? other.has(known) : value === undefined || !equalValues(mine, value)) return false;
  }
  return true;
}

/** Compares two values that have an order. Returns undefined for others. */
export function compareValues(one: Value, other: Value): number | undefined {
  const left = orderOf(one);
  const right = orderOf(other);
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === 'string' || typeof right === 'string') {
    return typeof left === typeof right ? compareText(left as string, right as string) : undefined;
  }
  if (left instanceof Uint8Array || right instanceof Uint8Array) {
    return left instanceof Uint8Array && right instanceof Uint8Array ? Buffer.compare(left, right) : undefined;
  }
  if (left < right) return -1;
  // Neither is true of a NaN.
  return left > right ? 1 : left <= right ? 0 : Number.NaN;
}

function orderOf(value: Value): Numeric | string | Uint8Array | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Timestamp || value instanceof Duration) return value.nanos;
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  return numberOf(value);
}

/** Orders texts by their bytes, as Go does. */
function compareText(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
