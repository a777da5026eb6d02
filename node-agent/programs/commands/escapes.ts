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

/** What stands in a text for a byte that is no character by itself: a surrogate without its other half. */
const byteAt = 0xdc00;
const loneByte = /([\u{dc80}-\u{dcff}])/u;

const charOf = (byte: number): string => String.fromCharCode(byte < 0x80 ? byte : byteAt + byte);

/** The text with its escapes replaced; one that means nothing stays. For bytesOf. */
export function replaceEscapes(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([abefnrtv\\]))/g, (_, hex, octal, letter) => {
    if (hex !== undefined) return charOf(Number.parseInt(hex, 16));
    if (octal !== undefined) return charOf(Number.parseInt(octal, 8) & 0xff);
    return characters[letter] ?? '';
  });
}

/** The bytes of a text whose escapes were replaced. */
export const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(loneByte)
      .map((part) => (loneByte.test(part) ? Buffer.of(part.charCodeAt(0) - byteAt) : Buffer.from(part))),
  );
