// Quantities, and versions as SemVer orders them.
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  isWhole,
  quantityRatio,
  quantityRule,
} from '../../../schema/quantity.js';
import { Opaque } from '../values.js';
import { define, fail, type Overload, readCost } from './define.js';

class Quantity extends Opaque {
  readonly typeName = 'kubernetes.Quantity';

  constructor(readonly text: string) {
    super();
  }

  equals(other: Quantity): boolean {
    return compareQuantities(this.text, other.text) === 0;
  }
}

const parseQuantity = (text: string): Quantity =>
  canonicalQuantity(text) === undefined
    ? fail(`quantity parse error during conversion from string: ${quantityRule}`)
    : new Quantity(text);

const negated = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text.replace('+', '')}`);
const sum = (one: string, other: string): Quantity => new Quantity(addQuantities([one, other]));

/** Returns a quantity as an int, or undefined if it is none. */
function integerOf(text: string): bigint | undefined {
  if (!isWhole(text)) return undefined;
  const value = BigInt(Math.trunc(quantityRatio(text, '1')));
  const isExact = value >= -(2n ** 53n) && value <= 2n ** 53n;
  return isExact ? value : exactInteger(text);
}

/** Finds the int that is equal to a large quantity. */
function exactInteger(text: string): bigint | undefined {
  let [low, high] = [-(2n ** 63n), 2n ** 63n - 1n];
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (compareQuantities(String(middle), text) < 0) low = middle + 1n;
    else high = middle;
  }
  return compareQuantities(String(low), text) === 0 ? low : undefined;
}

const quantityType = 'kubernetes.Quantity';

const quantityFunctions: readonly Overload[] = [
  define<[string]>(`quantity(string): ${quantityType}`, parseQuantity, readCost),
  define<[string]>('isQuantity(string): bool', (text) => canonicalQuantity(text) !== undefined, readCost),
  define<[Quantity]>(`sign(${quantityType}): int`, ({ text }) => BigInt(compareQuantities(text, '0'))),
  define<[Quantity]>(`(${quantityType}).isInteger(): bool`, ({ text }) => integerOf(text) !== undefined),
  define<[Quantity]>(
    `(${quantityType}).asInteger(): int`,
    ({ text }) => integerOf(text) ?? fail('cannot convert value to integer'),
  ),
  define<[Quantity]>(`(${quantityType}).asApproximateFloat(): double`, ({ text }) => quantityRatio(text, '1')),
  define<[Quantity, Quantity]>(`(${quantityType}).compareTo(${quantityType}): int`, (one, other) =>
    BigInt(compareQuantities(one.text, other.text)),
  ),
  define<[Quantity, Quantity]>(
    `(${quantityType}).isGreaterThan(${quantityType}): bool`,
    (one, other) => compareQuantities(one.text, other.text) > 0,
  ),
  define<[Quantity, Quantity]>(
    `(${quantityType}).isLessThan(${quantityType}): bool`,
    (one, other) => compareQuantities(one.text, other.text) < 0,
  ),
  define<[Quantity, Quantity]>(`(${quantityType}).add(${quantityType}): ${quantityType}`, (one, other) =>
    sum(one.text, other.text),
  ),
  define<[Quantity, bigint]>(`(${quantityType}).add(int): ${quantityType}`, (one, other) =>
    sum(one.text, String(other)),
  ),
  define<[Quantity, Quantity]>(`(${quantityType}).sub(${quantityType}): ${quantityType}`, (one, other) =>
    sum(one.text, negated(other.text)),
  ),
  define<[Quantity, bigint]>(`(${quantityType}).sub(int): ${quantityType}`, (one, other) =>
    sum(one.text, String(-other)),
  ),
];

class Semver extends Opaque {
  readonly typeName = 'kubernetes.Semver';

  constructor(
    readonly numbers: readonly bigint[],
    readonly before: readonly string[],
  ) {
    super();
  }

  equals(other: Semver): boolean {
    return compareVersions(this, other) === 0;
  }
}

const longestVersion = 256;
const versionForm = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

function versionOf(text: string): Semver | undefined {
  const [whole, major = '', minor = '', patch = '', before = ''] =
    (text.length <= longestVersion && versionForm.exec(text)) || [];
  const parts = before === '' ? [] : before.split('.');
  if (whole === undefined || parts.some((part) => part === '' || /^0\d+$/.test(part))) return undefined;
  return new Semver([BigInt(major), BigInt(minor), BigInt(patch)], parts);
}

/** Makes `v1.2` the version `1.2.0`. */
function normalised(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}

function compareVersions(one: Semver, other: Semver): number {
  for (const [index, number] of one.numbers.entries()) {
    const mine = number - (other.numbers[index] ?? 0n);
    if (mine !== 0n) return mine < 0n ? -1 : 1;
  }
  // A version before a release is smaller than the release.
  if (one.before.length === 0 || other.before.length === 0) return Math.sign(other.before.length - one.before.length);
  for (const [index, part] of one.before.entries()) {
    const their = other.before[index];
    if (their === undefined) return 1;
    const order = compareParts(part, their);
    if (order !== 0) return order;
  }
  return one.before.length < other.before.length ? -1 : 0;
}

function compareParts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (one === other) return 0;
  if (isNumber) return BigInt(one) < BigInt(other) ? -1 : 1;
  return one < other ? -1 : 1;
}

const parseVersion = (text: string): Semver => versionOf(text) ?? fail('No Major.Minor.Patch elements found');
const semverType = 'kubernetes.Semver';
const tidy = (text: string, isLoose: boolean): string =>
  isLoose && text.length <= longestVersion ? normalised(text) : text;

const versions: readonly Overload[] = [
  define<[string]>(`semver(string): ${semverType}`, parseVersion, readCost),
  define<[string, boolean]>(
    `semver(string, bool): ${semverType}`,
    (text, isLoose) => parseVersion(tidy(text, isLoose)),
    readCost,
  ),
  define<[string]>('isSemver(string): bool', (text) => versionOf(text) !== undefined, readCost),
  define<[string, boolean]>(
    'isSemver(string, bool): bool',
    (text, isLoose) => versionOf(tidy(text, isLoose)) !== undefined,
    readCost,
  ),
  ...['major', 'minor', 'patch'].map((name, index) =>
    define<[Semver]>(`(${semverType}).${name}(): int`, ({ numbers }) => numbers[index] ?? 0n),
  ),
  define<[Semver, Semver]>(`(${semverType}).compareTo(${semverType}): int`, (one, other) =>
    BigInt(compareVersions(one, other)),
  ),
  define<[Semver, Semver]>(
    `(${semverType}).isGreaterThan(${semverType}): bool`,
    (one, other) => compareVersions(one, other) > 0,
  ),
  define<[Semver, Semver]>(
    `(${semverType}).isLessThan(${semverType}): bool`,
    (one, other) => compareVersions(one, other) < 0,
  ),
];

export const quantities: readonly Overload[] = [...quantityFunctions, ...versions];
