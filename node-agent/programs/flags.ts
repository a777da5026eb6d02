// The options of programs that have long names, or both long and short ones.
import { ProgramError } from '../kernel/process.js';

interface Known {
  /** Options without a value, with their dashes. */
  readonly flags?: readonly string[];
  /** Options with a value: the next argument, or what follows `=`; after one dash and a letter, the rest. */
  readonly valued?: readonly string[];
}

interface Parsed {
  readonly flags: ReadonlySet<string>;
  readonly rest: readonly string[];
  /** Returns the values of some options, in the order in which they were given. */
  valuesOf(...names: readonly string[]): string[];
}

/** Parses arguments. Letters may share a dash. Throws ProgramError for an option that is not known. */
export function parseFlags(args: readonly string[], { flags = [], valued = [] }: Known): Parsed {
  const found = new Set<string>();
  const values: (readonly [name: string, value: string])[] = [];
  const rest: string[] = [];
  const left = [...args];
  const take = (name: string, inline: string | undefined) => {
    const value = inline ?? left.shift();
    if (value === undefined) throw new ProgramError(`option ${name} needs a value`, 2);
    values.push([name, value]);
  };
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const equals = argument.indexOf('=');
    const long = equals < 0 ? argument : argument.slice(0, equals);
    if (argument === '--') rest.push(...left.splice(0));
    else if (!/^-./.test(argument)) rest.push(argument);
    else if (argument.startsWith('--')) {
      if (valued.includes(long)) take(long, equals < 0 ? undefined : argument.slice(equals + 1));
      else if (flags.includes(argument)) found.add(argument);
      else throw new ProgramError(`unknown option ${long}`, 2);
    } else {
      for (let at = 1; at < argument.length; at++) {
        const letter = `-${argument.charAt(at)}`;
        if (valued.includes(letter)) {
          take(letter, argument.slice(at + 1) || undefined);
          break;
        }
        if (!flags.includes(letter)) throw new ProgramError(`unknown option ${letter}`, 2);
        found.add(letter);
      }
    }
  }
  return {
    flags: found,
    rest,
    valuesOf: (...names) => values.flatMap(([name, value]) => (names.includes(name) ? [value] : [])),
  };
}

/** Parses a number that is not negative. Throws ProgramError. */
export function numberOf(text: string): number {
  const number = Number(text);
  if (text === '' || !(number >= 0)) throw new ProgramError(`"${text}" is not a number`, 2);
  return number;
}
