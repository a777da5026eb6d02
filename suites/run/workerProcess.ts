// A worker process of a run, without Playwright: loads the chapters, and runs the parts that it is given by workers.ts.
import { chosenBy } from '../requirements/index.js';
import { undeclared } from './caseCounts.js';
import { loadChapters } from './chapterFiles.js';
import { Concurrent } from './concurrent.js';
import { expectedRequests } from './expectedRequests.js';
import { groups } from './group.js';
import { tell } from './messages.js';
import { kindsOfRun, readRun } from './settings.js';
import { runSubject } from './subject.js';
import { Turns, turnSocket } from './turns.js';
import { Worker } from './worker.js';
import type { Assignment, FromWorker } from './workers.js';
import { countCases, isAlone, partsOf, type ResourceWork, unsentOf, worksOf } from './works.js';

const [index = '0', division, ...chapters] = process.argv.slice(2);
/** Whether this process is the only one of its run. */
const isOnly = division === 'whole';
const isChosen = chosenBy(readRun().choice ?? {}, kindsOfRun());

type Part = readonly ResourceWork[];

/** Loads the chapters. Returns their parts, the same ones in every worker: subjects that affect all workers come last. */
async function loadParts(): Promise<readonly Part[]> {
  await loadChapters(chapters);
  const works = chapters.toSorted().map((name) =>
    worksOf(
      groups.filter(({ chapter }) => chapter === name),
      isChosen,
    ),
  );
  const divided = isOnly ? [works.flat()] : works.flatMap(partsOf);
  return [
    ...divided.map((part) => part.filter((work) => !isAlone(work))),
    divided.flat().filter((work) => isAlone(work)),
  ].filter(({ length }) => length > 0);
}

const send = (message: FromWorker): unknown => process.send?.(message);

let ready: { readonly worker: Worker; readonly concurrent: Concurrent } | undefined;

function prepared() {
  const run = readRun();
  const worker = new Worker(run, index, new Turns(isOnly ? undefined : turnSocket()));
  // What is found is kept, also when a signal or an error ends this process.
  process.once('exit', () => worker.end());
  const concurrent = new Concurrent(
    (context, ...about) => runSubject(worker.context(context), ...about, (results) => worker.evidence.wants(results)),
    run.atOnce ?? 1,
  );
  return { worker, concurrent };
}

async function runPart(part: Part = [], from = 0): Promise<void> {
  const works = part.slice(from);
  for (const [index, work] of works.entries()) await runWork(work, works.slice(index + 1));
  send({ type: 'done' });
}

/** Runs the cases of one work, while those of `later` may begin. */
async function runWork(work: ResourceWork, later: readonly ResourceWork[]): Promise<void> {
  ready ??= prepared();
  const { worker, concurrent } = ready;
  let [silent, failed, blocked] = [0, 0, 0];
  try {
    for await (const { results, exchanges, count } of concurrent.outcomes(work, later)) {
      if (count === 0) silent += 1;
      worker.evidence.write(results, exchanges);
      const failures = undeclared(results, worker.run.target.deviations);
      const ofBlocked = failures.filter(({ verdict }) => verdict === 'blocked').length;
      failed += failures.length - ofBlocked;
      blocked += ofBlocked;
    }
  } catch (error) {
    // A part of the run is gone: these cases have no verdict, and the others still run.
    tell(String((error as Error).stack));
  } finally {
    worker.evidence.flush();
  }
  const requests = expectedRequests(work.group.chapter, work.subjects);
  const cases = countCases(work, isChosen);
  send({ type: 'tested', cases, failed, blocked, requests, unsent: unsentOf(work, silent) });
}

// Nothing is left to do, or the command line is gone.
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// The command line prepares the run meanwhile.
void loadParts().then((parts) => {
  process.on('message', ({ part, from }: Assignment) => void runPart(parts[part], from));
  const all = parts.flat();
  send({
    type: 'loaded',
    parts: parts.map(({ length }) => length),
    cases: all.reduce((sum, work) => sum + countCases(work, isChosen), 0),
    requests: all.reduce((sum, { group, subjects }) => sum + expectedRequests(group.chapter, subjects), 0),
  });
});
