// JSON values as keys of maps: two that say the same have the same text.
import { isRecord } from './object.js';

/** A text for each JSON value: the same for fields in another order, and for an undefined field as for none. */
export function canonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value, (_name, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner)) ?? 'null';
}

function sorted(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(fields);
  return names.length < 2 ? fields : Object.fromEntries(names.sort().map((name) => [name, fields[name]]));
}
