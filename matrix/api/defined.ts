// Optional members of an object literal.

type Undefinable<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** Returns the fields that are not undefined. In the result type, fields that may be undefined are optional. */
export function defined<const T extends object>(
  fields: T,
): Omit<T, Undefinable<T>> & { [K in Undefinable<T>]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof defined<T>>;
}
