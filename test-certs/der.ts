// Writes the few DER forms (X.690) that an X.509 certificate needs: node:crypto signs certificates' bytes but makes none.

const universal = { boolean: 0x01, integer: 0x02, bitString: 0x03, octetString: 0x04, oid: 0x06, utf8: 0x0c };
const times = { utc: 0x17, generalized: 0x18 };
const constructed = { sequence: 0x30, set: 0x31 };

/** One tag, length and value. */
export function element(tag: number, value: Uint8Array): Buffer {
  const { length } = value;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), value]);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Buffer.concat([Buffer.of(tag, 0x80 | digits.length, ...digits), value]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer =>
  element(constructed.sequence, Buffer.concat(parts));

export const set = (...parts: readonly Uint8Array[]): Buffer => element(constructed.set, Buffer.concat(parts));

export const boolean = (value: boolean): Buffer => element(universal.boolean, Buffer.of(value ? 0xff : 0));

/** A non-negative integer from its big-endian bytes; a leading zero keeps it positive. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.of(0) : Buffer.from(bytes.subarray(first));
  return element(universal.integer, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits);
}

/** A bit string; `unused` counts the bits of the last byte that do not belong to it. */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer =>
  element(universal.bitString, Buffer.concat([Buffer.of(unused), bytes]));

export const octetString = (bytes: Uint8Array): Buffer => element(universal.octetString, bytes);

export const utf8 = (text: string): Buffer => element(universal.utf8, Buffer.from(text, 'utf8'));

/** An object identifier in dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift(0x80 | (left % 128));
    bytes.push(...groups);
  }
  return element(universal.oid, Buffer.from(bytes));
}

/** A moment, to the second: the two-digit form until 2049, as RFC 5280 demands. */
export function time(moment: Date): Buffer {
  const digits = moment
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  return moment.getUTCFullYear() < 2050
    ? element(times.utc, Buffer.from(digits.slice(2)))
    : element(times.generalized, Buffer.from(digits));
}

/** `[number] EXPLICIT`: wraps a whole element. */
export const explicit = (number: number, value: Uint8Array): Buffer => element(0xa0 | number, value);

/** `[number] IMPLICIT` of a primitive: replaces its tag. */
export const implicit = (number: number, value: Uint8Array): Buffer => element(0x80 | number, value);
