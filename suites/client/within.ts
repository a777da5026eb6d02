// A time limit for work on what a target chooses.
import { runInNewContext } from 'node:vm';

/** Returns what a function returns, or another value if it throws or takes more than some milliseconds. */
export function within<T>(millis: number, act: () => T, otherwise: T): T {
  try {
    // The time limit of a script holds for the functions that it calls.
    return runInNewContext('act()', { act }, { timeout: millis }) as T;
  } catch {
    return otherwise;
  }
}
