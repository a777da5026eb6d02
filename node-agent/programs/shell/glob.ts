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
  const pieces = piecesOf(part);
  return names(files, posix.resolve(directory, base))
    .filter((name) => matches(pieces, name) && (part.startsWith('.') || !name.startsWith('.')))
    .map((name) => posix.join(base, name));
}

/** `any` is a `*`, `one` a `?`, everything else the character that it is. */
type Piece = { readonly kind: 'any' | 'one' } | { readonly kind: 'character'; readonly character: string };

function piecesOf(pattern: string): readonly Piece[] {
  return [...pattern.matchAll(/\\?[\s\S]/g)].map(([text]) => {
    if (text === '*') return { kind: 'any' };
    if (text === '?') return { kind: 'one' };
    return { kind: 'character', character: text.slice(-1) };
  });
}

/** Matches in one pass, going back to the last `*` only: no pattern takes long. */
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
