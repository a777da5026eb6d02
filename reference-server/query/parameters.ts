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
 * Returns an integer query parameter, or undefined if it is absent. One that is no safe integer is the next one that is:
 * clients send the largest of 64 bits for "all". Throws 400 if it is empty or not an integer of 64 bits.
 */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const refused = (why: string) => badRequest(`strconv.ParseInt: parsing "${text}": ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw refused('invalid syntax');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value !== BigInt.asIntN(64, value)) throw refused('value out of range');
  return Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/**
 * Returns the resourceVersion of a query. An absent one is 0, which means any revision. Throws 400 if it is not a
 * number of 64 bits.
 */
export function resourceVersionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return 0;
  const refused = (why: string) =>
    badRequest(
      `invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": ${why}`,
    );
  if (!/^\d+$/.test(text)) throw refused('invalid syntax');
  if (BigInt(text) !== BigInt.asUintN(64, BigInt(text))) throw refused('value out of range');
  return Number(text);
}
