// The number of a port as a client writes it: decimal digits, and nothing else that could be read as a number.
import { badRequest } from '../errors.js';
import { excerpt } from '../excerpt.js';

/** The number that a text says. Throws 400 for what is no port. */
export function portFrom(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 65_535) throw badRequest(`${excerpt(text)} is no port`);
  return number;
}
