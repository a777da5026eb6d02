// Waits for a program that says when it is ready.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Returns the first that a program writes to its stdout. Throws if the program ends before: nothing would come. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  const { stdout, spawnargs } = child;
  if (stdout === null) throw new Error('the stdout of the program is no pipe');
  const ended = once(child, 'close').then(([code, signal]) => {
    throw new Error(`ended with ${signal ?? code} before it wrote anything: ${spawnargs.join(' ')}`);
  });
  const [chunk] = await Promise.race([once(stdout, 'data'), ended]);
  // It ends at some time.
  ended.catch(() => {});
  return String(chunk);
}
