// JSON whose integers are exact, as on real servers: an int64 that a number cannot hold (beyond 2⁵³) is a bigint, and what
// is written with a fraction or an exponent is no integer.
import { randomUUID } from 'node:crypto';

/** The mark of an integer in a text. No client knows it, so that no string of a client has it. */
const mark = `integer-${randomUUID()}:`;
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g');

/** Begins the text of a number, in `writtenValue`. */
const numberMark = `number-${randomUUID()}:`;
/** A number with a fraction or an exponent, as a member or an item. A string may look like one. */
const fraction = /(?:"\s*:|[[,])\s*-?\d+(?:\.\d|[eE])/;

/** The text of an integer that a number may not hold has a run of so many digits. */
export const longNumber = 16;
const manyDigits = new RegExp(`\\d{${longNumber}}`);
/** The most digits of an int64. */
const mostDigits = 19;

/** Parses a JSON text. Throws SyntaxError. Costs little more than JSON.parse, unless there may be a long integer. */
export function parseJson(text: string, mayRound = manyDigits.test(text)): unknown {
  if (!mayRound) return JSON.parse(text);
  const withMarks = withMarkedNumbers(text, manyDigits, markedInteger);
  if (withMarks === text) return JSON.parse(text);
  return JSON.parse(withMarks, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/**
 * Returns a value as JSON, as JSON.stringify does, also with a bigint in it; without one it costs the same. `replace`
 * returns what is written for a value inside.
 */
export function jsonText(value: unknown, space?: number, replace?: (inner: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replace && ((_name, inner: unknown) => replace(inner)), space);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const text = JSON.stringify(
      value,
      (_name, inner: unknown) => (typeof inner === 'bigint' ? `${mark}${inner}` : replace ? replace(inner) : inner),
      space,
    );
    return text.replaceAll(marked, '$1');
  }
}

/** Returns an integer from its digits: a number if that is exact or the integer is no int64, else a bigint. */
export function exactInteger(digits: string): number | bigint {
  const nearest = Number(digits);
  if (Number.isSafeInteger(nearest) || digits.replace('-', '').length > mostDigits) return nearest;
  const value = BigInt(digits);
  return value === BigInt.asIntN(64, value) ? value : nearest;
}

/** Returns the next int64, which after the last one is the first, as in Go. What has the type of a number may be a bigint. */
export const nextInteger = (value: number): number =>
  exactInteger(String(BigInt.asIntN(64, BigInt(value) + 1n))) as number;

/** Reports whether a value is an integer that a number cannot hold, or a number. */
export const isNumeric = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** Reports whether a JSON text may have a number with a fraction or an exponent. */
export const mayHaveFraction = (text: string): boolean => fraction.test(text);

/**
 * Parses a JSON text whose whole numbers with a fraction or an exponent, such as 3.0, stay what is written:
 * `writtenNumber` returns that. For checks: integers may be rounded. Throws SyntaxError.
 */
export const writtenValue = (text: string): unknown =>
  JSON.parse(
    withMarkedNumbers(text, /\d[.eE]/, (number, fraction, exponent) =>
      (fraction ?? exponent) !== undefined && Number.isInteger(Number(number)) ? `"${numberMark}${number}"` : number,
    ),
  );

/** Returns the text of a number in a `writtenValue`; undefined for any other value. */
export const writtenNumber = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(numberMark) ? value.slice(numberMark.length) : undefined;

type MarkNumber = (number: string, fraction?: string, exponent?: string) => string;

/** Returns a JSON text with marks in place of numbers, in those parts between strings that are like the given form. */
function withMarkedNumbers(text: string, form: RegExp, mark: MarkNumber): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    const between = text.slice(at, end);
    if (form.test(between)) {
      parts.push(text.slice(from, at), between.replace(/-?\d+(\.\d+)?([eE][+-]?\d+)?/g, mark));
      from = end;
    }
    at = quote === -1 ? end : stringEnd(text, quote);
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

function markedInteger(digits: string, fraction?: string, exponent?: string): string {
  if (fraction !== undefined || exponent !== undefined) return digits;
  return typeof exactInteger(digits) === 'bigint' ? `"${mark}${digits}"` : digits;
}

/** Returns the index after a string. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let before = quote;
    while (text.charAt(before - 1) === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}
