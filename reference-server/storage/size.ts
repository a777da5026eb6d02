// The approximate memory that a value takes.

/** The bytes of a reference, and of a slot in an object or array. */
const nodeBytes = 16;

/**
 * Returns the approximate size of a JSON value, in bytes: one byte for each unit of its strings, and a node for each
 * value.
 */
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
