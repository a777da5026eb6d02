// Port numbers in requests: only decimal digits are accepted.
import { badRequest } from '../errors.js';
import { excerpt } from '../excerpt.js';

/** Parses a port number. Throws 400 for any other text. */
export function portFrom(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 65_535) throw badRequest(`${excerpt(text)} is no port`);
  return number;
}
