// The mark of a store: it says that the store is complete, and the version of its format.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataDirectoryError } from './dataDirectory.js';

const words = 'kube-api-conformance store, format';
const version = 1;

/**
 * Reports whether a store is marked. Throws DataDirectoryError if the mark has a later format, or the file is not a
 * mark.
 */
export function isMarked(file: string, directory: string): boolean {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const found = text.startsWith(words) ? text.slice(words.length).trim() : '';
  if (!/^\d+$/.test(found))
    throw new DataDirectoryError(damaged(directory, 'its file "format" is not as it was written'));
  if (Number(found) !== version) {
    throw new DataDirectoryError(
      `${directory} has a store of format ${found}, and this version reads format ${version}: use the version that wrote it, or take another directory`,
    );
  }
  return true;
}

/** Marks a store as complete. */
export function mark(file: string): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${words} ${version}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  if (process.platform === 'win32') return;
  const directory = openSync(dirname(file), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/** The message about a damaged store. */
export function damaged(directory: string, why: string): string {
  return `the store in ${directory} is damaged (${why}): restore the directory from a copy, or delete it to begin with an empty one`;
}
