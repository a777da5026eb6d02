// The formats of `printf`, and the backslash escapes of `printf` and `echo -e`.
import { ProgramError } from '../../kernel/process.js';

const characters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** A byte that is not a character by itself becomes a lone surrogate: this number plus the byte. */
const byteAt = 0xdc00;
const loneByte = /([\u{dc80}-\u{dcff}])/u;

const charOf = (byte: number): string => String.fromCharCode(byte < 0x80 ? byte : byteAt + byte);

/** Replaces escapes. Unknown ones stay. `bytesOf` encodes the result. */
export function replaceEscapes(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([abefnrtv\\]))/g, (_, hex, octal, letter) => {
    if (hex !== undefined) return charOf(Number.parseInt(hex, 16));
    if (octal !== undefined) return charOf(Number.parseInt(octal, 8) & 0xff);
    return characters[letter] ?? '';
  });
}

/** Encodes a result of `replaceEscapes`. */
export const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(loneByte)
      .map((part) => (loneByte.test(part) ? Buffer.of(part.charCodeAt(0) - byteAt) : Buffer.from(part))),
  );

const directive = /%(?:%|([-0+ ]*)(\d*)(?:\.(\d+))?([A-Za-z]))/g;

/** Formats arguments. The format repeats while arguments are left. Throws ProgramError for an unknown directive. */
export function formatText(format: string, args: readonly string[]): string {
  const left = [...args];
  const plain = replaceEscapes(format);
  let text = '';
  do {
    const before = left.length;
    text += plain.replace(directive, (all, flags: string, width: string, precision: string, letter: string) =>
      all === '%%' ? '%' : pad(convert(letter, left.shift() ?? '', precision), flags, Number(width)),
    );
    if (left.length === before) break;
  } while (left.length > 0);
  return text;
}

function convert(letter: string, argument: string, precision: string | undefined): string {
  const number = argument === '' ? 0 : Number(argument);
  const checked = () => {
    if (Number.isNaN(number)) throw new ProgramError(`invalid number "${argument}"`);
    return number;
  };
  switch (letter) {
    case 's':
      return argument.slice(0, precision === undefined ? undefined : Number(precision));
    case 'b':
      return replaceEscapes(argument);
    case 'c':
      return argument.slice(0, 1);
    case 'd':
    case 'i':
    case 'u':
      return String(Math.trunc(checked()));
    case 'x':
      return Math.trunc(checked()).toString(16);
    case 'X':
      return Math.trunc(checked()).toString(16).toUpperCase();
    case 'o':
      return Math.trunc(checked()).toString(8);
    case 'f':
      return checked().toFixed(Math.min(Number(precision ?? 6), 20));
    default:
      throw new ProgramError(`%${letter}: invalid format`);
  }
}

function pad(text: string, flags = '', width = 0): string {
  const wide = Math.min(width, 4096);
  if (flags.includes('-')) return text.padEnd(wide);
  if (flags.includes('0'))
    return text.startsWith('-') ? `-${text.slice(1).padStart(wide - 1, '0')}` : text.padStart(wide, '0');
  return text.padStart(wide);
}
