// Matches words with `*` and `?` against the names of files.
import { posix } from 'node:path';
import type { FileSystem } from '../../filesystem/fileSystem.js';
import { FileError } from '../../filesystem/nodes.js';

/** Paths that match, sorted; the pattern itself where none does. A backslash makes the next character plain. */
export function matchFiles(files: FileSystem, directory: string, pattern: string): string[] {
  if (!/(?<!\\)[*?]/.test(pattern)) return [plain(pattern)];
  let found = [pattern.startsWith('/') ? '/' : ''];
  for (const part of pattern.split('/').filter((text) => text !== '')) {
    found = found.flatMap((base) => step(files, directory, base, part));
  }
  return found.length === 0 ? [plain(pattern)] : found;
}

function step(files: FileSystem, directory: string, base: string, part: string): string[] {
  if (!/(?<!\\)[*?]/.test(part)) {
    const path = posix.join(base, plain(part));
    return files.look(posix.resolve(directory, path)) === undefined ? [] : [path];
  }
  const expression = new RegExp(`^${part.replace(/\\?[\s\S]/g, piece)}$`, 's');
  return names(files, posix.resolve(directory, base))
    .filter((name) => expression.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .map((name) => posix.join(base, name));
}

function piece(text: string): string {
  if (text === '*') return '.*';
  if (text === '?') return '.';
  return text.slice(-1).replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
}

function names(files: FileSystem, path: string): string[] {
  try {
    return files.list(path);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

const plain = (pattern: string): string => pattern.replace(/\\([\s\S])/g, '$1');
