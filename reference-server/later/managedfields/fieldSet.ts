// Sets of field paths, as trees. The steps of a path are texts as in `fieldsV1`: `f:name`, `k:{"name":"a"}`, `v:"a"`.
import { isNumeric, parseJson } from '../../exactJson.js';

/** A set of paths below one place. It never changes, so sets share their branches. No branch is empty. */
export interface FieldSet {
  /** Whether the place itself is in the set. */
  readonly isMember: boolean;
  readonly branches: ReadonlyMap<string, FieldSet>;
}

const noBranches: ReadonlyMap<string, FieldSet> = new Map();

/** The set without paths. */
export const none: FieldSet = { isMember: false, branches: noBranches };

export const itself: FieldSet = { isMember: true, branches: noBranches };

/** Returns a set. A map without entries is replaced, so that it takes no memory. */
export function setOf(isMember: boolean, branches: ReadonlyMap<string, FieldSet> | undefined): FieldSet {
  if (branches === undefined || branches.size === 0) return isMember ? itself : none;
  return { isMember, branches };
}

export function fieldsNamed(...paths: readonly (readonly string[])[]): FieldSet {
  return paths
    .map((path) => path.reduceRight((inner, name) => setOf(false, new Map([[`f:${name}`, inner]])), itself))
    .reduce(union, none);
}

export const isEmpty = ({ isMember, branches }: FieldSet): boolean => !isMember && branches.size === 0;

/** Returns the paths that are in one of two sets. */
export function union(one: FieldSet, other: FieldSet): FieldSet {
  if (one === other || isEmpty(other)) return one;
  if (isEmpty(one)) return other;
  const branches = new Map(one.branches);
  for (const [step, branch] of other.branches) {
    const own = branches.get(step);
    branches.set(step, own === undefined ? branch : union(own, branch));
  }
  return setOf(one.isMember || other.isMember, branches);
}

/** Returns the paths that are in one of many sets, at the cost of looking at each set once. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  const [first, second, third] = sets;
  if (first === undefined) return none;
  if (second === undefined) return first;
  if (third === undefined) return union(first, second);
  const steps = new Map<string, FieldSet[]>();
  for (const { branches } of sets) {
    for (const [step, branch] of branches) {
      const same = steps.get(step);
      if (same === undefined) steps.set(step, [branch]);
      else same.push(branch);
    }
  }
  const branches = new Map([...steps].map(([step, same]) => [step, unionOf(same)]));
  return setOf(
    sets.some(({ isMember }) => isMember),
    branches,
  );
}

/** Returns the paths that are in both sets. */
export function intersection(one: FieldSet, other: FieldSet): FieldSet {
  if (one === other) return one;
  const [small, large] = one.branches.size < other.branches.size ? [one, other] : [other, one];
  const branches = new Map<string, FieldSet>();
  for (const [step, branch] of small.branches) {
    const match = large.branches.get(step);
    const both = match === undefined ? none : intersection(branch, match);
    if (!isEmpty(both)) branches.set(step, both);
  }
  return setOf(one.isMember && other.isMember, branches);
}

/** Returns the paths of a set that are not in another one. A path in the other set does not take those below it. */
export function difference(from: FieldSet, other: FieldSet): FieldSet {
  if (from === other) return none;
  const isMember = from.isMember && !other.isMember;
  if (other.branches.size === 0 || from.branches.size === 0) {
    return isMember === from.isMember ? from : setOf(isMember, from.branches);
  }
  let branches: Map<string, FieldSet> | undefined;
  const change = (step: string, left: FieldSet): void => {
    branches ??= new Map(from.branches);
    if (isEmpty(left)) branches.delete(step);
    else branches.set(step, left);
  };
  const [small, large] = from.branches.size < other.branches.size ? [from, other] : [other, from];
  for (const step of small.branches.keys()) {
    if (!large.branches.has(step)) continue;
    const own = from.branches.get(step) as FieldSet;
    const left = difference(own, other.branches.get(step) as FieldSet);
    if (left !== own) change(step, left);
  }
  if (branches === undefined && isMember === from.isMember) return from;
  return setOf(isMember, branches ?? from.branches);
}

/** Reports whether two sets have the same paths. */
export function sameSet(one: FieldSet, other: FieldSet): boolean {
  if (one === other) return true;
  if (one.isMember !== other.isMember || one.branches.size !== other.branches.size) return false;
  for (const [step, branch] of one.branches) {
    const match = other.branches.get(step);
    if (match === undefined || !sameSet(branch, match)) return false;
  }
  return true;
}

/** Yields the steps of each path: of each set those that end in it, then those below, each in the order of `fieldsV1`. */
export function* pathsOf(set: FieldSet, before: readonly string[] = []): Generator<readonly string[]> {
  if (set.isMember && before.length === 0) yield before;
  const branches = sortedBranches(set).map(([step, branch]) => [[...before, step], branch] as const);
  for (const [steps, { isMember }] of branches) if (isMember) yield steps;
  for (const [steps, branch] of branches) yield* pathsOf(branch, steps);
}

/** Returns the branches of a set in the order of `fieldsV1`: fields, keys, values, indexes, each kind by value. */
export function sortedBranches({ branches }: FieldSet): readonly (readonly [string, FieldSet])[] {
  if (branches.size < 2) return [...branches];
  const steps = [...branches.keys()];
  if (steps.every((step) => step.startsWith('f:'))) {
    return steps.sort().map((step) => [step, branches.get(step) as FieldSet]);
  }
  const keyed = [...branches].map((entry) => ({ entry, step: entry[0], value: sortValue(entry[0]) }));
  keyed.sort((one, other) => compareSteps(one, other));
  return keyed.map(({ entry }) => entry);
}

interface Sorted {
  readonly step: string;
  readonly value: unknown;
}

const kinds = 'fkvi';

function compareSteps(one: Sorted, other: Sorted): number {
  const kind = kinds.indexOf(one.step.charAt(0)) - kinds.indexOf(other.step.charAt(0));
  if (kind !== 0) return kind;
  return compareValues(one.value, other.value);
}

/** The value by which a step is sorted: a name, the values of keys, or a value. */
function sortValue(step: string): unknown {
  if (step.startsWith('f:')) return step;
  const value: unknown = parseJson(step.slice(2));
  return step.startsWith('k:') ? Object.entries(value as object).flat() : value;
}

function compareValues(one: unknown, other: unknown): number {
  if (Array.isArray(one) && Array.isArray(other)) {
    for (let at = 0; at < one.length && at < other.length; at++) {
      const order = compareValues(one[at], other[at]);
      if (order !== 0) return order;
    }
    return one.length - other.length;
  }
  if (isNumeric(one) && isNumeric(other)) return one < other ? -1 : one > other ? 1 : 0;
  if (typeof one !== typeof other) return typeof one < typeof other ? -1 : 1;
  if (one === other) return 0;
  return String(one) < String(other) ? -1 : 1;
}
