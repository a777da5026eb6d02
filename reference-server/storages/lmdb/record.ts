// A stored record: JSON after a checksum, so that damage is detected.
import { crc32 } from 'node:zlib';
import { jsonText, parseJson } from '../../exactJson.js';

/** A record is damaged. The message names the record and does not quote it, because the record may hold secrets. */
export class BrokenRecord extends Error {}

const digits = 8;

export function encodedRecord(value: unknown): string {
  const text = jsonText(value);
  return checksum(text) + text;
}

/** Returns the value of a record. Throws BrokenRecord with the name of the record if the record is damaged. */
export function decodedRecord<T>(text: string, called: string): T {
  // Records of stores without checksums begin with the JSON.
  const isPlain = /^[[{]/.test(text);
  const json = isPlain ? text : text.slice(digits);
  if (!isPlain && checksum(json) !== text.slice(0, digits)) throw new BrokenRecord(`${called} is broken`);
  try {
    return parseJson(json) as T;
  } catch {
    throw new BrokenRecord(`${called} is broken`);
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(digits, '0');
}
