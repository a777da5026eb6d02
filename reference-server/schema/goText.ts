// Values in the words of messages, as programs in Go write them.

/** What is escaped in a text. */
const escapes = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const letters: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '\x07': 'a',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
};

/** Returns a text in quotes: what does not print is escaped. */
export const quotedText = (text: string): string =>
  `"${text.replace(escapes, (one) => `\\${letters[one] ?? hexadecimal(one)}`)}"`;

function hexadecimal(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const [sign, width] = code < 0x80 ? ['x', 2] : code < 0x1_00_00 ? ['u', 4] : ['U', 8];
  return sign + code.toString(16).padStart(width, '0');
}

/** From these exponents of ten on, below and above, a fraction is written with its exponent. */
const [least, most] = [-4, 6];

/** Returns a number: an integer that is exact as it is, others with an exponent if they are large or small. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  if (Number(exponent) >= least && Number(exponent) < most) return String(value);
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
}
