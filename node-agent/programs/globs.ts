// Patterns of paths in the shell: `*` and `?` outside of quotes.
import { posix } from 'node:path';
import type { FileSystem } from '../kernel/fileSystem.js';
import { ProgramError } from '../kernel/process.js';

/** A part of a field, and whether it was quoted. */
export interface FieldPart {
  readonly text: string;
  readonly quoted: boolean;
}

/** A part of one character. */
type Character = FieldPart;

const isSpecial = ({ text, quoted }: Character): boolean => !quoted && (text === '*' || text === '?');

/** How many paths the patterns of a command may try: those of a directory with links to itself are without number. */
interface PathLimit {
  left: number;
}

/** The most. */
export const mostPaths = 20_000;

/**
 * Returns the paths that a field means, sorted; the field itself if none matches, or if it is no pattern. Throws
 * ProgramError beyond the limit.
 */
export function expandPaths(
  field: readonly FieldPart[],
  files: FileSystem,
  directory: string,
  limit: PathLimit,
): string[] {
  const text = field.map((part) => part.text).join('');
  if (!field.some((part) => !part.quoted && /[*?]/.test(part.text))) return [text];
  const parts = splitAtSlashes(field.flatMap(({ text, quoted }) => [...text].map((text) => ({ text, quoted }))));
  let found = [text.startsWith('/') ? '/' : ''];
  for (const [at, part] of parts.entries()) {
    const plain = part.map((character) => character.text).join('');
    if (plain === '') continue;
    const isLast = at === parts.length - 1;
    found = found.flatMap((before) => {
      const entries = part.some(isSpecial) ? namesIn(files, posix.resolve(directory, before)) : [plain];
      const wanted = entries.filter((name) => !part.some(isSpecial) || matches(name, part));
      const paths = wanted.map((name) => before + name);
      limit.left -= entries.length;
      if (limit.left < 0) throw new ProgramError(`${text}: Argument list too long`, 126);
      return isLast
        ? paths.filter((path) => files.find(posix.resolve(directory, path)) !== undefined)
        : paths.map((path) => `${path}/`);
    });
  }
  return found.length > 0 ? found.sort() : [text];
}

function splitAtSlashes(field: readonly Character[]): readonly (readonly Character[])[] {
  const parts: Character[][] = [[]];
  for (const character of field) {
    if (character.text === '/') parts.push([]);
    else parts.at(-1)?.push(character);
  }
  return parts;
}

const namesIn = (files: FileSystem, path: string): string[] =>
  files.find(path)?.kind === 'directory' ? files.list(path) : [];

/** Whether a name matches a pattern. A dot at the start is matched only by a dot. */
function matches(name: string, pattern: readonly Character[]): boolean {
  const [first] = pattern;
  if (name.startsWith('.') && first !== undefined && isSpecial(first)) return false;
  // After a mismatch, the last `*` takes one character more.
  let [at, star, from] = [0, -1, 0];
  let index = 0;
  while (index < name.length) {
    const character = pattern[at];
    if (character !== undefined && isSpecial(character) && character.text === '*') {
      [star, from] = [at++, index];
    } else if (
      character !== undefined &&
      ((isSpecial(character) && character.text === '?') || character.text === name[index])
    ) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++from;
    } else return false;
  }
  return pattern.slice(at).every((character) => isSpecial(character) && character.text === '*');
}
