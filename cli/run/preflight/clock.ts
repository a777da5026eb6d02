// How far the target's clock is from ours: certificates and tokens are valid by the clock of who looks at them.

/** Seconds that the clocks may differ: certificates that are made for a run are valid from a minute before it. */
export const skewLimit = 55;

/**
 * Seconds by which the target's clock is ahead of ours, by the Date header of an answer; 0 where it has none. `sent` and
 * `received` are milliseconds of `Date.now()`: what the answer took is no skew.
 */
export function clockSkew(date: string | undefined, sent: number, received: number): number {
  const told = Date.parse(date ?? '');
  if (Number.isNaN(told)) return 0;
  // a Date is cut to whole seconds
  const [earliest, latest] = [told - received, told + 1000 - sent];
  if (earliest <= 0 && latest >= 0) return 0;
  return Math.round((earliest > 0 ? earliest : latest) / 1000);
}
