// Makes folders, for all parts of the package.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes a folder and its parents. (The `recursive` option of Node never returns for a path below /proc.) */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  const path = resolve(folder);
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(path)) throw error;
  }
}
