// The functions on texts.
import { doubleText } from '../../../schema/goText.js';
import { Duration, List, Mapping, Timestamp, TypeValue, typeNameOf, Uint, type Value } from '../values.js';
import { durationText, timestampText } from './conversions.js';
import {
  characters,
  define,
  fail,
  notLarger,
  type Overload,
  type Range,
  readCost,
  sameSize,
  searchCost,
} from './define.js';

/** The place of an index in characters. */
function place(index: bigint, size: number): number {
  return index < 0n || index > BigInt(size) ? fail(`index out of range: ${index}`) : Number(index);
}

/** Returns the index in characters at which a part begins, or -1. */
function indexOf(text: string, part: string, from = 0n): bigint {
  const units = [...text];
  if (from >= BigInt(units.length) && from > 0n) return -1n;
  const start = units.slice(0, place(from, units.length)).join('').length;
  const at = text.indexOf(part, start);
  return at === -1 ? -1n : BigInt(characters(text.slice(0, at)));
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  if (part === '') return from ?? BigInt(characters(text));
  if (from === undefined && characters(text) < characters(part)) return -1n;
  const units = [...text];
  const start = from === undefined ? undefined : units.slice(0, place(from, units.length)).join('').length;
  const at = text.lastIndexOf(part, start);
  return at === -1 ? -1n : BigInt(characters(text.slice(0, at)));
}

function charAt(text: string, index: bigint): string {
  const units = [...text];
  return units[place(index, units.length)] ?? '';
}

function substring(text: string, start: bigint, end?: bigint): string {
  const units = [...text];
  const from = place(start, units.length);
  const to = end === undefined ? units.length : place(end, units.length);
  return from > to ? fail(`invalid substring range. start: ${start}, end: ${end}`) : units.slice(from, to).join('');
}

/** The longest text that a function makes of shorter ones. */
const longestText = 10_000_000;

/** Counts the characters of a text that is made. */
class Room {
  #left = longestText;

  take(text: string): string {
    this.#left -= text.length;
    return this.#left < 0 ? fail('the text is too long') : text;
  }
}

function replace(text: string, part: string, by: string, most = -1n): string {
  const places = part === '' ? text.length + 1 : text.length / part.length;
  if (places * by.length > longestText) {
    const found = part === '' ? places : text.split(part).length - 1;
    if (found * by.length > longestText) return fail('the text is too long');
  }
  if (most < 0n) return text.replaceAll(part, () => by);
  const count = most > BigInt(text.length + 1) ? text.length + 1 : Number(most);
  let done = 0;
  return text.replaceAll(part, () => (done++ < count ? by : part));
}

function split(text: string, by: string, most = -1n): List {
  if (most === 0n) return new List([]);
  const pieces = by === '' ? [...text] : text.split(by);
  if (most < 0n || BigInt(pieces.length) <= most) return new List(pieces);
  const count = Number(most) - 1;
  return new List([...pieces.slice(0, count), pieces.slice(count).join(by)]);
}

const trimmed = (text: string): string => text.replace(/^[\p{White_Space}]+/u, '').trimEnd();

function join(list: List, by = ''): string {
  const room = new Room();
  const texts = [...list].map((text) => (typeof text === 'string' ? room.take(text + by) : fail('no such overload')));
  return texts.join('').slice(0, texts.length === 0 ? 0 : -by.length || undefined);
}

const quotes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const quote = (text: string): string => `"${[...text].map((character) => quotes[character] ?? character).join('')}"`;

const formatError = (why: string): never => fail(`error during formatting: ${why}`);

function shown(value: Value, room: Room): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return room.take(value);
  if (typeof value === 'number') return Number.isFinite(value) ? doubleText(value) : infinite(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof List) return `[${[...value].map((item) => room.take(shown(item, room))).join(', ')}]`;
  if (value instanceof Mapping) {
    const entries = [...value.keys()].map(
      (key) => `${shown(key, room)}: ${room.take(shown(value.get(key as string) ?? null, room))}`,
    );
    return `{${entries.sort().join(', ')}}`;
  }
  return formatError(
    `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeNameOf(value)}`,
  );
}

const infinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');

function inBase(value: Value, base: number, what: string): string {
  const number = value instanceof Uint ? value.value : value;
  if (typeof number === 'bigint') return number.toString(base);
  if (base === 2 && typeof number === 'boolean') return number ? '1' : '0';
  return formatError(
    `${what} clause can only be used on integers${base === 2 ? ' and bools' : ''}, was given ${typeNameOf(value)}`,
  );
}

function hexText(value: Value): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return inBase(value, 16, 'hex');
}

function numberText(value: Value, precision: number, isScientific: boolean): string {
  const number = typeof value === 'bigint' ? Number(value) : value instanceof Uint ? Number(value.value) : value;
  if (typeof number !== 'number') {
    const clause = isScientific ? 'scientific' : 'fixed-point';
    return formatError(`${clause} clause can only be used on doubles, was given ${typeNameOf(value)}`);
  }
  if (!Number.isFinite(number)) return infinite(number);
  if (!isScientific) return number.toFixed(precision);
  return number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The most digits after the point that a format may ask for. */
const mostDigits = 100;

function clause(letter: string, value: Value, precision: number, room: Room): string {
  switch (letter) {
    case 's':
      return shown(value, room);
    case 'd':
      return typeof value === 'number' && !Number.isFinite(value) ? infinite(value) : inBase(value, 10, 'decimal');
    case 'f':
    case 'e':
      return numberText(value, precision, letter === 'e');
    case 'b':
      return inBase(value, 2, 'binary');
    case 'o':
      return inBase(value, 8, 'octal');
    case 'x':
      return hexText(value);
    case 'X':
      return hexText(value).toUpperCase();
    default:
      return formatError(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  }
}

function format(text: string, args: List): string {
  let next = 0;
  const room = new Room();
  const made = text.replace(
    /%(?:%|(?:\.(\d{1,4}))?(.?))/gsu,
    (whole, digits: string | undefined, letter: string | undefined) => {
      if (whole === '%%') return '%';
      if (!letter) return formatError('unexpected end of string');
      if (next >= args.size) return formatError(`index ${next} out of range`);
      const precision = Number(digits ?? 6);
      if (precision > mostDigits) return formatError(`precision must be at most ${mostDigits}`);
      return room.take(clause(letter, args.at(next++), precision, room));
    },
  );
  return made;
}

const replacedSize = (text: Range, part: Range, by: Range): Range => ({
  least: 0,
  most: part.least > 0 && by.most <= part.least ? text.most : text.most + (text.most + 1) * by.most,
});

export const strings: readonly Overload[] = [
  define<[string, string]>('(string).contains(string): bool', (text, part) => text.includes(part), searchCost),
  define<[string, string]>(
    '(string).startsWith(string): bool',
    (text, part) => text.startsWith(part),
    (_text, part) => readCost(part ?? 0),
  ),
  define<[string, string]>(
    '(string).endsWith(string): bool',
    (text, part) => text.endsWith(part),
    (_text, part) => readCost(part ?? 0),
  ),
  define<[string, bigint]>('(string).charAt(int): string', charAt, readCost, () => ({ least: 0, most: 1 })),
  define<[string, string]>('(string).indexOf(string): int', indexOf, searchCost),
  define<[string, string, bigint]>('(string).indexOf(string, int): int', indexOf, searchCost),
  define<[string, string]>('(string).lastIndexOf(string): int', lastIndexOf, searchCost),
  define<[string, string, bigint]>('(string).lastIndexOf(string, int): int', lastIndexOf, searchCost),
  define<[string]>(
    '(string).lowerAscii(): string',
    (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    readCost,
    sameSize,
  ),
  define<[string]>(
    '(string).upperAscii(): string',
    (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    readCost,
    sameSize,
  ),
  define<[string, string, string]>('(string).replace(string, string): string', replace, readCost, replacedSize),
  define<[string, string, string, bigint]>(
    '(string).replace(string, string, int): string',
    replace,
    readCost,
    replacedSize,
  ),
  define<[string, string]>('(string).split(string): list(string)', split, readCost, notLarger),
  define<[string, string, bigint]>('(string).split(string, int): list(string)', split, readCost, notLarger),
  define<[string, bigint]>('(string).substring(int): string', substring, readCost, notLarger),
  define<[string, bigint, bigint]>('(string).substring(int, int): string', substring, readCost, notLarger),
  define<[string]>('(string).trim(): string', trimmed, readCost, notLarger),
  define<[List]>('(list(string)).join(): string', join, readCost),
  define<[List, string]>('(list(string)).join(string): string', join, readCost),
  define<[string, List]>('(string).format(list(dyn)): string', format, readCost),
  define<[string]>('strings.quote(string): string', quote, readCost, ({ least, most }) => ({
    least: least + 2,
    most: most * 2 + 2,
  })),
];
