// The scalar types of the field table: the JSON that each type accepts, and its canonical form.

import type { Scalar } from '../../matrix/api/modern/index.js';
import { isNumeric, writtenNumber } from '../exactJson.js';
import { momentOf } from './moment.js';
import { canonicalQuantity, quantityRule } from './quantity.js';

/** A value that does not have the type of its field. Callers up the stack complete the path. */
export class TypeMismatch extends Error {
  path = '';

  /** Puts the name of a field, or the index of an item, before the path. */
  inside(step: string | number): this {
    const next = typeof step === 'number' ? `[${step}]` : step;
    this.path = this.path === '' || this.path.startsWith('[') ? next + this.path : `${next}.${this.path}`;
    return this;
  }
}

/** The name of a value's type in messages. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

const expected = (type: string, value: unknown) =>
  new TypeMismatch(`expected ${type}, got ${writtenNumber(value) ?? typeName(value)}`);

/** Checks a value of one scalar type and returns the value to keep. Throws TypeMismatch. */
export type ScalarDecoder = (value: unknown) => unknown;

export const scalars: Readonly<Record<Scalar, ScalarDecoder>> = {
  string: (value) => {
    if (typeof value !== 'string') throw expected('string', value);
    return value;
  },
  boolean: (value) => {
    if (typeof value !== 'boolean') throw expected('boolean', value);
    return value;
  },
  int32: (value) => integer(value, 'int32', -2147483648, 2147483647),
  // An int64 that a number cannot hold is a bigint.
  int64: (value) =>
    typeof value === 'bigint' ? value : integer(value, 'int64', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  bytes: (value) => {
    if (typeof value !== 'string') throw expected('base64 string', value);
    return base64(value);
  },
  quantity: (value) => {
    if (typeof value !== 'string' && !isNumeric(value)) throw expected('quantity', value);
    const canonical = canonicalQuantity(writtenNumber(value) ?? String(value));
    if (canonical === undefined) throw new TypeMismatch(quantityRule);
    return canonical;
  },
  intOrString: (value) =>
    typeof value === 'string' && writtenNumber(value) === undefined
      ? value
      : integer(value, 'int32 or string', -2147483648, 2147483647),
  time: (value) => {
    if (typeof value !== 'string') throw expected('time string', value);
    return time(value);
  },
  microTime: (value) => {
    if (typeof value !== 'string') throw expected('time string', value);
    return microTime(value);
  },
  raw: (value) => value,
  number: (value) => {
    const number = writtenNumber(value) ?? value;
    if (number === value && !isNumeric(value)) throw expected('number', value);
    return Number(number);
  },
};

/** The zero value that servers write for an absent required scalar; undefined if the type has none. */
export const zeroValues: Readonly<Partial<Record<Scalar, unknown>>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  time: null,
  microTime: null,
};

/** The values that `null` stands for in a list or a map. */
export const zeroItems: Readonly<Record<Scalar, unknown>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  number: 0,
  bytes: '',
  quantity: '0',
  intOrString: 0,
  time: null,
  microTime: null,
  raw: null,
};

function integer(value: unknown, type: string, least: number, most: number): number {
  if (!isNumeric(value)) throw expected(type, value);
  if (typeof value === 'bigint' || !Number.isInteger(value) || value < least || value > most) {
    throw new TypeMismatch(`expected ${type}, got ${value}`);
  }
  return value;
}

const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function base64(value: string): string {
  // Line breaks are not part of the value.
  const text = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, '') : value;
  if (base64Form.test(text)) return text.endsWith('=') ? text.slice(0, -4) + canonicalEnd(text.slice(-4)) : text;
  const good = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  throw new TypeMismatch(`illegal base64 data at input byte ${good}`);
}

/** Bits of the last group that no byte has may be set: like real servers, which keep the bytes, forgets them. */
const canonicalEnd = (group: string): string => Buffer.from(group, 'base64').toString('base64');

function time(value: string): string {
  const moment = momentOf(value);
  if (moment !== undefined) return `${moment.second}Z`;
  throw new TypeMismatch(`parsing time "${value}" as "2006-01-02T15:04:05Z07:00": cannot parse "${value}" as RFC 3339`);
}

/** A time with exactly six digits after the second, in UTC. */
function microTime(value: string): string {
  const moment = momentOf(value);
  if (moment?.fraction.length === 6) return `${moment.second}.${moment.fraction}Z`;
  throw new TypeMismatch(
    `parsing time "${value}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "${value}" as RFC 3339 with six digits`,
  );
}
