// Long work in turns: the server handles other requests between two turns.

/** The target length of one turn, in milliseconds. */
const longest = 5;

const waiting: (() => void)[] = [];

/** Starts the next waiting turn; one starts in each round of the event loop. */
function grant(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(grant);
}

/** The turns of one long task. The first turn begins now. Use: `if (turns.isOver) await turns.next()` */
export class Turns {
  #began = performance.now();
  #steps = 0;

  /** The time that this turn has taken, in milliseconds. */
  get taken(): number {
    return performance.now() - this.#began;
  }

  /** Whether the server should handle other requests now. */
  get isOver(): boolean {
    return this.taken >= longest;
  }

  /**
   * The same for many small steps. Call it at each step: it reads the clock only every 64 steps, because a look at the
   * clock costs more than a step.
   */
  get isOverAfterSteps(): boolean {
    this.#steps += 1;
    return this.#steps % 64 === 0 && this.isOver;
  }

  /** Resolves when the next turn of this task begins. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(grant);
    });
    this.#began = performance.now();
  }
}

/** Runs all steps at once. Returns the result. */
export function doAll<Result>(steps: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs all steps in turns with other requests. Returns the result. */
export async function doInTurns<Result>(steps: Iterator<void, Result>, turns = new Turns()): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (turns.isOver) await turns.next();
  }
}
