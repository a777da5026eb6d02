// Evidence is kept compressed: a whole run is a twentieth of its size. It is unpacked while it is read, because single
// lines are read again by their position.
import { createReadStream, createWriteStream, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const ending = '.gz';

/** Returns the file, or its compressed form if only that is there: `evidence.jsonl` also means `evidence.jsonl.gz`. */
export function presentFile(file: string): string {
  return !existsSync(file) && existsSync(`${file}${ending}`) ? `${file}${ending}` : file;
}

/** Compresses a file, which other users cannot read, and removes it. Returns the new file. */
export async function compressFile(file: string): Promise<string> {
  const compressed = `${file}${ending}`;
  const unfinished = `${compressed}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
    renameSync(unfinished, compressed);
  } catch (error) {
    // A full disk costs the compression, not the evidence.
    rmSync(unfinished, { force: true });
    throw error;
  }
  rmSync(file);
  return compressed;
}

/** A file to read, which is there until `remove` is called. */
interface PlainFile {
  readonly file: string;
  remove(): void;
}

/** Unpacks a file, if it is compressed, into a folder that other users cannot read. */
export async function plainFile(given: string): Promise<PlainFile> {
  const file = presentFile(given);
  if (!file.endsWith(ending)) return { file, remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'kube-api-conformance-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const plain = join(folder, 'evidence.jsonl');
  try {
    await pipeline(createReadStream(file), createGunzip(), createWriteStream(plain, { mode: 0o600 }));
    return { file: plain, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
