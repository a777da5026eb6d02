// How much memory a value takes, about.

/** A reference, and a place in an object or array. */
const nodeBytes = 16;

/** Bytes of a JSON value: of its strings a byte for each unit, and of each value what holds it. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return nodeBytes + value.length;
  if (typeof value !== 'object' || value === null) return nodeBytes;
  let bytes = nodeBytes;
  if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item);
    return bytes;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) bytes += name.length + sizeOf(fields[name]);
  return bytes;
}
