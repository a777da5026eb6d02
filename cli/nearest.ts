// What somebody meant who wrote a name that is not there.

/** The known name that differs least from the one that was written; undefined where none is known. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  let found: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const edits = distance(written, name);
    if (edits < least) [found, least] = [name, edits];
  }
  return found;
}

/** How many characters have to be added, taken away or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const same = character === to[column - 1] ? 0 : 1;
      next.push(Math.min((row[column - 1] ?? 0) + same, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
