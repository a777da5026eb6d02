// RFC 3339 times: in nanoseconds for logs, in seconds for objects.

const offset = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();

/** The current time, in nanoseconds since 1970. */
export const currentTime = (): bigint => process.hrtime.bigint() + offset;

/** Formats a time in nanoseconds since 1970 as RFC 3339 with nine digits after the second. */
export function formatTime(time: bigint): string {
  const seconds = new Date(Number(time / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(time % 1_000_000_000n).padStart(9, '0')}Z`;
}

/** Formats a time as RFC 3339 in whole seconds. */
export const formatSeconds = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/**
 * Parses an RFC 3339 time with up to nine digits after the second. Returns nanoseconds since 1970. Throws RangeError
 * for other text.
 */
export function parseTime(text: string): bigint {
  const [, seconds, fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const whole = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(whole)) throw new RangeError(`"${text}" is not a RFC 3339 time`);
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
