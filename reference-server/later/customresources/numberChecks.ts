// The checks of numbers by the keywords of a schema node. Integers are exact: those beyond 2⁵³ are bigints.
import { type Causes, rootField } from '../../schema/causes.js';
import { numberText } from '../../schema/goText.js';
import { formatOf } from './formats.js';
import type { StructuralSchema } from './structuralSchema.js';

type Numeric = number | bigint;

/** Reports whether a number is an integer for a schema: exact, however it was written. */
const isInteger = (value: Numeric): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

/** The type of a number in the words of schemas. */
export const kindOfNumber = (value: Numeric): string => (isInteger(value) ? 'integer' : 'number');

/** The minor version since which servers ask whether a number fits its type and format. */
const sinceRanges = 36;

/** Reports whether a number fits, and adds a cause if not. `what` is the number in messages. */
type Fits = (number: Numeric, what: string) => boolean;

/** Adds a cause for each keyword that a number fails, but for its type, on a server of a minor version of Kubernetes. */
export function checkNumber(
  schema: StructuralSchema,
  value: Numeric,
  field: string,
  minor: number,
  causes: Causes,
): void {
  const fits: Fits = (number, what) => minor < sinceRanges || checkRange(schema, number, what, field, causes);
  fits(value, 'Checked');
  checkMultiple(schema, value, field, fits, causes);
  checkLimits(schema, value, field, fits, causes);
}

/** The least values of integers, by their format. The largest is one less than the opposite. */
const least: Readonly<Record<string, number>> = { int32: -(2 ** 31), int64: -(2 ** 63) };
/** The first value that is too large for a number of 32 bits. */
const tooLarge = 2 ** 128 - 2 ** 103;

/**
 * Adds a cause for a number that its type or format cannot hold. Reports whether it can. Real servers ask the same of the
 * numbers of the schema, and say where it is, but not as the field of the cause.
 */
function checkRange(schema: StructuralSchema, value: Numeric, what: string, field: string, causes: Causes): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  const { type } = schema;
  const format = formatOf(schema);
  if (type === 'integer') {
    const lowest = least[format === 'int32' ? format : 'int64'] as number;
    const isWhole = typeof value === 'bigint' || Number.isInteger(value);
    if (isWhole && value >= lowest && value < -lowest) return true;
  } else if (format !== 'float' || Math.abs(Number(value)) < tooLarge) return true;
  const which = format === undefined ? '(default format)' : `with format ${format}`;
  causes.invalid(rootField, '', `${what} value must be of type ${type ?? ''} ${which} in ${field}`);
  return false;
}

function checkMultiple(
  { multipleOf }: StructuralSchema,
  value: Numeric,
  field: string,
  fits: Fits,
  causes: Causes,
): void {
  if (multipleOf === undefined) return;
  const isExact = fits(multipleOf, 'MultipleOf') && isInteger(value);
  if (isMultiple(value, multipleOf, isExact)) return;
  if (isExact && Math.trunc(multipleOf) === 0) {
    causes.invalid(field, 0, `factor MultipleOf declared for ${field} must be positive: 0`);
  } else causes.invalid(field, value, `${field} in body should be a multiple of ${numberText(multipleOf)}`);
}

/** Integers are divided by the whole part of the factor, as on real servers; 0 divides none. */
function isMultiple(value: Numeric, factor: number, isExact: boolean): boolean {
  if (isExact) {
    const whole = Math.trunc(factor);
    if (whole === 0) return false;
    return typeof value === 'bigint' ? value % BigInt(whole) === 0n : value % whole === 0;
  }
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  return isNearlyWhole(quotient);
}

/** How far from a whole number a quotient of fractions may be, in proportion. */
const tolerance = 1e-9;

function isNearlyWhole(quotient: number): boolean {
  const size = Math.abs(quotient);
  if (!(size <= Number.MAX_SAFE_INTEGER)) return false;
  const whole = Math.trunc(size);
  if (size === whole) return true;
  return whole !== 0 && quotient > 0 && (size - whole) / (size + whole) < tolerance;
}

/** Integers are compared with the whole part of a limit that its type can hold, as on real servers. */
function checkLimits(schema: StructuralSchema, value: Numeric, field: string, fits: Fits, causes: Causes): void {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum } = schema;
  const check = (given: number | undefined, side: 'Minimum' | 'Maximum', isExclusive = false) => {
    if (given === undefined) return;
    const isExact = fits(given, `${side} boundary`) && isInteger(value);
    const limit = isExact ? Math.trunc(given) : given;
    const [isRight, what] = side === 'Minimum' ? [value > limit, 'greater than'] : [value < limit, 'less than'];
    // An integer and a number are equal in value, not in type.
    const isEqual = !(value < limit) && !(value > limit);
    if (isRight || (isEqual && !isExclusive)) return;
    const words = isExclusive ? what : `${what} or equal to`;
    causes.invalid(field, value, `${field} in body should be ${words} ${isExact ? limit : numberText(limit)}`);
  };
  check(minimum, 'Minimum', exclusiveMinimum);
  check(maximum, 'Maximum', exclusiveMaximum);
}
