// Turns groups into Playwright tests: one for each subject set and resource, with a loop over its cases.
// A failed case is recorded and does not end the loop. The command line takes its verdict from the records: a failed test
// costs its worker half a second, so tests fail only where a reporter of Playwright looks at them. It is playwright.config.ts
// that loads this file, before the chapters: Playwright takes longer to load than all of them.
// The usual `test` sets up and tears down 25 fixtures of browsers around each test.
import { _baseTest as test } from '@playwright/test';
import { defined } from '../../matrix/api/index.js';
import { type CaseResult, type Chosen, chosenBy, type Exchange } from '../requirements/index.js';
import { countAnnotation, undeclared, whySpared } from './caseCounts.js';
import { onChapter } from './chapter.js';
import { Concurrent, type SubjectOutcome } from './concurrent.js';
import { expectedRequests } from './expectedRequests.js';
import type { Group } from './group.js';
import { kindsOfRun, readRun, runVariable } from './settings.js';
import { runSubject } from './subject.js';
import { thisWorker, type Worker } from './worker.js';
import { countCases, isAlone, partsOf, type ResourceWork, unsentOf, worksOf } from './works.js';

/** The tag of tests that run one by one after all others; playwright.config.ts reads it. */
const aloneTag = '@alone';
/** The number of failures that a test names, with their exchanges. */
const shownFailures = 20;
/** The number of exchanges of a failure that are shown: the last ones, which matter most. */
const shownExchanges = 10;

let chosen: Chosen | undefined;

/**
 * Registers the tests of the groups of a chapter, those whose cases the run chooses; all tests when Playwright only lists
 * them.
 */
function registerTests(groups: readonly Group[]): void {
  chosen ??= process.env[runVariable] === undefined ? () => true : chosenBy(readRun().choice ?? {}, kindsOfRun());
  const [{ chapter } = { chapter: '' }] = groups;
  for (const part of partsOf(worksOf(groups, chosen)))
    test.describe(chapter, () => {
      // One worker runs the tests of a part in their order. The workers share the parts.
      test.describe.configure({ mode: 'default' });
      part.forEach((work, index) => {
        registerTest(work, part.slice(index + 1));
      });
    });
}

function registerTest(work: ResourceWork, later: readonly ResourceWork[]): void {
  const { resource, group, subjects } = work;
  const alone = isAlone(work);
  const annotation = [
    countAnnotation('cases', countCases(work, chosen ?? (() => true))),
    countAnnotation('requests', expectedRequests(group.chapter, subjects)),
    // Allure has a tree of chapters, sets and resources; otherwise it would begin with the projects.
    { type: 'allure.label.parentSuite', description: group.chapter },
    { type: 'allure.label.suite', description: group.set },
  ];
  const levels = group.checks.map(({ row: { level } }) => level);
  const tag = [...new Set([group.chapter, ...levels])].map((name) => `@${name}`);
  const details = { tag: alone ? [aloneTag, ...tag] : tag, annotation };
  const meanwhile = later.filter((other) => isAlone(other) === alone);
  // The target may serve other versions of a group that the table has.
  test(`${group.set} › ${resource}${group.ofFound ? ', other kinds' : ''}`, details, () => runTest(work, meanwhile));
}

let concurrent: Concurrent | undefined;

async function runTest(work: ResourceWork, later: readonly ResourceWork[]): Promise<void> {
  const worker = thisWorker();
  const { evidence, run } = worker;
  try {
    concurrent ??= new Concurrent(
      (index, ...about) => runSubject(worker.context(index), ...about, (results) => evidence.wants(results)),
      run.atOnce ?? 1,
    );
    // A reporter of Playwright sees the cases of each test, and a user can choose single tests.
    await judged(worker, work, concurrent.outcomes(work, run.showsCases ? [] : later));
  } finally {
    evidence.flush();
  }
}

async function judged(
  { run, evidence }: Worker,
  work: ResourceWork,
  outcomes: AsyncIterable<SubjectOutcome>,
): Promise<void> {
  const failures: CaseResult[] = [];
  const fatal: CaseResult[] = [];
  let silent = 0;
  for await (const { results, exchanges, count } of outcomes) {
    if (count === 0) silent += 1;
    evidence.write(results, exchanges);
    const failed = undeclared(results, run.target.deviations);
    failures.push(...failed);
    if (!run.showsCases) continue;
    for (const result of results) {
      const row = work.group.checks.find((check) => check.id === result.requirement)?.row;
      const isFailed = failed.includes(result);
      const spared = isFailed ? whySpared(result, row?.level ?? 'required', run) : undefined;
      const isFatal = isFailed && spared === undefined;
      const isShown = isFatal && fatal.length < shownFailures;
      if (isFatal) fatal.push(result);
      await showCase(row?.text ?? '', result, { isFatal, ...defined({ spared }) }, isShown ? exchanges : []);
    }
  }
  const unsent = unsentOf(work, silent);
  const blocked = failures.filter(({ verdict }) => verdict === 'blocked').length;
  test
    .info()
    .annotations.push(
      countAnnotation('failed', failures.length - blocked),
      countAnnotation('blocked', blocked),
      countAnnotation('unsent', unsent),
    );
  if (fatal.length === 0) return;
  const named = fatal.slice(0, shownFailures).map(({ id, message }) => `${id}: ${message}`);
  const more = fatal.length > shownFailures ? [`and ${fatal.length - shownFailures} more`] : [];
  throw plainError([`failed cases: ${fatal.length}`, ...named, ...more].join('\n'));
}

/** Shows a case and the text of its requirement as a step: failed with its message and exchanges, passed, or skipped with the reason. */
async function showCase(
  text: string,
  { id, verdict, message = '' }: CaseResult,
  { isFatal, spared }: { readonly isFatal: boolean; readonly spared?: string },
  exchanges: readonly Exchange[],
): Promise<void> {
  await test
    .step(`${id}: ${text}`, async (step) => {
      const why = [...(spared === undefined ? [] : [spared]), `${verdict}: ${message}`].join(' ');
      step.skip(!isFatal && verdict !== 'passed', why);
      if (!isFatal) return;
      const body = JSON.stringify(exchanges.slice(-shownExchanges), undefined, 2);
      if (exchanges.length > 0) await test.info().attach('exchanges', { body, contentType: 'application/json' });
      throw plainError(message);
    })
    .catch((error: unknown) => {
      if (!isFatal) throw error;
    });
}

/** Returns an error without a stack: the target failed, not a line of this program. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

onChapter(registerTests);
