// Files that the user has named.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { UsageError } from './errors.js';

/** Reads a text. Throws UsageError that begins with `where`, the option or field that names the file. */
export function readTextFile(file: string, where: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${where}: cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}

/** Writes a text, and makes missing directories. Throws UsageError with one sentence if it cannot be written. */
export function writeTextFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}

/** Resolves a path that is relative to the folder of the file that names it. */
export const besideFile = (file: string, path: string): string =>
  isAbsolute(path) ? path : join(dirname(resolve(file)), path);
