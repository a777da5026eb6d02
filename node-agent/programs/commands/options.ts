// Reads the options of a command: letters in any order, values beside them.
import { Failure } from '../program.js';

export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
}

/** `letters` are flags; those in `valued` take the next characters or the next argument. Throws Failure. */
export function parseOptions(argv: readonly string[], letters: string, valued = ''): Options {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const rest: string[] = [];
  const left = argv.slice(1);
  while (left.length > 0) {
    const argument = left.shift() ?? '';
    if (argument === '--') {
      rest.push(...left);
      break;
    }
    if (!/^-./.test(argument)) {
      rest.push(argument);
      continue;
    }
    for (let at = 1; at < argument.length; at++) {
      const letter = argument.charAt(at);
      if (valued.includes(letter)) {
        const value = argument.slice(at + 1) || left.shift();
        if (value === undefined) throw new Failure(`option -${letter} needs a value`);
        values.set(letter, value);
        break;
      }
      if (!letters.includes(letter)) throw new Failure(`unknown option -${letter}`);
      flags.add(letter);
    }
  }
  return { flags, values, rest };
}
