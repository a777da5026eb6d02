// A record as it is kept: JSON with a checksum before it, so that what was damaged is not taken for what was written.
import { crc32 } from 'node:zlib';

/** A record that is not as it was written. The message names it and does not quote it: it may hold secrets. */
export class BrokenRecord extends Error {}

const digits = 8;

/** The text of a record. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value);
  return checksum(text) + text;
}

/** The value of a record. Throws BrokenRecord with what it is called. */
export function recordOf<T>(text: string, called: string): T {
  // Stores of before the checksums begin with the JSON itself.
  const isPlain = /^[[{]/.test(text);
  const json = isPlain ? text : text.slice(digits);
  if (!isPlain && checksum(json) !== text.slice(0, digits)) throw new BrokenRecord(`${called} is broken`);
  try {
    return JSON.parse(json) as T;
  } catch {
    throw new BrokenRecord(`${called} is broken`);
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(digits, '0');
}
