// The back-off of retries.

const firstMillis = 500;
const mostMillis = 60_000;

/** Returns the delay after a number of failures in a row, in milliseconds: it doubles each time, up to a minute. */
export function backOffMillis(failures: number): number {
  return Math.min(mostMillis, firstMillis * 2 ** (failures - 1));
}
