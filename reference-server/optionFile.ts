// Reads the files of options.
import { readFile } from 'node:fs/promises';
import { OptionError } from './optionError.js';

/** Reads the file of an option. Throws an OptionError that begins with `where`. */
export async function readOptionFile(where: string, file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: Error) => {
    throw new OptionError(`${where}: ${error.message}`);
  });
}
