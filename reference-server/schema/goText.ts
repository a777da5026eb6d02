// Values in the words of messages, as programs in Go write them.

/** A character that does not print. */
export const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

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

/** Returns a double as Go's `%g` writes it. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= least && power < most) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Returns a number: an integer that is exact as it is, others as doubles. */
export const numberText = (value: number | bigint): string =>
  typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : doubleText(value);

/** Returns an apiVersion and a kind, of which any may be absent or malformed: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function kindInGo(apiVersion: unknown, kind: unknown): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  return `${version.includes('/') ? version : `/${version}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}
