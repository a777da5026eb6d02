// What a runner learns from the command line that started it.
import { once } from 'node:events';
import { ownCredential } from '../client/carried.js';
import { secretsOf } from '../fixtures/fixtures.js';
import type { Run } from './settings.js';

/** Returns every credential that was given to the run. */
export function secretsOfRun({ target, authentication }: Run): (string | undefined)[] {
  const credentials = [...Object.values(target.credentials), ownCredential(target)];
  return [
    ...credentials.flatMap(({ token, password, key }) => [token, password, key]),
    ...(authentication ? secretsOf(authentication.fixtures) : []),
  ];
}

/**
 * Waits until the command line has prepared the run. It tells so by the standard input, whose end means that the command
 * line has ended: then this process ends too, because no other process would clean up.
 */
export async function runPrepared(): Promise<void> {
  const { stdin } = process;
  stdin.once('end', () => process.exit(1));
  await once(stdin, 'data');
  stdin.resume();
  // standard input must not keep the runner alive
  (stdin as { unref?: () => void }).unref?.();
}
