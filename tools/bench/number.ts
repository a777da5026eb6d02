// The value of an option that is a number.
import { BadOption } from './subject.js';

/** A whole number from 1 on. Throws BadOption for anything else. */
export function numberOf(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new BadOption(`--${option}: "${text}" is no number; give one from 1 on`);
  return Number(text);
}
