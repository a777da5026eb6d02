// The schedules of CronJobs: five fields, a descriptor such as `@daily`, or `@every 1h30m`.
import { Cron } from 'croner';
import { OptionError, parseDuration } from '../../optionValues.js';

/** The times of a schedule. */
export interface Schedule {
  /** Returns the last time until `now`, counted from `start` if the schedule is an interval. */
  previous(now: Date, start: Date): Date | undefined;
  /** Returns the first time after `now`. */
  next(now: Date, start: Date): Date | undefined;
}

const every = '@every ';

/** Reads a schedule. Throws an Error that says why it is none. */
export function readSchedule(text: string, timezone = 'UTC'): Schedule {
  return text.startsWith(every) ? intervals(text) : times(text, timezone);
}

/** Intervals are whole seconds, at least one. */
function intervals(text: string): Schedule {
  const delay = Math.max(1, Math.floor(durationOf(text) / 1000)) * 1000;
  const after = (now: Date, start: Date): number => Math.floor((now.getTime() - start.getTime()) / delay);
  const at = (count: number, start: Date): Date => new Date(start.getTime() + count * delay);
  return {
    previous: (now, start) => (after(now, start) < 1 ? undefined : at(after(now, start), start)),
    next: (now, start) => at(Math.max(0, after(now, start)) + 1, start),
  };
}

function durationOf(text: string): number {
  try {
    return parseDuration('@every', text.slice(every.length));
  } catch (error) {
    throw error instanceof OptionError ? new Error(`failed to parse duration ${text}`) : error;
  }
}

function times(text: string, timezone: string): Schedule {
  const cron = new Cron(text, { timezone, paused: true });
  return {
    // A run that is due at this very millisecond counts as due.
    previous: (now) => cron.previousRuns(1, new Date(now.getTime() + 1))[0],
    next: (now) => cron.nextRun(now) ?? undefined,
  };
}
