// Removes the objects of a run after its cases, within a time limit if the run ended early.
import { afterRunning } from '../../suites/client/runningTime.js';
import { Client, type Run, tryCleanUp, tryDeletes } from '../../suites/index.js';
import type { Interruption } from './interruption.js';

/** The time limit of a request after an aborted run, in milliseconds: the target may be gone. */
const shortTimeout = 5_000;
/** How the client of a clean-up sends: one of several servers behind a load balancer may end just now. */
export const cleanupRules = { tries: 4, repeatsWrites: true } as const;
/**
 * The time limits of the cleanup, in milliseconds: after an aborted run, where the user is waiting, and after any other.
 * A target can show more objects than can be deleted.
 */
const bounds = { aborted: 25_000, whole: 15 * 60_000 } as const;

/** Returns the kinds of which a run may have created objects. */
const writtenKinds = (kinds: Run['kinds'] = []) =>
  kinds.filter(({ readOnly, verbs }) => readOnly === undefined && verbs.includes('list'));

/** Removes the objects of the run. Returns the names of the remaining ones. */
export async function cleanUpRun(run: Run, wasAborted: boolean, interruption: Interruption): Promise<string[]> {
  const skipped = ['unknown: the cleanup was skipped'];
  if (interruption.isHurried) return skipped;
  const { runId, target, answerTimeout: timeout } = run;
  const rules = wasAborted ? { timeout: shortTimeout } : timeout === undefined ? {} : { timeout };
  const client = new Client(target, undefined, { ...rules, ...cleanupRules });
  const tell = (what: string, isNote?: true): void => {
    if (wasAborted || isNote) process.stderr.write(`cleaning up: ${what}\n`);
  };
  const cleaned = async (): Promise<string[]> => {
    // A delete that could not be tried at the start may be possible now.
    const isUntried = run.undeletable?.objects?.why === 'untried';
    const undeletable = isUntried ? await tryDeletes(client, runId, target.notSupported, run.kinds) : run.undeletable;
    return await tryCleanUp(client, runId, target.notSupported, undeletable, tell, writtenKinds(run.kinds));
  };
  const work = cleaned();
  let ignore = (): void => undefined;
  let cancel = (): void => undefined;
  const early = new Promise<string[]>((resolve) => {
    ignore = interruption.listen(() => resolve(skipped), 'second');
    const bound = wasAborted ? bounds.aborted : bounds.whole;
    cancel = afterRunning(bound, () => resolve([`unknown: the cleanup took more than ${bound / 1000} s`]));
  });
  try {
    return await Promise.race([work, early]);
  } finally {
    ignore();
    cancel();
    // Requests in progress end with their connections.
    work.catch(() => undefined);
    await client.close();
  }
}
