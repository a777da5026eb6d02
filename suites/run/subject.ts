// Runs one subject with a context of a worker: its cases, and the exchanges that prove them.
import type { Subject } from '../requirements/index.js';
import { withBackendRequests } from './backendRequests.js';
import { runCases } from './cases.js';
import type { SubjectOutcome } from './concurrent.js';
import type { Context } from './context.js';
import type { Group } from './group.js';

/** Runs the checks of a group that the run selects on one of its subjects. Rejects only if a part of the run is gone. */
export function runSubject(context: Context, subject: Subject, group: Group): Promise<SubjectOutcome> {
  return context.inTurn(subject, async () => {
    const results = await runCases(context, subject, group);
    const exchanges = await withBackendRequests(context, subject, context.client.takeExchanges());
    await releaseAddresses(context);
    return { results, exchanges };
  });
}

/** Releases the Service addresses of the case, which are few, if the target's deletes can be trusted. */
async function releaseAddresses({ sandbox, client, run, recovery }: Context): Promise<void> {
  if (run.undeletable?.objects !== undefined || run.target.readOnly || recovery.stop !== undefined) return;
  await sandbox.releaseAddresses().catch(ignored);
  client.takeExchanges();
}

/** If the target does not respond now, the next case reports it. */
const ignored = (): void => undefined;
