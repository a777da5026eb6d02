// The checks of numbers by the keywords of a schema node. Integers are exact: those beyond 2⁵³ are bigints.
import type { Causes } from '../../schema/causes.js';
import { numberText } from '../../schema/goText.js';
import type { StructuralSchema } from './structuralSchema.js';

type Numeric = number | bigint;

/** Reports whether a number is an integer for a schema: exact, however it was written. */
const isInteger = (value: Numeric): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

/** The type of a number in the words of schemas. */
export const kindOfNumber = (value: Numeric): string => (isInteger(value) ? 'integer' : 'number');

/** Adds a cause for each keyword that a number fails. Reports whether it has one of the types of the node. */
export function checkNumber(schema: StructuralSchema, value: Numeric, field: string, causes: Causes): boolean {
  const hasType = checkType(schema, value, field, causes);
  if (hasType) checkFormat(schema, value, field, causes);
  checkMultiple(schema, value, field, causes);
  checkLimits(schema, value, field, causes);
  return hasType;
}

function checkType(schema: StructuralSchema, value: Numeric, field: string, causes: Causes): boolean {
  const { type, format } = schema;
  const types = schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : type ? [type] : [];
  if (types.length === 0 || types.includes('number') || (types.includes('integer') && isInteger(value))) return true;
  const isSized = type === 'integer' && format !== undefined && Object.hasOwn(least, format);
  const [wanted, kind] = isSized ? [format, 'float64'] : [types.join(','), kindOfNumber(value)];
  causes.typeInvalid(field, kind, `must be of type ${wanted}: "${kind}"`);
  return false;
}

/** The least values of the formats of integers. The largest is one less than the opposite. */
const least: Readonly<Record<string, number>> = { int32: -(2 ** 31), int64: -(2 ** 63) };

function checkFormat({ type, format }: StructuralSchema, value: Numeric, field: string, causes: Causes): void {
  const lowest = type === 'string' || format === undefined || !Object.hasOwn(least, format) ? undefined : least[format];
  if (lowest === undefined || (value >= lowest && value < -lowest)) return;
  causes.invalid(field, value, `Checked value must be of type integer with format ${format} in ${field}`);
}

function checkMultiple({ multipleOf }: StructuralSchema, value: Numeric, field: string, causes: Causes): void {
  if (multipleOf === undefined || isMultiple(value, multipleOf)) return;
  if (isInteger(value) && Math.trunc(multipleOf) === 0) {
    causes.invalid(field, 0, `factor MultipleOf declared for ${field} must be positive: 0`);
  } else causes.invalid(field, value, `${field} in body should be a multiple of ${numberText(multipleOf)}`);
}

/** Integers are divided by the whole part of the factor, as on real servers; 0 divides none. */
function isMultiple(value: Numeric, factor: number): boolean {
  if (isInteger(value)) {
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

/** Integers are compared with the whole part of a limit, as on real servers. */
function checkLimits(schema: StructuralSchema, value: Numeric, field: string, causes: Causes): void {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const limitOf = (limit: number | undefined) => (limit !== undefined && isInteger(value) ? Math.trunc(limit) : limit);
  const [minimum, maximum] = [limitOf(schema.minimum), limitOf(schema.maximum)];
  const require = (isRight: boolean, what: string, limit: number) => {
    if (!isRight)
      causes.invalid(
        field,
        value,
        `${field} in body should be ${what} ${isInteger(value) ? limit : numberText(limit)}`,
      );
  };
  if (maximum !== undefined) {
    if (exclusiveMaximum === true) require(value < maximum, 'less than', maximum);
    else require(value <= maximum, 'less than or equal to', maximum);
  }
  if (minimum !== undefined) {
    if (exclusiveMinimum === true) require(value > minimum, 'greater than', minimum);
    else require(value >= minimum, 'greater than or equal to', minimum);
  }
}
