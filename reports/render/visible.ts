// Makes text from a server safe to look at: what a terminal, a page or a reader would obey becomes visible.

/** Controls but tab and newline, lone surrogates, non-characters, and the marks that turn the direction of text. */
const hidden = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** The text with every hidden character shown: `\x1b` as `␛`, others as `<U+202E>`. Tabs and newlines stay. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** The text cut to a number of characters, with a mark where it was cut. */
export function cutTo(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} characters more)`;
}

/** The first line of the text, cut: what fits a table or an attribute. */
export function firstLine(text: string, limit = 200): string {
  return cutTo(visible(text.trim().split('\n', 1)[0] ?? ''), limit);
}
