// Servers that end watches before their time, as a busy server does: one lost watch must not fail a case.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type CaseResult, caseId } from '../../../matrix/requirements/index.js';
import { runCases } from '../../support/run/cases.js';
import { groups } from '../../support/run/group.js';
import { Context } from '../../support/run/worker.js';
import { bareTarget } from '../bareTarget.js';
import { type FaultyProxy, startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { type Running, startReferenceServer } from '../referenceServer.js';

let folder: string;
let good: Running;
let proxy: FaultyProxy | undefined;
let runs = 0;

beforeAll(async () => {
  for (const chapter of ['watch', 'watchGuarantees']) await import(`../../${chapter}.spec.ts`);
  folder = mkdtempSync(join(tmpdir(), 'ended-watches-'));
  good = await startReferenceServer();
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});
afterAll(async () => {
  await good.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ended = { status: 200, headers: { 'content-type': 'application/json' }, body: '' };

/** Runs the cases on a server that ends watches at once, by their number, which starts at 1. */
async function resultsWhere(isEnded: (number: number) => boolean, wanted: string): Promise<CaseResult[]> {
  let watches = 0;
  proxy = await startFaultyProxy(good, {
    request: (passing) => {
      if (!/[?&]watch=true|\/watch\//.test(passing.path)) return passing;
      watches += 1;
      return isEnded(watches) ? ended : passing;
    },
  });
  const target = bareTarget(proxy.url, { credentials: { staticToken: { token: good.token } } });
  runs += 1;
  const context = new Context({ runId: `cccc0${runs}`, target, directory: folder }, '1');
  const results: CaseResult[] = [];
  for (const group of groups) {
    for (const subject of group.subjects) {
      const checks = group.checks.filter(({ id }) => caseId(id, subject) === wanted);
      if (checks.length > 0) results.push(...(await runCases(context, subject, { ...group, checks })));
    }
  }
  await context.client.close();
  return results;
}

/** Cases, and the number of watches that one try of the subject opens. */
const wanted = [
  ['watch.version-zero › GET /api/v1/watch/serviceaccounts', 2],
  ['watchGuarantees.slow-reader › server, a watcher that does not read', 2],
  ['watchGuarantees.bounded › GET /api/v1/namespaces/{namespace}/configmaps', 1],
  ['watch.added › GET /api/v1/namespaces/{namespace}/configmaps', 1],
] as const;

it.each(wanted)('%s passes where the server ends the first watches', async (id, count) => {
  const results = await resultsWhere((number) => number <= count, id);
  expect(results.map(({ verdict, message }) => message ?? verdict)).toEqual(['passed']);
});

it.each(wanted)('%s fails where the server ends every watch', async (id) => {
  const results = await resultsWhere(() => true, id);
  expect(results.map(({ verdict }) => verdict)).toEqual(['failed']);
});
