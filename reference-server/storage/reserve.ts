// Room on the disk that is set aside for writes after which less is kept: on a full disk they need some before they free any.
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';

/** What a commit needs beside its values, at most: pages of the trees. */
export const spareBytes = 1024 * 1024;

/** Less is of no use. */
const leastBytes = spareBytes / 4;
/** What other files of the directory need now and then. */
const marginBytes = 64 * 1024;

/** A file that is there to be removed. */
export class Reserve {
  #isThere: boolean;

  constructor(readonly file: string) {
    this.#isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= leastBytes;
  }

  /** Frees the room. */
  release(): void {
    rmSync(this.file, { force: true });
    this.#isThere = false;
  }

  /** Sets the room aside again, or what is left of it. */
  renew(directory: string): void {
    if (this.#isThere) return;
    const { bavail, bsize } = statfsSync(directory);
    const bytes = Math.min(spareBytes, bavail * bsize - marginBytes);
    if (bytes < leastBytes) return;
    try {
      // Zeros take no room on every file system.
      writeFileSync(this.file, randomBytes(bytes), { mode: 0o600 });
      this.#isThere = true;
    } catch {
      // Another process took the room; half a file helps nobody.
      this.release();
    }
  }
}
