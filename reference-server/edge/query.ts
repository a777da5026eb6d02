// The two query parameters that decide the path of a request: `watch` and `pretty`.

/**
 * A boolean of list options as servers read it: present means true, unless it is `0` or `false` in any case.
 * `watch=yes` and `watch=maybe` are watches.
 */
export function isSet(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

const trueValues = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const readers = ['curl', 'Wget', 'Mozilla/5.0'];

/** Pretty when the query says so; where it says nothing, when a person seems to read: curl, wget or a browser. */
export function isPretty(pretty: string | null, userAgent: string | undefined): boolean {
  if (pretty !== null && pretty !== '') return trueValues.has(pretty);
  return userAgent !== undefined && readers.some((reader) => userAgent.startsWith(reader));
}
