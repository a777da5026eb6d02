// Moments in RFC 3339, as Go reads them: each day is in its month, and no hour is 24.

interface Moment {
  /** In UTC: `2020-01-01T00:00:00`. */
  readonly second: string;
  /** The digits of the fraction of the second; empty if there is none. */
  readonly fraction: string;
  /** The second in milliseconds since 1970. */
  readonly millis: number;
}

const form = /^((\d{4}-\d\d-(\d\d))T(?!24)\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Returns the moment of a text in RFC 3339; undefined for other text. */
export function momentOf(text: string): Moment | undefined {
  const [, given = '', date = '', day, fraction = '', zone = ''] = form.exec(text) ?? [];
  const millis = Date.parse(given + zone);
  if (Number.isNaN(millis) || (Number(day) > 28 && !isDay(date))) return undefined;
  return { second: zone === 'Z' ? given : new Date(millis).toISOString().slice(0, 19), fraction, millis };
}

/** Reports whether a text is a day of the calendar, such as `2020-02-29`: `Date` takes one too many for the next month. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
