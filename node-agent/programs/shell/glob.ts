// Matches patterns with `*` and `?` against file names.
import { posix } from 'node:path';
import type { FileSystem } from '../../kernel/fileSystem.js';
import { FileError } from '../../kernel/nodes.js';

/**
 * Returns the matching paths, sorted, or the pattern itself if there are none. A backslash makes the next character
 * literal.
 */
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
    return files.lookup(posix.resolve(directory, path)) === undefined ? [] : [path];
  }
  const pieces = piecesOf(part);
  return names(files, posix.resolve(directory, base))
    .filter((name) => matches(pieces, name) && (part.startsWith('.') || !name.startsWith('.')))
    .map((name) => posix.join(base, name));
}

/** A piece of a pattern: `any` is a `*`, `one` a `?`. */
type Piece = { readonly kind: 'any' | 'one' } | { readonly kind: 'character'; readonly character: string };

function piecesOf(pattern: string): readonly Piece[] {
  return [...pattern.matchAll(/\\?[\s\S]/g)].map(([text]) => {
    if (text === '*') return { kind: 'any' };
    if (text === '?') return { kind: 'one' };
    return { kind: 'character', character: text.slice(-1) };
  });
}

/** Matches a name. Backtracks only to the last `*`, so that no pattern takes exponential time. */
function matches(pieces: readonly Piece[], name: string): boolean {
  let [at, piece] = [0, 0];
  let star: { readonly piece: number; at: number } | undefined;
  while (at < name.length) {
    const wanted = pieces[piece];
    if (wanted?.kind === 'any') star = { piece: piece++, at };
    else if (wanted?.kind === 'one' || (wanted?.kind === 'character' && wanted.character === name[at])) {
      at++;
      piece++;
    } else if (star !== undefined) {
      at = ++star.at;
      piece = star.piece + 1;
    } else return false;
  }
  return pieces.slice(piece).every(({ kind }) => kind === 'any');
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
