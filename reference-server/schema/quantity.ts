// Quantities (`100m`, `1.5Gi`, `1e3`): their grammar, canonical form and order.

const form = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Record<string, number> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const decimalSuffix = new Map(Object.entries(decimal).map(([suffix, power]) => [power, suffix]));

/** The error message for text that is not a quantity. */
export const quantityRule =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Quantities by the name of their resource, such as `cpu`. */
export type Quantities = Readonly<Record<string, string>>;

/** A quantity in units of 1/1,000,000,000. */
interface Quantity {
  readonly nano: bigint;
  readonly format: 'binary' | 'decimal' | 'exponent';
}

const canonicalForms = new Map<string, string>();

/**
 * Returns the canonical form, as servers write it: no fraction, the largest suffix. Returns undefined if the text is
 * not a quantity.
 */
export function canonicalQuantity(text: string): string | undefined {
  const known = canonicalForms.get(text);
  if (known !== undefined) return known;
  const quantity = parse(text);
  if (quantity === undefined) return undefined;
  const canonical = write(quantity);
  if (canonicalForms.size < 1000) canonicalForms.set(text, canonical);
  return canonical;
}

/** Returns a canonical quantity as lists of resources have it: rounded up to 1/1000, away from zero. */
export function roundedToMilli(canonical: string): string {
  if (!/[nu]$|e-[69]$/.test(canonical)) return canonical;
  const { nano, format } = parse(canonical) ?? zero;
  const up = roundUp(nano < 0n ? -nano : nano, 6) * 1_000_000n;
  return write({ nano: nano < 0n ? -up : up, format });
}

/** Compares two quantities: returns a number below zero, zero, or above zero. */
export function compareQuantities(one: string, other: string): number {
  const difference = nanoOf(one) - nanoOf(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Reports whether a quantity is a whole number. */
export function isWhole(text: string): boolean {
  return nanoOf(text) % 1_000_000_000n === 0n;
}

/** Returns the sum of quantities in canonical form, with the format of the first one that is not zero. */
export function addQuantities(texts: readonly string[]): string {
  return total(texts, (sum, nano) => sum + nano);
}

/** Returns the difference of two quantities in canonical form, at least zero. */
export function subtractQuantity(from: string, taken: string): string {
  return total([from, taken], (sum, nano, index) => (index === 0 ? nano : sum > nano ? sum - nano : 0n));
}

/** Returns the quotient of two quantities. */
export function quantityRatio(whole: string, of: string): number {
  return Number(nanoOf(whole)) / Number(nanoOf(of));
}

function total(texts: readonly string[], add: (sum: bigint, nano: bigint, index: number) => bigint): string {
  const quantities = texts.map((text) => parse(text) ?? zero);
  const format = quantities.find(({ nano }) => nano !== 0n)?.format ?? 'decimal';
  return write({ nano: quantities.reduce((sum, { nano }, index) => add(sum, nano, index), 0n), format });
}

const zero: Quantity = { nano: 0n, format: 'decimal' };

/** Results for earlier texts: objects repeat the same quantities. */
const knownNanos = new Map<string, bigint>();

function nanoOf(text: string): bigint {
  const known = knownNanos.get(text);
  if (known !== undefined) return known;
  const nano = parse(text)?.nano ?? 0n;
  if (knownNanos.size < 1000 && text.length <= longest) knownNanos.set(text, nano);
  return nano;
}

/**
 * The longest text that is parsed, in characters, and the largest power of ten. Real amounts are far smaller, and
 * numbers with so few digits cost nothing.
 */
const longest = 256;
const largestPower = 200;

/** The largest quantity with a binary suffix, in nano units; larger ones are reduced to it. */
const mostBinary = (2n ** 63n - 1n) * 1_000_000_000n;

function parse(text: string): Quantity | undefined {
  if (text.length > longest) return undefined;
  // A stored record may have a number.
  const match = form.exec(String(text).trim());
  if (!match) return undefined;
  const [, sign = '', digits = '', suffix = ''] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const amount = BigInt(`${whole}${fraction}` || '0');
  const signed = (nano: bigint) => (sign === '-' ? -nano : nano);
  if (binary.includes(suffix) && suffix !== '') {
    const factor = 1024n ** BigInt(binary.indexOf(suffix));
    const nano = roundUp(amount * factor * 1_000_000_000n, fraction.length);
    return { nano: signed(nano < mostBinary ? nano : mostBinary), format: 'binary' };
  }
  const isExponent = /^[eE][+-]?\d/.test(suffix);
  const exponent = isExponent ? Number(suffix.slice(1)) : (decimal[suffix] ?? 0);
  if (!Number.isSafeInteger(exponent)) return undefined;
  const power = amount === 0n ? 0 : 9 - fraction.length + exponent;
  if (power > largestPower) return undefined;
  const nano = power >= 0 ? amount * 10n ** BigInt(power) : roundUp(amount, -power);
  return { nano: signed(nano), format: isExponent ? 'exponent' : 'decimal' };
}

/** Divides by a power of ten and rounds up, so that a small request does not become zero. */
function roundUp(amount: bigint, power: number): bigint {
  // No text has so many digits, so the quotient is below one.
  if (power > longest + largestPower) return amount === 0n ? 0n : 1n;
  const unit = 10n ** BigInt(power);
  return (amount + unit - 1n) / unit;
}

function write({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const whole = nano / 1_000_000_000n;
  if (format === 'binary' && whole * 1_000_000_000n === nano && (whole >= 1024n || whole <= -1024n)) {
    let [value, step] = [whole, 0];
    while (value % 1024n === 0n && step < binary.length - 1) [value, step] = [value / 1024n, step + 1];
    return `${value}${binary[step]}`;
  }
  let [value, power] = [nano, -9];
  while (value % 1000n === 0n && (power < 18 || format === 'exponent')) [value, power] = [value / 1000n, power + 3];
  if (power === 0) return String(value);
  return format === 'exponent' ? `${value}e${power}` : `${value}${decimalSuffix.get(power)}`;
}
