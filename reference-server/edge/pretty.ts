// The query parameter `pretty`, and its default.

const trueValues = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const readers = ['curl', 'Wget', 'Mozilla/5.0'];

/** Returns the value in the query. The default is true for curl, wget and browsers, which people use. */
export function isPretty(pretty: string | null, userAgent: string | undefined): boolean {
  if (pretty !== null && pretty !== '') return trueValues.has(pretty);
  return userAgent !== undefined && readers.some((reader) => userAgent.startsWith(reader));
}
