// The formats of `printf`.
import { Failure } from '../program.js';
import { replaceEscapes } from './escapes.js';

const directive = /%(?:%|([-0+ ]*)(\d*)(?:\.(\d+))?([A-Za-z]))/g;

/** The format is used again as long as arguments are left. Throws Failure for a directive that is not there. */
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
    if (Number.isNaN(number)) throw new Failure(`invalid number "${argument}"`);
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
      throw new Failure(`%${letter}: invalid format`);
  }
}

function pad(text: string, flags = '', width = 0): string {
  const wide = Math.min(width, 4096);
  if (flags.includes('-')) return text.padEnd(wide);
  if (flags.includes('0'))
    return text.startsWith('-') ? `-${text.slice(1).padStart(wide - 1, '0')}` : text.padStart(wide, '0');
  return text.padStart(wide);
}
