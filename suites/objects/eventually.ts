// Waits for asynchronous changes of a server: polls until a condition holds or a deadline passes.

import { runningTime } from '../client/runningTime.js';
import type { Sandbox } from './sandbox.js';

const longestPause = 250;

/**
 * Calls `look` until `settled` accepts the value or `deadline` milliseconds are over. Returns the last value in both
 * cases, which was looked for after the deadline.
 */
export async function eventually<T>(
  look: () => Promise<T>,
  settled: (seen: T) => boolean,
  deadline: number,
): Promise<T> {
  const end = runningTime() + deadline;
  for (let pause = 5; ; pause = Math.min(pause * 2, longestPause)) {
    const isLast = runningTime() >= end;
    const seen = await look();
    if (settled(seen) || isLast) return seen;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Returns the first value other than undefined; undefined if none came in the time that a node may take. */
export function inTime<T>(
  { sandbox }: { readonly sandbox: Sandbox },
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return eventually(ask, (answer) => answer !== undefined, sandbox.timeout);
}
