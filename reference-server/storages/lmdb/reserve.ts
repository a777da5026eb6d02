// Disk space reserved for writes that free room: on a full disk, such a write needs some room first.
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';

/** The most bytes that a commit needs beside its values, for pages of the trees. */
export const spareBytes = 1024 * 1024;

/** The smallest useful reserve, in bytes. */
const leastBytes = spareBytes / 4;
/** Room that is left free for other files of the directory, in bytes. */
const marginBytes = 64 * 1024;

/** A file that occupies disk space until the space is needed. */
export class Reserve {
  #isThere: boolean;

  constructor(readonly file: string) {
    this.#isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= leastBytes;
  }

  /** Removes the file, which frees the room. */
  release(): void {
    rmSync(this.file, { force: true });
    this.#isThere = false;
  }

  /** Reserves the room again, or as much as the disk has left. Does nothing if the room is already reserved. */
  renew(directory: string): void {
    if (this.#isThere) return;
    const { bavail, bsize } = statfsSync(directory);
    const bytes = Math.min(spareBytes, bavail * bsize - marginBytes);
    if (bytes < leastBytes) return;
    try {
      // Some file systems store zeros without using room.
      writeFileSync(this.file, randomBytes(bytes), { mode: 0o600 });
      this.#isThere = true;
    } catch {
      // Another process took the room, and half a file is of no use.
      this.release();
    }
  }
}
