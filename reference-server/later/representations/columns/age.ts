// Times as kubectl shows them: the time since an event, in two units at most.

/** The time in a cell of type `date` if it is absent: the zero time. */
export const unknownTime = '0001-01-01T00:00:00Z';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * The steps of precision: below `below` seconds, a duration is shown in `unit`, and the remainder in the unit `rest`.
 */
const steps: readonly { below: number; unit: number; sign: string; rest?: number; restSign?: string }[] = [
  { below: 2 * minute, unit: 1, sign: 's' },
  { below: 10 * minute, unit: minute, sign: 'm', rest: 1, restSign: 's' },
  { below: 3 * hour, unit: minute, sign: 'm' },
  { below: 8 * hour, unit: hour, sign: 'h', rest: minute, restSign: 'm' },
  { below: 2 * day, unit: hour, sign: 'h' },
  { below: 8 * day, unit: day, sign: 'd', rest: hour, restSign: 'h' },
  { below: 2 * year, unit: day, sign: 'd' },
  { below: 8 * year, unit: year, sign: 'y', rest: day, restSign: 'd' },
  { below: Number.POSITIVE_INFINITY, unit: year, sign: 'y' },
];

/** Returns a duration, given in milliseconds, as text such as `47s`, `3m10s` or `2d4h`. */
export function durationText(millis: number): string {
  const seconds = Math.trunc(millis / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const step = steps.find(({ below }) => seconds < below);
  if (step === undefined) return '<invalid>';
  const { unit, sign, rest: restUnit, restSign } = step;
  const rest = restUnit === undefined ? 0 : Math.floor((seconds % unit) / restUnit);
  return `${Math.floor(seconds / unit)}${sign}${rest > 0 ? `${rest}${restSign}` : ''}`;
}

/** Returns the time since an RFC 3339 time, or `<unknown>` if it is absent. `now` is in milliseconds since 1970. */
export function ageOf(time: string | null | undefined, now: number): string {
  if (!time) return '<unknown>';
  return durationText(now - Date.parse(time));
}
