// After the cases: removes what the run made, in bounded time where the run ended early.
import { Client, type Run, tryCleanUp, tryDeletes } from '../../suites/index.js';
import type { Interruption } from './interruption.js';

/** Milliseconds that a target may take for a response when the run was given up: it may be gone. */
const shortPatience = 5_000;
/** Milliseconds that the cleaning up may take when the run ended early: the user waits for it. */
const bound = 25_000;

/** Removes what the run created; returns what is left. */
export async function cleanUpAfter(run: Run, wasAborted: boolean, interruption: Interruption): Promise<string[]> {
  const skipped = ['unknown: the cleanup was skipped'];
  if (interruption.isHurried) return skipped;
  const { runId, target, answerPatience: patience } = run;
  const rules = wasAborted ? { patience: shortPatience } : patience === undefined ? {} : { patience };
  const client = new Client(target, undefined, rules);
  const tell = wasAborted ? (what: string) => process.stderr.write(`cleaning up: ${what}\n`) : undefined;
  const cleaned = async (): Promise<string[]> => {
    // what could not be tried at the start may be known by now
    const isUntried = run.undeletable?.objects?.why === 'untried';
    const undeletable = isUntried ? await tryDeletes(client, runId, target.notSupported) : run.undeletable;
    return await tryCleanUp(client, runId, target.notSupported, undeletable, tell);
  };
  const work = cleaned();
  let ignore = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const early = new Promise<string[]>((resolve) => {
    ignore = interruption.listen(() => resolve(skipped), 'second');
    const late = (): void => resolve([`unknown: the cleanup took more than ${bound / 1000} s`]);
    if (wasAborted) timer = setTimeout(late, bound);
  });
  try {
    return await Promise.race([work, early]);
  } finally {
    ignore();
    clearTimeout(timer);
    // what is still under way ends with its connections
    work.catch(() => undefined);
    await client.close();
  }
}
