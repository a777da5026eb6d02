// Waits for what a controller does: asks again until there is an answer, or the run's patience is over.
import { eventually as until } from './eventually.js';
import type { Context } from './worker.js';

const patience = 15_000;

/** The first answer other than undefined, or undefined once the patience is over. */
export function eventually<T>({ run }: Context, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  return until(ask, (answer) => answer !== undefined, run.patience ?? patience);
}
