// Backslash escapes, as in `echo -e` and `printf`.
const characters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** The text with its escapes replaced; one that means nothing stays. */
export function replaceEscapes(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([abefnrtv\\]))/g, (_, hex, octal, letter) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    return characters[letter] ?? '';
  });
}
