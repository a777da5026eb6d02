// The command lines of programs with short options, and the paths and inputs that they name.
import { posix } from 'node:path';
import { FileError } from '../kernel/fileSystem.js';
import { type Process, ProgramError } from '../kernel/process.js';
import { type Input, writeText } from '../kernel/streams.js';

export interface CommandLine {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
}

/** Parses options: letters in `valued` have a value, the next characters or the next argument. Throws ProgramError. */
export function parseOptions({ argv }: Process, letters: string, valued = ''): CommandLine {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const paths: string[] = [];
  const left = argv.slice(1);
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    if (!/^-./.test(argument)) paths.push(argument);
    for (let at = 1; /^-./.test(argument) && at < argument.length; at++) {
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
  return { flags, values, paths };
}

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
      await writeText(process.stderr, `${process.argv[0]}: ${error.message}\n`);
      code = 1;
    }
  }
  return code;
}

/** Reads the files one after the other. `-`, or no path, means stdin. */
export const forEachInput = (
  process: Process,
  paths: readonly string[],
  act: (input: Input, path: string) => Promise<void>,
): Promise<number> =>
  forEachPath(process, paths.length === 0 ? ['-'] : paths, (path) =>
    act(path === '-' ? process.stdin : process.sandbox.files.input(resolvePath(process, path)), path),
  );
