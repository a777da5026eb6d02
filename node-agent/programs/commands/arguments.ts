// The arguments of a command: options, and paths.
import { posix } from 'node:path';
import { FileError } from '../../kernel/nodes.js';
import { type Process, ProgramError } from '../../kernel/process.js';

export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
}

/**
 * Parses options. `letters` are flags; letters in `valued` have a value: the next characters, or the next argument.
 * Throws ProgramError.
 */
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
        if (value === undefined) throw new ProgramError(`option -${letter} needs a value`);
        values.set(letter, value);
        break;
      }
      if (!letters.includes(letter)) throw new ProgramError(`unknown option -${letter}`);
      flags.add(letter);
    }
  }
  return { flags, values, rest };
}

/** Returns the absolute path. */
export const resolvePath = ({ directory }: Process, path: string): string => posix.resolve(directory, path);

/** Calls `act` for each path. Reports a FileError, continues with the next path, and then returns exit code 1. */
export async function forEachPath(
  process: Process,
  paths: readonly string[],
  act: (path: string) => Promise<void> | void,
): Promise<number> {
  let code = 0;
  for (const path of paths) {
    try {
      await act(path);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await process.stderr.write(Buffer.from(`${process.argv[0]}: ${error.message}\n`));
      code = 1;
    }
  }
  return code;
}
