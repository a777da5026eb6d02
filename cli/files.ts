// The files of this package, and those that the user has named.
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { whyNot } from '../matrix/api/fileFailure.js';
import { makeFolder } from '../matrix/api/makeFolder.js';
import { readText } from '../matrix/api/readText.js';
import { UsageError } from './errors.js';

/** The folder of package.json, for both compiled and uncompiled code. */
export const packageRoot = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}

export const version = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string }
).version;

/** Reads a text. Throws UsageError that begins with `where`, the option or field that names the file. */
export function readTextFile(file: string, where: string, most?: number): string {
  try {
    return readText(file, most);
  } catch (error) {
    throw new UsageError(`${where}: cannot read ${file}: ${whyNot(error)}`);
  }
}

/** Writes a text, and makes missing directories. Throws UsageError with one sentence if it cannot be written. */
export function writeTextFile(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${whyNot(error)}`);
  }
}

/**
 * Writes a file that only its owner can read. It appears complete or not at all, so that programs that wait for it can
 * read it at once. Rejects with the file system's error.
 */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes the folder that an option names. Throws UsageError if nothing can be written into it: before the work is done. */
export function checkFolder(folder: string, option = '--output'): void {
  try {
    makeFolder(folder);
    rmdirSync(mkdtempSync(join(folder, '.probe-')));
  } catch (error) {
    throw new UsageError(`${option}: cannot write into ${folder}: ${whyNot(error)}: give another folder`);
  }
}

/** Makes the folder of a file that an option names. Throws UsageError if the file cannot be written. */
export function checkFile(file: string, option: string): void {
  checkFolder(dirname(file), option);
  if (!existsSync(file)) return;
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${option}: cannot write ${file}: ${whyNot(error)}`);
  }
}

/**
 * Returns a path as others may read it: relative if it is below the folder of this process, else only its last part.
 * Artefacts tell nothing of the machine that made them.
 */
export function publicPath(path: string): string {
  if (!isAbsolute(path)) return path;
  const below = relative(process.cwd(), path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? basename(path) : below;
}

/** Returns the path as a user would type it. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

/** Resolves a path that is relative to the folder of the file that names it. */
export const besideFile = (file: string, path: string): string =>
  isAbsolute(path) ? path : join(dirname(resolve(file)), path);
