// Room in the file of lmdb: the file is longer than its pages need, so that a commit never meets a full disk. On a full
// disk lmdb 3.5.6 may end the process: its message about a failed write can be longer than the memory for it.
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';

const pieceBytes = 64 * 1024;
/** The codes of errors that say that there is no room. */
const full: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Reports whether the disk has room for a file of so many bytes, which is written and removed. */
export function hasRoom(file: string, bytes: number): boolean {
  try {
    writeFileSync(file, randomBytes(bytes), { mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if (!full.includes((error as NodeJS.ErrnoException).code)) throw error;
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}

/** The file of a store, which grows before lmdb needs the room. No commit may be under way in any call. */
export class FileRoom {
  /** The length of the file in bytes, as far as it is known. */
  #size = 0;
  // Some file systems store zeros without using room.
  readonly #piece = randomBytes(pieceBytes);

  constructor(readonly file: string) {}

  /** Reports whether the file is known to be that long. */
  reaches(end: number): boolean {
    return this.#size >= end;
  }

  /**
   * Makes the file `end` bytes long, and up to `more` bytes longer. Returns false if the disk has no room for `end`; the
   * file is then as long as before. Throws any other error of the file system.
   */
  make(end: number, more: number): boolean {
    // Appending overwrites no page.
    const file = openSync(this.file, 'a');
    const before = fstatSync(file).size;
    this.#size = before;
    try {
      while (this.#size < end + more) this.#size += writeSync(file, this.#piece);
    } catch (error) {
      if (!full.includes((error as NodeJS.ErrnoException).code)) throw error;
      if (this.#size < end) this.#size = before;
      ftruncateSync(file, this.#size);
    } finally {
      closeSync(file);
    }
    return this.reaches(end);
  }

  /** Gives the room behind the pages back. */
  cut(end: number): void {
    truncateSync(this.file, end);
    this.#size = end;
  }
}
