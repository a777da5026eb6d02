// Bearer tokens that the user gives, checked before a request carries them.
import { UsageError } from '../errors.js';
import { readTextFile } from '../files.js';

/** Returns why no header can carry a token; undefined if one can. */
export function flawOf(token: string): string | undefined {
  if (token === '') return 'the token is empty';
  const place = [...token].findIndex((character) => character <= ' ' || character > '~');
  if (place === -1) return undefined;
  const code = (token.codePointAt(place) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `no header can carry the token: it has U+${code} at place ${place + 1}; give the token alone`;
}

/** Returns a token that a header can carry. Throws UsageError that begins with `where`, the place of the token. */
export function bearerToken(token: string, where: string): string {
  const flaw = flawOf(token);
  if (flaw !== undefined) throw new UsageError(`${where}: ${flaw}`);
  return token;
}

/** Returns the token in a file, without the blanks around it. Throws UsageError that begins with `where`. */
export const bearerTokenIn = (file: string, where: string): string =>
  bearerToken(readTextFile(file, where).trim(), `${where}: ${file}`);
