// How long to wait before something that has failed is tried again.

const firstMillis = 500;
const mostMillis = 60_000;

/** How long to wait after so many failures in a row: twice as long each time, up to a minute. */
export function backOffMillis(failures: number): number {
  return Math.min(mostMillis, firstMillis * 2 ** (failures - 1));
}
