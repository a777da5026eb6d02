// Query parameters: booleans, integers and resourceVersion.
import { badRequest } from '../errors.js';

/**
 * Reports whether a boolean list option is set: it is, unless it is absent, `0`, or `false` in any case. So `watch=yes`
 * and `watch=maybe` are watches.
 */
export function isSet(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** Returns a boolean query parameter. An absent one is false. */
export const flag = (query: URLSearchParams, name: string): boolean => isSet(query.get(name));

/**
 * Returns an integer query parameter, or undefined if it is absent or empty. Throws 400 if it is not a safe integer.
 */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw badRequest(`strconv.ParseInt: parsing "${text}": value out of range`);
  return value;
}

/**
 * Returns the resourceVersion of a query. An absent one is 0, which means any revision. Throws 400 if it is not a
 * number.
 */
export function resourceVersionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return 0;
  if (!/^\d+$/.test(text)) {
    throw badRequest(`resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`);
  }
  return Number(text);
}
