// Writes certificates and keys to a folder. Only the owner can read keys, and existing files are not replaced.
import { chmod, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { whyNot } from '../matrix/api/fileFailure.js';
import { makeFolder } from '../matrix/api/makeFolder.js';
import { CertificateError } from './issue.js';

/** A file to write, with its path in the folder. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  /** Whether only the owner can read the file. */
  readonly secret?: boolean;
}

/**
 * Writes the files. Throws CertificateError if the folder is not writable, or if a file exists and `force` is not set;
 * then no file is written.
 */
export async function writeNewFiles(folder: string, files: readonly NewFile[], force = false): Promise<void> {
  const taken: string[] = [];
  for (const { path } of files) if (await isThere(join(folder, path))) taken.push(path);
  if (taken.length > 0 && !force) {
    throw new CertificateError(`${folder} holds ${some(taken)} already: give --force to replace, or another --out`);
  }
  try {
    for (const file of files) await writeOne(join(folder, file.path), file);
  } catch (error) {
    throw new CertificateError(`--out: cannot write into ${folder}: ${whyNot(error)}`);
  }
}

/** The most names of files in a sentence; the rest is only counted. */
const namedAtMost = 5;

function some(names: readonly string[]): string {
  const more = names.length - namedAtMost;
  return more > 0 ? `${names.slice(0, namedAtMost).join(', ')} and ${more} more` : names.join(', ');
}

async function writeOne(path: string, { text, secret = false }: NewFile): Promise<void> {
  makeFolder(dirname(path));
  const temporary = `${path}.new`;
  try {
    await rm(temporary, { force: true });
    await writeFile(temporary, text, { flag: 'wx', mode: secret ? 0o600 : 0o644 });
    await chmod(temporary, secret ? 0o600 : 0o644);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
