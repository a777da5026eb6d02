// Long work in steps, so that the server handles other requests between two turns of it.

/** Nothing for a pause, or what the work waits for; it does not reject. */
type Pause = void | Promise<void>;

/**
 * Work that pauses where it yields: `doAll` ignores the pauses, `doInTurns` handles other requests at some of them, and
 * waits for promises. Yield after each step of about 0.1 ms or more; after smaller steps, `if (mayPause()) yield;`.
 */
export type Steps<Result> = Generator<Pause, Result>;

/** The same for work that also waits: `doAsyncInTurns` runs it. */
export type AsyncSteps<Result> = AsyncGenerator<void, Result>;

/** The small steps between two pauses: a pause costs more than a small step. */
const smallSteps = 256;
let steps = 0;

/** Counts a small step. Reports whether to pause now. */
export function mayPause(): boolean {
  steps = (steps + 1) % smallSteps;
  return steps === 0;
}

/** Generator functions are defined once: one in a closure costs microseconds each time that the closure is made. */
export function* mapSteps<From, To>(steps: Steps<From>, map: (result: From) => To): Steps<To> {
  return map(yield* steps);
}

/** Makes steps of work that is short, or cannot pause. */
// biome-ignore lint/correctness/useYield: there is no pause.
export function* oneStep<Result>(work: () => Result): Steps<Result> {
  return work();
}

/** The target length of one turn, in milliseconds. */
export const longestTurn = 5;

const waiting: (() => void)[] = [];

/** Starts the next waiting turn; one starts in each round of the event loop. */
function grant(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(grant);
}

/** The turns of one task. The first turn begins now. */
export class Turns {
  #began = performance.now();
  #before = 0;

  /** `isLong` reports whether a turn of so many milliseconds should end. */
  constructor(private readonly isLong = (taken: number): boolean => taken >= longestTurn) {}

  /** Whether the server should handle other requests now. */
  get isOver(): boolean {
    return this.isLong(performance.now() - this.#began);
  }

  /** The time that all turns have taken, in milliseconds. */
  get taken(): number {
    return this.#before + performance.now() - this.#began;
  }

  /** Resolves when the next turn of this task begins. */
  async next(): Promise<void> {
    this.#before = this.taken;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(grant);
    });
    this.#began = performance.now();
  }
}

/** Runs all steps at once. Returns the result. */
export function doAll<Result>(steps: Iterator<Pause, Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}

function doTurn<Result>(steps: Iterator<Pause, Result>, turns: Turns): IteratorResult<Pause, Result> {
  for (;;) {
    const next = steps.next();
    if (next.done || next.value !== undefined || turns.isOver) return next;
  }
}

/** Runs all steps in turns with other requests. Returns the result, or a promise if one turn is not enough. */
export function doInTurns<Result>(steps: Iterator<Pause, Result>, turns = new Turns()): Result | Promise<Result> {
  const first = doTurn(steps, turns);
  return first.done ? first.value : doRest(steps, turns, first.value);
}

async function doRest<Result>(steps: Iterator<Pause, Result>, turns: Turns, pause: Pause): Promise<Result> {
  for (let until = pause; ; ) {
    await until;
    await turns.next();
    const next = doTurn(steps, turns);
    if (next.done) return next.value;
    until = next.value;
  }
}

export async function doAsyncInTurns<Result>(steps: AsyncSteps<Result>): Promise<Result> {
  const turns = new Turns();
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
    if (turns.isOver) await turns.next();
  }
}
