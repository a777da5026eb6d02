// Suggests known names for an unknown one.

/** Returns the known name nearest to the given one, or undefined if there are none. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  let found: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const edits = distance(written, name);
    if (edits < least) [found, least] = [name, edits];
  }
  return found;
}

/** More names than this are a list that nobody reads: the similar name is enough. */
const many = 30;

/**
 * Returns a sentence about an unknown name, without the full stop, with a similar name if there is one: `there is no
 * profile smok; did you mean smoke? There are smoke, standard, full`.
 */
export function unknownName(what: string, written: string, known: readonly string[]): string {
  const none = `there is no ${what} ${written}`;
  const guess = near(written, known);
  const all = known.join(', ');
  if (guess === undefined) return `${none}; there are ${all}`;
  return `${none}; did you mean ${guess}?${known.length > many ? '' : ` There are ${all}`}`;
}

/** Returns the same for a field of a file: `unknown field nmae; did you mean name? Known are name, url`. */
export function unknownField(written: string, known: readonly string[]): string {
  const guess = near(written, known);
  const all = known.join(', ');
  return `unknown field ${written}; ${guess === undefined ? 'known' : `did you mean ${guess}? Known`} are ${all}`;
}

/** Returns the nearest name, unless more than half of it differs, or more than another share. */
export function near(written: string, known: readonly string[], most = 1 / 2): string | undefined {
  const name = nearest(written, known);
  if (name === undefined) return undefined;
  return distance(written, name) <= Math.max(written.length, name.length) * most ? name : undefined;
}

/** The number of characters to add, remove or change, or of neighbours to swap, in whichever case they are written. */
function distance(one: string, other: string): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[index] === to[column - 1] ? 0 : 1;
      const isSwapped = index > 0 && from[index] === to[column - 2] && from[index - 1] === to[column - 1];
      const swapped = isSwapped ? (above[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[column - 1] ?? 0) + same, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, swapped));
    }
    [above, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
