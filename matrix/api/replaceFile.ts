// Writes files, for all parts of the package.
import { existsSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that appears complete or not at all: a disk that is full leaves no half of it. What is there and is no
 * plain file, such as /dev/stdout, is written as it is. Throws the error of the file system.
 */
export function replaceFile(file: string, content: string): void {
  if (existsSync(file) && !lstatSync(file).isFile()) {
    writeFileSync(file, content);
    return;
  }
  const unfinished = `${file}.unfinished`;
  try {
    writeFileSync(unfinished, content);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
