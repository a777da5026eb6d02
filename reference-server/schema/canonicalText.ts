// JSON values as keys of maps: equal values have the same text.
import { isRecord } from './object.js';

/**
 * Returns a text for a JSON value. The order of fields does not matter, and an undefined field equals an absent one.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value, (_name, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner)) ?? 'null';
}

function sorted(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(fields);
  return names.length < 2 ? fields : Object.fromEntries(names.sort().map((name) => [name, fields[name]]));
}
