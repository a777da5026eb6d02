// Runs one subject with a context of a worker: its cases, and the exchanges that prove them.
import { defined } from '../../matrix/api/index.js';
import type { CaseResult, Subject } from '../requirements/index.js';
import { withBackendRequests } from './backendRequests.js';
import { runCases } from './cases.js';
import type { SubjectOutcome } from './concurrent.js';
import type { Context } from './context.js';
import type { Group } from './group.js';

/**
 * Runs the checks of a group that the run selects on one of its subjects. `wants`: whether the exchanges of these results
 * are kept. Rejects only if a part of the run is gone.
 */
export function runSubject(
  context: Context,
  subject: Subject,
  group: Group,
  wants: (results: readonly CaseResult[]) => boolean,
): Promise<SubjectOutcome> {
  return context.inTurn(subject, async () => {
    const results = await runCases(context, subject, group);
    const outcome = wants(results) ? await proven(context, subject, results) : unproven(context, results);
    await releaseAddresses(context);
    return outcome;
  });
}

async function proven(context: Context, subject: Subject, results: readonly CaseResult[]): Promise<SubjectOutcome> {
  const exchanges = await withBackendRequests(context, subject, context.client.takeExchanges());
  return { results, exchanges, count: exchanges.length };
}

function unproven({ client }: Context, results: readonly CaseResult[]): SubjectOutcome {
  const { count, timing } = client.dropExchanges();
  const ofResults = results.map((result) => ({ ...result, exchanges: [], ...defined({ timing }) }));
  return { results: ofResults, exchanges: [], count };
}

/** Releases the Service addresses of the case, which are few, if the target's deletes can be trusted. */
async function releaseAddresses({ sandbox, client, run, recovery }: Context): Promise<void> {
  if (run.undeletable?.objects !== undefined || run.target.readOnly || recovery.stop !== undefined) return;
  await sandbox.releaseAddresses().catch(ignored);
  client.dropExchanges();
}

/** If the target does not respond now, the next case reports it. */
const ignored = (): void => undefined;
