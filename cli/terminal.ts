// Text for the terminal: paragraphs of limited width under a bold heading, and text of other programs on one line.

/** Returns the width of the terminal in columns: at least 40 and at most 120, and 80 if there is no terminal. */
export function widthOf({ columns = 80 }: { readonly columns?: number }): number {
  return Math.max(40, Math.min(columns, 120));
}

/** Wraps text at spaces into lines of at most `width` columns. A longer word has its own line. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

/** Returns rows of a term and its description, which is wrapped beside the term. */
export function termRows(rows: readonly (readonly [term: string, description: string])[], width: number): string[] {
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  const indent = ' '.repeat(termWidth + 4);
  return rows.flatMap(([term, description]) => {
    const [first = '', ...rest] = wrapped(description, width - indent.length);
    return [`  ${term.padEnd(termWidth)}  ${first}`, ...rest.map((line) => `${indent}${line}`)];
  });
}

/** Returns a heading and indented paragraphs; nothing if there are no paragraphs. */
export function section(heading: string, paragraphs: readonly string[], width: number): string[] {
  if (paragraphs.length === 0) return [];
  return [emphasized(heading), ...paragraphs.flatMap((text) => wrapped(text, width, '  ')), ''];
}

/** Returns bold text where there are colours, and plain text elsewhere. */
export const emphasized = (text: string): string => styled(text, 1, 22);

/** Returns coloured text where there are colours, and plain text elsewhere. */
export const coloured = (colour: keyof typeof colours, text: string): string => styled(text, colours[colour], 39);

const colours = { red: 31, green: 32 } as const;

function styled(text: string, on: number, off: number): string {
  return hasColours(process.env, process.stdout.isTTY) ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/** Reports whether text has colours: not with `NO_COLOR`, which wins; with `FORCE_COLOR`; or else on a terminal. */
export function hasColours({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv, isTerminal = false): boolean {
  if (NO_COLOR) return false;
  return FORCE_COLOR ? !['0', 'false'].includes(FORCE_COLOR) : isTerminal;
}

/** The most characters of a text of another program in a log line. */
const longest = 2000;

/** Returns a text of another program on one line, cut, with control characters escaped. */
export function logLine(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
  return shown.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}
