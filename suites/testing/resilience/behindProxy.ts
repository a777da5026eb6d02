// Runs single cases on a good server behind a proxy that changes what it says.
import type { CaseResult, ChapterName } from '../../requirements/index.js';
import { Context } from '../../run/worker.js';
import { bareTarget } from '../bareTarget.js';
import type { Broken } from '../faults/wire/fault.js';
import { startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { runChosen } from './chosenCases.js';
import { useGoodServer } from './goodServer.js';

/**
 * Starts a server for the tests of a file and loads the chapters. Returns a function that runs the case of an id on the
 * server with edits; `patience` is the milliseconds that a check waits for a controller.
 */
export function useServerBehindProxy(
  chapters: readonly ChapterName[],
): (edits: Broken, wanted: string, patience?: number) => Promise<CaseResult[]> {
  const good = useGoodServer(chapters);
  let runs = 0;
  return async (edits, wanted, patience) => {
    const proxy = await startFaultyProxy(good, edits);
    const target = bareTarget(proxy.url, { credentials: { staticToken: { token: good.token } } });
    runs += 1;
    const run = { runId: `cccc0${runs}`, target, directory: good.folder, ...(patience !== undefined && { patience }) };
    const context = new Context(run, '1');
    try {
      return await runChosen(context, (id) => id === wanted);
    } finally {
      await context.client.close();
      await proxy.close();
    }
  };
}
