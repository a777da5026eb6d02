// Makes text from a server safe to display: characters that control a terminal, a page or a reader become visible.

/** Control characters except tab and newline, lone surrogates, non-characters, and marks of text direction. */
const hidden = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** Almost every text, which is told apart from the others faster than hidden characters are looked for. */
const plain = /^[\t\n\x20-\x7e]*$/;

/** Returns the text with every hidden character shown: `\x1b` as `␛`, others as `<U+202E>`. Tabs and newlines stay. */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(hidden, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** Returns the text, cut to a number of characters, with a mark at the cut. */
export function cutTo(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} characters more)`;
}

/** Returns the first line of the text, cut to fit a table or an attribute. */
export function firstLine(text: string, limit = 200): string {
  return cutTo(visible(text.trim().split('\n', 1)[0] ?? ''), limit);
}

/** Escapes all characters with a meaning in XML 1.0, and removes characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return visible(text).replace(/[<>&"'\n\t]/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};
