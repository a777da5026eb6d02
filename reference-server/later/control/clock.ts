// The clock of a server for tests: within the times that objects can have.
import { longestDelay } from '../../../matrix/api/longestDelay.js';
import type { MovableClock } from '../../clock.js';
import { number, requireFields, whole } from '../../fieldChecks.js';
import { OptionError } from '../../optionValues.js';
import type { ClockMove, TestClock } from './surface.js';

/** The times that a clock can have: later ones would have expiries that RFC 3339 cannot write. */
const first = Date.parse('1970-01-01T00:00:00Z');
const last = Date.parse('9000-01-01T00:00:00Z');

const moveChecks = { timers: whole(1), timeout: number(1, longestDelay) };
const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Returns the clock for tests. Its moves throw an OptionError for what is no time, or a time that is too far away. */
export function testClock(clock: MovableClock): TestClock {
  /** What moves under way will add, in milliseconds. */
  let ahead = 0;
  return {
    now: clock.now,
    advance(milliseconds, options = {}) {
      const what = 'clock.advance';
      requireFields(what, options, moveChecks);
      if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds) || milliseconds < 0)
        throw new OptionError(`${what}: give milliseconds from 0; set goes back in time`);
      if (clock.now().getTime() + ahead + milliseconds > last)
        throw new OptionError(`${what}: ${milliseconds} milliseconds lead beyond the year 9000: give fewer`);
      ahead += milliseconds;
      return clock.advance(milliseconds, options).finally(() => {
        ahead -= milliseconds;
      });
    },
    set(time, options = {}): Promise<ClockMove> {
      requireFields('clock.set', options, moveChecks);
      return clock.set(timeOf(time), options);
    },
    reset: () => clock.reset(),
  };
}

function timeOf(time: unknown): Date {
  const what = 'clock.set';
  const how = 'write it as 2030-01-31T12:00:00Z';
  if (!(time instanceof Date) && typeof time !== 'string')
    throw new OptionError(`${what}: give a Date, or a text such as 2030-01-31T12:00:00Z`);
  const date = new Date(time);
  const millis = date.getTime();
  if (Number.isNaN(millis) || (typeof time === 'string' && !written.test(time)))
    throw new OptionError(`${what}: ${String(time)} is not a time; ${how}`);
  if (millis < first || millis > last)
    throw new OptionError(`${what}: ${date.toISOString()} is too far away: give a time from 1970 to the year 9000`);
  return date;
}
