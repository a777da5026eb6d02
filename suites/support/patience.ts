// Waits for what a controller does: asks again until there is an answer, or the run's patience is over.
import type { Context } from './worker.js';

const patience = 15_000;

/** The first answer other than undefined, or undefined once the patience is over. */
export async function eventually<T>({ run }: Context, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = Date.now() + (run.patience ?? patience);
  for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
    const answer = await ask();
    if (answer !== undefined || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
