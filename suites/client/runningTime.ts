// A clock that stands still while this process does, as on a machine that is paused or gets no turn. On such a machine
// all timers are over at once, before what has arrived is read: a deadline of this clock leaves a target its time.

/** Milliseconds between two looks at the clock, and the gap from which on the process stood still. */
const tick = 250;
const longestGap = 1_500;

let last = performance.now();
let lost = 0;

/** Returns the milliseconds for which this process ran, from some point in time. */
export function runningTime(): number {
  const now = performance.now();
  const gap = now - last;
  if (gap > longestGap) lost += gap - tick;
  last = now;
  return now - lost;
}

setInterval(runningTime, tick).unref();

/**
 * Calls `act` when this process has run for so many milliseconds. Returns a function that prevents it. A process does
 * not end before.
 */
export function afterRunning(milliseconds: number, act: () => void): () => void {
  const end = runningTime() + milliseconds;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(look, Math.max(1, end - runningTime()));
  };
  const look = (): void => (runningTime() >= end - 1 ? act() : wait());
  wait();
  return () => clearTimeout(timer);
}

/** Returns the result of `work`. Throws what `late` returns if this process has run for so many milliseconds before. */
export async function withinRunning<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let cancel = (): void => undefined;
  const end = new Promise<never>((_, reject) => {
    cancel = afterRunning(milliseconds, () => reject(late()));
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    cancel();
  }
}
