// The command line as its test runner hears it, by the standard input: the run is prepared, or its process has ended.
import { once } from 'node:events';

/**
 * Waits until the run is prepared. Ends this process when the command line ends, because no other process would clean
 * up.
 */
export async function runPrepared(): Promise<void> {
  const { stdin } = process;
  stdin.once('end', () => process.exit(1));
  await once(stdin, 'data');
  stdin.resume();
  // standard input must not keep the runner alive
  (stdin as { unref?: () => void }).unref?.();
}
