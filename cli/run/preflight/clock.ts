// The clock skew of the target: the server and this machine each check certificates and tokens by their own clock.

/** The largest accepted skew, in seconds: certificates of a run are valid from a minute before it. */
export const skewLimit = 55;

/**
 * Returns how far the target's clock is ahead, in seconds, from the Date header of a response; 0 without the header.
 * `sent` and `received` are in milliseconds as in `Date.now()`, so that the duration of the request does not count as
 * skew.
 */
export function clockSkew(date: string | undefined, sent: number, received: number): number {
  const serverTime = Date.parse(date ?? '');
  if (Number.isNaN(serverTime)) return 0;
  // Date has only whole seconds.
  const [earliest, latest] = [serverTime - received, serverTime + 1000 - sent];
  if (earliest <= 0 && latest >= 0) return 0;
  return Math.round((earliest > 0 ? earliest : latest) / 1000);
}
