// Long work in turns: other requests are served between two of them, however much of it there is.

/** How long one turn may take, in milliseconds. */
const longest = 5;

const waiting: (() => void)[] = [];

/** Gives the next one its turn: one in each round of the event loop. */
function grant(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(grant);
}

/** The turns of one long work; the first begins now. `if (turns.isOver) await turns.next()` */
export class Turns {
  #began = performance.now();
  #steps = 0;

  /** How long this turn has taken, in milliseconds. */
  get taken(): number {
    return performance.now() - this.#began;
  }

  /** Whether others are to be served now. */
  get isOver(): boolean {
    return this.taken >= longest;
  }

  /** The same for work of many small steps, asked at each: a look at the clock would cost more than a step. */
  get isOverAfterSteps(): boolean {
    this.#steps += 1;
    return this.#steps % 64 === 0 && this.isOver;
  }

  /** Resolves when it is this work's turn again. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(grant);
    });
    this.#began = performance.now();
  }
}

/** Does work of several steps at once. */
export function doAll<Result>(steps: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in turns: between two steps others are served. */
export async function doInTurns<Result>(steps: Iterator<void, Result>, turns = new Turns()): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (turns.isOver) await turns.next();
  }
}
