// A correct server for the tests of a file, and runs of chosen cases in this process: on it, and behind a proxy that edits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type CaseResult, type ChapterName, caseId } from '../../requirements/index.js';
import { runCases } from '../../run/cases.js';
import { loadChapters } from '../../run/chapterFiles.js';
import { Context } from '../../run/context.js';
import { groups } from '../../run/group.js';
import { bareTarget } from '../bareTarget.js';
import type { Broken } from '../faults/wire/fault.js';
import { startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { type Running, startReferenceServer } from '../referenceServer.js';

/** A running server, a folder for what runs write, and the chapters of the runs. */
interface GoodServer extends Running {
  readonly folder: string;
  readonly chapters: readonly ChapterName[];
}

/** Starts a server for the tests of a file and loads the chapters. The result has its fields once the tests begin. */
export function useGoodServer(chapters: readonly ChapterName[]): GoodServer {
  const good = {} as GoodServer;
  beforeAll(async () => {
    await loadChapters(chapters);
    const folder = mkdtempSync(join(tmpdir(), 'resilience-'));
    Object.assign(good, { folder, chapters, ...(await startReferenceServer()) });
  });
  afterAll(async () => {
    await good.stop();
    rmSync(good.folder, { recursive: true, force: true });
  });
  return good;
}

/**
 * Runs the cases of the server's chapters whose ids are wanted, until these are enough or no case is left. Test files
 * that share a worker may have loaded other chapters.
 */
export async function runChosen(
  { chapters }: Pick<GoodServer, 'chapters'>,
  context: Context,
  isWanted: (id: string) => boolean,
  isEnough: (results: readonly CaseResult[]) => boolean = () => false,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const group of groups.filter(({ chapter }) => chapters.includes(chapter))) {
    for (const subject of group.subjects) {
      const checks = group.checks.filter(({ id }) => isWanted(caseId(id, subject)));
      if (checks.length > 0 && !isEnough(results))
        results.push(...(await runCases(context, subject, { ...group, checks })));
    }
  }
  return results;
}

/**
 * Starts a server for the tests of a file and loads the chapters. Returns a function that runs the case of an id on the
 * server with edits; `timeout` is the milliseconds that a check waits for a controller.
 */
export function useServerBehindProxy(
  chapters: readonly ChapterName[],
): (edits: Broken, wanted: string, timeout?: number) => Promise<CaseResult[]> {
  const good = useGoodServer(chapters);
  let runs = 0;
  return async (edits, wanted, timeout) => {
    const proxy = await startFaultyProxy(good, edits);
    const target = bareTarget(proxy.url, { credentials: { staticToken: { token: good.token } } });
    runs += 1;
    const run = { runId: `cccc0${runs}`, target, directory: good.folder, ...(timeout !== undefined && { timeout }) };
    const context = new Context(run, '1');
    try {
      return await runChosen(good, context, (id) => id === wanted);
    } finally {
      await context.client.close();
      await proxy.close();
    }
  };
}
