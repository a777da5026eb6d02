// How long the event loop stands still: the longest time between two looks at the clock, of which there is one a millisecond.
import { openSync, readSync } from 'node:fs';

/** The time that this thread has run, in milliseconds: what the machine does otherwise does not count where that is known. */
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

/** Does something; answers its result and the longest stall of the loop of this thread meanwhile, in milliseconds. */
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
