// Text for the terminal: paragraphs that keep to a width, under a heading that is bold where that may be shown.

/** The width of the terminal, at most 120 columns; 80 where there is none. */
export function widthOf({ columns = 80 }: { readonly columns?: number }): number {
  return Math.max(40, Math.min(columns, 120));
}

/** The text in lines of at most `width` columns, cut at spaces; a longer word has a line of its own. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

/** A heading and below it, indented, its paragraphs; nothing where there are none. */
export function section(heading: string, paragraphs: readonly string[], width: number): string[] {
  if (paragraphs.length === 0) return [];
  return [emphasized(heading), ...paragraphs.flatMap((text) => wrapped(text, width, '  ')), ''];
}

/** Bold on a terminal; plain elsewhere, and where `NO_COLOR` is set. */
export function emphasized(text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text;
}
