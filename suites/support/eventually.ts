// Waits for what a server does in its own time: asks again and again until it is so, or a deadline has passed.
import type { Context } from './worker.js';

/** Milliseconds that a controller of the target is given. */
const patience = 15_000;
const longestPause = 250;

/** Calls `look` until `settled` accepts what it sees; returns the last that was seen, settled or not. */
export async function eventually<T>(
  look: () => Promise<T>,
  settled: (seen: T) => boolean,
  deadline = patience,
): Promise<T> {
  const end = Date.now() + deadline;
  for (let pause = 5; ; pause = Math.min(pause * 2, longestPause)) {
    const seen = await look();
    if (settled(seen) || Date.now() >= end) return seen;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** The first answer other than undefined, or undefined once the patience of the run is over. */
export function inTime<T>({ run }: Context, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  return eventually(ask, (answer) => answer !== undefined, run.patience ?? patience);
}
