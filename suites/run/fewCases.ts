// The runner of a run with few cases: runs them in this process, without Playwright, which takes longer to start than they
// take. It speaks with the command line as Playwright does: by the settings of the run, the standard input and signals.
import { Redactor } from '../client/evidence/redaction.js';
import { chosenBy } from '../requirements/index.js';
import { undeclared } from './caseCounts.js';
import { loadChapters } from './chapterFiles.js';
import { Concurrent } from './concurrent.js';
import { expectedRequests } from './expectedRequests.js';
import { groups } from './group.js';
import { tellBy } from './messages.js';
import { runPrepared, secretsOfRun } from './prepared.js';
import { Progress } from './progress.js';
import { kindsOfRun, readRun } from './settings.js';
import { runSubject } from './subject.js';
import { Tally } from './tally.js';
import { Turns } from './turns.js';
import { Worker } from './worker.js';
import { countCases, isAlone, type ResourceWork, unsentOf, worksOf } from './works.js';

const isChosen = chosenBy(readRun().choice ?? {}, kindsOfRun());
const chapters = process.argv.slice(2).sort();
// The command line prepares the run meanwhile.
await loadChapters(chapters);
const all = chapters.flatMap((name) =>
  worksOf(
    groups.filter(({ chapter }) => chapter === name),
    isChosen,
  ),
);
const inOrder = [all.filter((work) => !isAlone(work)), all.filter(isAlone)];
await runPrepared();

const redactor = new Redactor();
for (const secret of secretsOfRun()) redactor.add(secret);
const progress = new Progress(process.stderr);
const note = (text: string): void => progress.note(redactor.redact(text));
tellBy(note);

const run = readRun();
const worker = new Worker(run, '0', new Turns());
// What is found is kept, also when a signal or an error ends this process.
process.once('exit', () => {
  worker.end();
  progress.end();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('uncaughtException', (error) => {
  note(String(error.stack));
  process.exit(1);
});

const tally = new Tally(
  all.reduce((sum, work) => sum + countCases(work, isChosen), 0),
  all.reduce((sum, { group, subjects }) => sum + expectedRequests(group.chapter, subjects), 0),
);
progress.update(tally.now);
const concurrent = new Concurrent(
  (index, ...about) => runSubject(worker.context(index), ...about, (results) => worker.evidence.wants(results)),
  run.atOnce ?? 1,
);

/** Runs the cases of one work, while those of `later` may begin. */
async function runWork(work: ResourceWork, later: readonly ResourceWork[]): Promise<void> {
  let [silent, failed, blocked] = [0, 0, 0];
  for await (const { results, exchanges, count } of concurrent.outcomes(work, later)) {
    if (count === 0) silent += 1;
    worker.evidence.write(results, exchanges);
    const failures = undeclared(results, run.target.deviations);
    const ofBlocked = failures.filter(({ verdict }) => verdict === 'blocked').length;
    failed += failures.length - ofBlocked;
    blocked += ofBlocked;
  }
  const requests = expectedRequests(work.group.chapter, work.subjects);
  tally.add({ cases: countCases(work, isChosen), failed, blocked, requests, unsent: unsentOf(work, silent) });
  progress.update(tally.now);
}

let exitCode = 0;
for (const works of inOrder)
  for (const [index, work] of works.entries())
    try {
      await runWork(work, works.slice(index + 1));
    } catch (error) {
      // A part of the run is gone: these cases have no verdict, and the others still run.
      note(String((error as Error).stack));
      exitCode = 1;
    } finally {
      worker.evidence.flush();
    }
process.exit(exitCode);
