// The conversions between types of values, and the parts of moments.

import { doubleText } from '../../../schema/goText.js';
import { momentOf } from '../../../schema/moment.js';
import { Duration, Timestamp, Uint, type Value } from '../values.js';
import { define, fail, type Overload, readCost, sameSize } from './define.js';
import { timestampOf } from './operators.js';

const second = 1_000_000_000n;

function intOf(value: number, isSigned: boolean): bigint {
  const [least, most] = isSigned ? [-(2 ** 63), 2 ** 63] : [0, 2 ** 64];
  const isInside = isSigned ? value > least && value < most : value >= least && value < most;
  return isInside ? BigInt(Math.trunc(value)) : fail(isSigned ? 'integer overflow' : 'unsigned integer overflow');
}

function parseInteger(text: string, form: RegExp, range: (value: bigint) => bigint): bigint {
  const value = form.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (value !== undefined && range(value) === value) return value;
  return noConversion(range === asUint ? 'uint' : 'int');
}

const noConversion = (to: string): never => fail(`type conversion error from 'string' to '${to}'`);

const asInt = (value: bigint): bigint => BigInt.asIntN(64, value);
const asUint = (value: bigint): bigint => BigInt.asUintN(64, value);

function parseDouble(text: string): number {
  const words: Readonly<Record<string, number>> = {
    inf: Infinity,
    '+inf': Infinity,
    '-inf': -Infinity,
    infinity: Infinity,
    nan: Number.NaN,
  };
  const word = Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined;
  if (word !== undefined) return word;
  if (text.length > 400 || !/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) {
    return noConversion('double');
  }
  return Number(text);
}

const booleans = new Map<string, boolean>([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return fail('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** Reads a duration as Go does: `1h30m`. Returns undefined for other text. */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > 200) return undefined;
  const isNegative = text.startsWith('-');
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  let nanos = 0n;
  if (rest === '') return undefined;
  while (rest !== '') {
    const [whole, digits = '', fraction = '', unit = ''] = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/.exec(rest) ?? [];
    const size = units[unit];
    if (whole === undefined || size === undefined || digits + fraction === '') return undefined;
    nanos += BigInt(digits || '0') * size;
    if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    rest = rest.slice(whole.length);
  }
  const signed = isNegative ? -nanos : nanos;
  return signed === BigInt.asIntN(64, signed) ? signed : undefined;
}

/** Reads a moment of RFC 3339, in nanoseconds since 1970. Returns undefined for other text. */
export function parseTimestamp(text: string): bigint | undefined {
  const moment = text.length < 100 ? momentOf(text) : undefined;
  return moment && BigInt(moment.millis) * 1_000_000n + BigInt(moment.fraction.slice(0, 9).padEnd(9, '0'));
}

export function timestampText({ nanos }: Timestamp): string {
  const millis = nanos / 1_000_000n - (nanos % 1_000_000n < 0n ? 1n : 0n);
  return `${new Date(Number(millis)).toISOString().slice(0, 19)}${fractionText(((nanos % second) + second) % second)}Z`;
}

export function durationText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  return `${nanos < 0n ? '-' : ''}${size / second}${fractionText(size % second)}s`;
}

/** Returns nanoseconds below a second as a decimal fraction, which is empty for none. */
function fractionText(nanos: bigint): string {
  const digits = String(nanos).padStart(9, '0');
  return nanos === 0n ? '' : `.${digits.replace(/(?<!0)0+$/, '')}`;
}

/** Returns the moment's clock in a zone, as a date whose UTC parts are those of the zone. */
function clockIn({ nanos }: Timestamp, zone: string): Date {
  const date = new Date(Number(nanos / 1_000_000n - (nanos % 1_000_000n < 0n ? 1n : 0n)));
  if (zone === '' || zone === 'UTC') return date;
  const [fixed, sign, hours, minutes] = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (fixed !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return new Date(date.getTime() + (sign === '-' ? -offset : offset));
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const part = new Map(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
    const of = (name: Intl.DateTimeFormatPartTypes): number => part.get(name) ?? 0;
    const millis = ((date.getTime() % 1000) + 1000) % 1000;
    return new Date(Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'), millis));
  } catch {
    return fail(`unknown time zone ${zone}`);
  }
}

const dayOfYear = (date: Date): number => {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  return Math.round((date.getTime() - start.getTime()) / 86_400_000);
};

const parts: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: dayOfYear,
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const lengths: Readonly<Record<string, (nanos: bigint) => bigint>> = {
  getHours: (nanos) => nanos / (3600n * second),
  getMinutes: (nanos) => nanos / (60n * second),
  getSeconds: (nanos) => nanos / second,
  getMilliseconds: (nanos) => nanos / 1_000_000n,
};

const same = (value: Value): Value => value;

export const conversions: readonly Overload[] = [
  ...['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint'].map((type) =>
    define(`${type}(${type}): ${type}`, same, undefined, sameSize),
  ),
  define<[string]>('bool(string): bool', (text) => booleans.get(text) ?? noConversion('bool')),
  define<[string]>(
    'bytes(string): bytes',
    (text) => new Uint8Array(Buffer.from(text)),
    readCost,
    ({ least, most }) => ({ least, most: most * 4 }),
  ),
  define<[bigint]>('double(int): double', Number),
  define<[Uint]>('double(uint): double', ({ value }) => Number(value)),
  define<[string]>('double(string): double', parseDouble),
  define<[number]>('int(double): int', (value) => intOf(value, true)),
  define<[Uint]>('int(uint): int', ({ value }) => (value === asInt(value) ? value : fail('integer overflow'))),
  define<[string]>('int(string): int', (text) => parseInteger(text, /^[+-]?\d{1,30}$/, asInt)),
  define<[Timestamp]>('int(timestamp): int', ({ nanos }) => nanos / second - (nanos % second < 0n ? 1n : 0n)),
  define<[Duration]>('int(duration): int', ({ nanos }) => nanos),
  define<[number]>('uint(double): uint', (value) => new Uint(intOf(value, false))),
  define<[bigint]>('uint(int): uint', (value) => (value < 0n ? fail('unsigned integer overflow') : new Uint(value))),
  define<[string]>('uint(string): uint', (text) => new Uint(parseInteger(text, /^\d{1,30}$/, asUint))),
  define<[boolean]>('string(bool): string', String),
  define<[bigint]>('string(int): string', String),
  define<[Uint]>('string(uint): string', ({ value }) => String(value)),
  define<[number]>('string(double): string', doubleText),
  define<[Uint8Array]>('string(bytes): string', decode, readCost, sameSize),
  define<[Timestamp]>('string(timestamp): string', timestampText),
  define<[Duration]>('string(duration): string', durationText),
  define<[string]>('timestamp(string): timestamp', (text) => {
    const nanos = parseTimestamp(text);
    return nanos === undefined
      ? fail(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`)
      : new Timestamp(nanos);
  }),
  define<[bigint]>('timestamp(int): timestamp', (seconds) => timestampOf(seconds * second)),
  define<[string]>('duration(string): duration', (text) => {
    const nanos = parseDuration(text);
    return nanos === undefined ? fail(`time: invalid duration ${JSON.stringify(text)}`) : new Duration(nanos);
  }),
  ...Object.entries(parts).flatMap(([name, part]) => [
    define<[Timestamp]>(`(timestamp).${name}(): int`, (moment) => BigInt(part(clockIn(moment, '')))),
    define<[Timestamp, string]>(`(timestamp).${name}(string): int`, (moment, zone) =>
      BigInt(part(clockIn(moment, zone))),
    ),
  ]),
  ...Object.entries(lengths).map(([name, part]) =>
    define<[Duration]>(`(duration).${name}(): int`, ({ nanos }) => part(nanos)),
  ),
];
