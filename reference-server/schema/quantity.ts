// Quantities (`100m`, `1.5Gi`, `1e3`): their grammar, their canonical form, their order.

const form = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Record<string, number> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const decimalSuffix = new Map(Object.entries(decimal).map(([suffix, power]) => [power, suffix]));

/** What a client is told that writes something else. */
export const quantityRule =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** A quantity as a whole number of its smallest unit, 1/1,000,000,000. */
interface Quantity {
  readonly nano: bigint;
  readonly format: 'binary' | 'decimal' | 'exponent';
}

const canonicalForms = new Map<string, string>();

/** The canonical form, as servers write it: no fraction, the largest suffix. Undefined for what is no quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const known = canonicalForms.get(text);
  if (known !== undefined) return known;
  const quantity = parse(text);
  if (quantity === undefined) return undefined;
  const canonical = write(quantity);
  if (canonicalForms.size < 1000) canonicalForms.set(text, canonical);
  return canonical;
}

/** Below zero, zero or above it, as the first quantity is less than, equal to or greater than the second. */
export function compareQuantities(one: string, other: string): number {
  const difference = nanoOf(one) - nanoOf(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether a quantity is a whole number. */
export function isWhole(text: string): boolean {
  return nanoOf(text) % 1_000_000_000n === 0n;
}

/** The sum of quantities, in canonical form, written as the first that is not zero is. */
export function addQuantities(texts: readonly string[]): string {
  return total(texts, (sum, nano) => sum + nano);
}

/** What is left of a quantity without another one, in canonical form; never below zero. */
export function subtractQuantity(from: string, taken: string): string {
  return total([from, taken], (sum, nano, index) => (index === 0 ? nano : sum > nano ? sum - nano : 0n));
}

/** How often one quantity is in another. */
export function quantityRatio(whole: string, of: string): number {
  return Number(nanoOf(whole)) / Number(nanoOf(of));
}

function total(texts: readonly string[], add: (sum: bigint, nano: bigint, index: number) => bigint): string {
  const quantities = texts.map((text) => parse(text) ?? zero);
  const format = quantities.find(({ nano }) => nano !== 0n)?.format ?? 'decimal';
  return write({ nano: quantities.reduce((sum, { nano }, index) => add(sum, nano, index), 0n), format });
}

const zero: Quantity = { nano: 0n, format: 'decimal' };

/** Of texts that were seen before: objects repeat them. */
const knownNanos = new Map<string, bigint>();

function nanoOf(text: string): bigint {
  const known = knownNanos.get(text);
  if (known !== undefined) return known;
  const nano = parse(text)?.nano ?? 0n;
  if (knownNanos.size < 1000 && text.length <= longest) knownNanos.set(text, nano);
  return nano;
}

/**
 * The longest text that is read, in characters, and the largest power of ten: far beyond any amount of anything, and
 * few enough digits for a number of them to cost nothing.
 */
const longest = 256;
const largestPower = 200;

/** The largest quantity that is counted in powers of 1024. */
const mostBinary = (2n ** 63n - 1n) * 1_000_000_000n;

function parse(given: string): Quantity | undefined {
  if (given.length > longest) return undefined;
  const match = form.exec(given.trim());
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

/** An amount divided by a power of ten, up, so that nothing asked for is lost: of however little, one is left. */
function roundUp(amount: bigint, power: number): bigint {
  // No text has so many digits: what would be divided by the power of a long exponent is less than one.
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
