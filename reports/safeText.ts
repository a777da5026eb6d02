// Makes text from a server safe to display: on a terminal, in XML, in Markdown. HTML is escaped by its templates.

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

/** Returns the text, cut to a number of characters, with a mark at the cut; whole if the mark would be longer than the rest. */
export function cutTo(text: string, limit: number): string {
  const mark = `… (${text.length - limit} characters more)`;
  return text.length <= limit + mark.length ? text : `${text.slice(0, limit)}${mark}`;
}

/** Returns the first line of the text, cut in its middle: names of one kind often differ at the end. */
export function cutInside(text: string, limit: number): string {
  const line = visible(text.trim().split('\n', 1)[0] ?? '');
  if (line.length <= limit) return line;
  const kept = Math.floor((limit - 1) / 2);
  return `${line.slice(0, kept)}…${line.slice(-kept)}`;
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

/** Returns text that may come from a server as a code span, in which no markup, link, mention or reference works. */
export function codeSpan(hostile: string, limit = 200): string {
  const line = firstLine(hostile, limit).replace(/[\t ]+/g, ' ');
  if (line.trim() === '') return '(empty)';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Not for tables: a bar ends a cell even inside a code span.
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Escapes all characters with a meaning in Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_<>[\]#|~&]/g, '\\$&');
}

/** Returns the first line of the text with all characters escaped that form markup within a word. */
export function markdownLine(text: string): string {
  return firstLine(text, 400).replace(/[\\`*<>[\]|]/g, '\\$&');
}
