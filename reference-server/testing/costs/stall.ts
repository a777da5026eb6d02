// Measures stalls of the event loop: the longest time between two looks at the clock, one each millisecond.
import { openSync, readSync } from 'node:fs';

/**
 * The CPU time of this thread in milliseconds, so that other load of the machine does not count; wall time if not on
 * Linux.
 */
const threadTime = onLinux() ?? (() => performance.now());

function onLinux(): (() => number) | undefined {
  const buffer = Buffer.alloc(100);
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const nanoseconds = () => Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 100, 0)).split(' ')[0]);
    return nanoseconds() > 0 ? () => nanoseconds() / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a function. Returns its result and the longest stall of the event loop meanwhile, in milliseconds. */
export async function withStall<Result>(
  run: () => Result | Promise<Result>,
): Promise<{ result: Result; stall: number }> {
  let longest = 0;
  let last = threadTime();
  const look = () => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const looking = setInterval(look, 1);
  try {
    const result = await run();
    look();
    return { result, stall: longest };
  } finally {
    clearInterval(looking);
  }
}
