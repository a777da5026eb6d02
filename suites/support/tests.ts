// Turns performances into Playwright tests: one for each subject set and resource, its cells in a loop inside.
// A failed cell is written down and does not end the loop; the verdict of the run comes from what is written.
import { _baseTest as test } from '@playwright/test';
import { type CaseResult, type Chosen, caseId, chosenBy, type Subject } from '../../matrix/requirements/index.js';
import { runCell } from './cell.js';
import type { Performance } from './chapter.js';
import { withOtherEnds } from './otherEnds.js';
import { type Run, readRun } from './run.js';
import { tellNumber, undeclared } from './tally.js';
import { type Context, worker } from './worker.js';

/** The tag of tests that run when all others are done, one after the other; playwright.config.ts reads it. */
const aloneTag = '@alone';

interface Told {
  readonly run: Run;
  readonly chosen: Chosen;
}
let told: Told | undefined;

/** What this process was told to run, read once for all chapters. */
function toldOnce(): Told {
  if (told === undefined) {
    const run = readRun();
    told = { run, chosen: chosenBy(run.choice ?? {}) };
  }
  return told;
}

/** Registers the tests of the performances, as far as the run chooses their cases. */
export function registerTests(performances: readonly Performance[]): void {
  const { run, chosen } = toldOnce();
  for (const performance of performances) {
    for (const [resource, subjects] of byResource(performance, chosen)) {
      const title = `${performance.chapter} ${performance.set} › ${resource}`;
      const tag = subjects.some(({ alone }) => alone) ? aloneTag : [];
      const annotation = tellNumber('cells', cellsOf(subjects, performance, chosen));
      test(title, { tag, annotation }, () => runCells(run, subjects, performance));
    }
  }
}

function byResource({ subjects, judges }: Performance, chosen: Chosen): Map<string, Subject[]> {
  const groups = new Map<string, Subject[]>();
  for (const subject of subjects) {
    if (!judges.some(({ id }) => chosen(caseId(id, subject)))) continue;
    const group = groups.get(subject.resource);
    if (group === undefined) groups.set(subject.resource, [subject]);
    else group.push(subject);
  }
  return groups;
}

function cellsOf(subjects: readonly Subject[], { judges }: Performance, chosen: Chosen): number {
  const ofSubject = (subject: Subject): number => judges.filter(({ id }) => chosen(caseId(id, subject))).length;
  return subjects.reduce((sum, subject) => sum + ofSubject(subject), 0);
}

async function runCells(run: Run, subjects: readonly Subject[], performance: Performance): Promise<void> {
  const context = worker(run);
  const failures: string[] = [];
  let undeclaredFailures = 0;
  try {
    for (const subject of subjects) {
      const results = await runCell(context, subject, performance);
      const exchanges = await withOtherEnds(context, subject, context.client.takeExchanges());
      context.evidence.write(results, exchanges);
      await releaseAddresses(context);
      undeclaredFailures += undeclared(results, run.target.deviations).length;
      failures.push(...results.filter(failed).map(({ id, message }) => `${id}: ${message}`));
    }
  } finally {
    context.evidence.flush();
  }
  test.info().annotations.push(tellNumber('failed', undeclaredFailures));
  if (failures.length > 0) {
    // An unexpected failure would cost the worker; the reporter puts the expectation back.
    test.fail();
    throw new Error(`${failures.length} cases failed\n${failures.slice(0, 20).join('\n')}`);
  }
}

/** Gives back what the case took of the few addresses of a target, where its deletes can be trusted. */
async function releaseAddresses({ scope, client, run, stop }: Context): Promise<void> {
  if (run.undeletable?.objects !== undefined || run.target.readOnly || stop !== undefined) return;
  await scope.releaseAddresses().catch(ignored);
  client.takeExchanges();
}

/** A target that does not answer now is the next case's to tell. */
const ignored = (): void => undefined;

const failed = ({ verdict, alias }: CaseResult): boolean =>
  alias === undefined && (verdict === 'failed' || verdict === 'blocked');
