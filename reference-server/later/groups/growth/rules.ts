// Checks an object by the table of rules of the types that it consists of: one walk, like that of the defaults.
import { fieldsOf, isTypeName, type Type, type TypeName, typeOf } from '../../../../matrix/api/modern/index.js';
import type { Causes } from '../../../schema/causes.js';
import type { Format } from '../../../schema/formats.js';
import { isSettled } from '../../../schema/settled.js';
import { oncePerType } from './oncePerType.js';

// biome-ignore lint/suspicious/noExplicitAny: the decoder has checked the types of all fields.
type Value = any;

/** Checks a field, which may be absent. `at` returns its path, which most objects never need. */
export type Rule = (value: Value, at: () => string, causes: Causes, owner: Value) => void;

/** The rules of the fields of a type; those of the empty name check the whole object. */
export type Rules = Readonly<Record<TypeName, Readonly<Record<string, Rule>>>>;

/** Rules that servers have since a minor version, and up to one. */
export type VersionedRules = readonly [since: number, rules: Rules, last?: number];

type Check = (value: Value, at: () => string, causes: Causes) => void;

/** Makes the functions that check objects, one for each type. */
export class RuleBook {
  /** Returns the function for a type; undefined if it has no rules. */
  readonly of = oncePerType<Check>((type) => this.#made(type));

  constructor(readonly table: Rules) {}

  #made(type: Type): Check | undefined {
    const { '': whole, ...own } = this.table[type.name as TypeName] ?? {};
    // A required text that is absent is empty; in an optional field with presence, the empty text is a value.
    const rules = Object.entries(own).map(([name, rule]) => ({ name, rule, emptyIsAbsent: hasNoEmpty(type, name) }));
    const inner = fieldsOf(type).flatMap(({ name, type: named, shape }) => {
      if (!isTypeName(named)) return [];
      const of = typeOf(named);
      const check = this.of(of);
      return check === undefined ? [] : [{ name, of, check: shape === 'map' ? eachEntry(check) : check }];
    });
    if (whole === undefined && rules.length + inner.length === 0) return undefined;
    return (object, at, causes) => {
      const below = (name: string) => (): string => (at() === '' ? name : `${at()}.${name}`);
      for (const { name, rule, emptyIsAbsent } of rules) {
        const value = object[name];
        rule(emptyIsAbsent && value === '' ? undefined : value, below(name), causes, object);
      }
      whole?.(object, at, causes, object);
      for (const { name, of, check } of inner) {
        const value = object[name];
        if (Array.isArray(value)) {
          for (let index = 0; index < value.length; index += 1) {
            check(value[index], () => `${below(name)()}[${index}]`, causes);
          }
        } else if (value !== undefined && value !== null && !isSettled(of, value)) check(value, below(name), causes);
      }
    };
  }
}

const hasNoEmpty = (type: Type, name: string): boolean =>
  !fieldsOf(type).some((field) => field.name === name && (field.presence === true || field.type === 'intOrString'));

/** Checks the value of each entry of a map. */
const eachEntry =
  (check: Check): Check =>
  (map, at, causes) => {
    for (const [key, value] of Object.entries(map)) check(value, () => `${at()}[${key}]`, causes);
  };

/** Returns the rules of several tables in one: a field that has some in two tables has both. */
export function together(...tables: readonly Rules[]): Rules {
  const merged: Record<TypeName, Record<string, Rule>> = {};
  for (const [type, rules] of tables.flatMap((table) => Object.entries(table))) {
    const own = { ...merged[type] };
    for (const [field, rule] of Object.entries(rules)) {
      const before = own[field];
      own[field] = before === undefined ? rule : all(before, rule);
    }
    merged[type] = own;
  }
  return merged;
}

const given = (value: Value): boolean => value !== undefined;

export const all =
  (...rules: readonly Rule[]): Rule =>
  (value, at, causes, owner) => {
    for (const rule of rules) rule(value, at, causes, owner);
  };

/** Checks each item of a list. */
export const each =
  (rule: Rule): Rule =>
  (list, at, causes, owner) => {
    for (const [index, item] of (list ?? []).entries()) rule(item, () => `${at()}[${index}]`, causes, owner);
  };

export const required =
  (why?: string): Rule =>
  (value, at, causes) => {
    if (!given(value) || value.length === 0) causes.required(at(), why);
  };

export const oneOf =
  (...supported: readonly string[]): Rule =>
  (value, at, causes) => {
    if (given(value)) causes.oneOf(at(), value, supported);
  };

/** The same for a field that must be given. */
export const exactlyOneOf =
  (...supported: readonly string[]): Rule =>
  (value, at, causes) =>
    causes.oneOf(at(), value ?? '', supported);

export const formatted =
  (...formats: readonly Format[]): Rule =>
  (value, at, causes) => {
    if (given(value)) for (const format of formats) causes.format(at(), value, format);
  };

/** Refuses values for which a condition does not hold. Absent values are not checked. */
export const must =
  (holds: (value: Value, owner: Value) => boolean, why: string): Rule =>
  (value, at, causes, owner) => {
    if (given(value) && !holds(value, owner)) causes.invalid(at(), value, why);
  };

export const forbidden =
  (isForbidden: (value: Value, owner: Value) => boolean, why: string): Rule =>
  (value, at, causes, owner) => {
    if (value !== undefined && isForbidden(value, owner)) causes.forbidden(at(), why);
  };

export const between = (least: number, most: number): Rule =>
  must((value) => value >= least && value <= most, `must be between ${least} and ${most}, inclusive`);
export const notNegative: Rule = (value, at, causes) => causes.notNegative(at(), value);
export const positive: Rule = (value, at, causes) => causes.positive(at(), value);
export const atMost = (most: number, why: string): Rule => must((list) => list.length <= most, why);

/** Allows at most so many items, and says how many there are. */
export const notMore =
  (most: number): Rule =>
  (list = [], at, causes) => {
    if (list.length > most) causes.tooMany(at(), list.length, most);
  };

/** Requires that no two items have the same key. */
export const unique =
  (keyOf: (item: Value) => string | undefined, below = ''): Rule =>
  (list, at, causes) => {
    const seen = new Set<string>();
    for (const [index, item] of (list ?? []).entries()) {
      const key = keyOf(item);
      if (key === undefined) continue;
      if (seen.has(key)) causes.duplicate(`${at()}[${index}]${below}`, key);
      seen.add(key);
    }
  };

const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number of objects, or a share of them. */
export const share: Rule = all(
  must((value) => typeof value !== 'number' || value >= 0, 'must be greater than or equal to 0'),
  must((value) => typeof value === 'number' || /^\d+%$/.test(value), percent),
);
export const atMostAll: Rule = must(
  (value) => !/^\d+%$/.test(value) || Number.parseInt(value, 10) <= 100,
  'must not be greater than 100%',
);

export const noSteps: Rule = must((path) => !path.split('/').includes('..'), "must not contain '..'");
export const relative: Rule = all(
  must((path) => !path.startsWith('/'), 'must be a relative path'),
  noSteps,
);
export const absolute: Rule = must((path) => path.startsWith('/'), 'must be an absolute path');
