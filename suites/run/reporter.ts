// The Playwright reporter for runs of the command line: shows the progress.
import { once } from 'node:events';
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { ownCredential } from '../client/carried.js';
import { Redactor } from '../client/evidence/redaction.js';
import { secretsOf } from '../fixtures/fixtures.js';
import { annotatedCount } from './caseCounts.js';
import { Progress, type RunTally } from './progress.js';
import { readRun } from './settings.js';

/** Counts the cases of the tests that ended, and writes the messages of the workers. */
export default class ProgressReporter implements Reporter {
  #progress: Progress | undefined;
  readonly #redactor = new Redactor();
  #tally: RunTally = { total: 0, done: 0, failed: 0, blocked: 0, part: 0 };
  /** The expected requests of all tests, and of those that ended. */
  #requests = { all: 0, done: 0 };

  /** Waits after the tests are loaded: the command line prepares the run meanwhile. */
  async preprocess(): Promise<void> {
    await runPrepared();
    for (const secret of secretsOfRun()) this.#redactor.add(secret);
    this.#progress = new Progress(process.stderr);
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    const total = suite.allTests().reduce((sum, { annotations }) => sum + annotatedCount('cases', annotations), 0);
    this.#tally = { ...this.#tally, total };
    this.#requests.all = suite.allTests().reduce((sum, test) => sum + annotatedCount('requests', test.annotations), 0);
    this.#progress?.update(this.#tally);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const cases = annotatedCount('cases', test.annotations);
    // an interrupted test did not run all of its cases
    if (result.status === 'interrupted') return;
    const timedOut = result.status === 'timedOut';
    const failed = timedOut ? cases : annotatedCount('failed', result.annotations);
    const blocked = annotatedCount('blocked', result.annotations);
    const { total, done } = this.#tally;
    // Skipped cases take no time, so they say nothing about the time of the others.
    const unsent = annotatedCount('unsent', result.annotations);
    this.#requests.all -= unsent;
    this.#requests.done += annotatedCount('requests', test.annotations) - unsent;
    const part = this.#requests.done / this.#requests.all;
    this.#tally = {
      total,
      done: done + cases,
      failed: this.#tally.failed + failed,
      blocked: this.#tally.blocked + blocked,
      part,
    };
    this.#progress?.update(this.#tally);
    if (timedOut) this.#note(`${test.title}: ${result.status}`);
  }

  /** Passes messages of a worker on to the user who started the run. */
  onStdErr(chunk: string | Buffer): void {
    for (const line of chunk.toString().split('\n')) if (line !== '') this.#note(line);
  }

  onError(error: { readonly message?: string }): void {
    this.#note(error.message ?? 'an error without a message');
  }

  onEnd(): void {
    this.#progress?.end();
  }

  #note(text: string): void {
    const shown = this.#redactor.redact(text);
    if (this.#progress === undefined) process.stderr.write(`${shown}\n`);
    else this.#progress.note(shown);
  }
}

/** Returns every credential that was given to the run. */
function secretsOfRun(): (string | undefined)[] {
  const { target, authentication } = readRun();
  const credentials = [...Object.values(target.credentials), ownCredential(target)];
  return [
    ...credentials.flatMap(({ token, password, key }) => [token, password, key]),
    ...(authentication ? secretsOf(authentication.fixtures) : []),
  ];
}

/**
 * Waits until the command line has prepared the run. It tells so by the standard input, whose end means that the command
 * line has ended: then this process ends too, because no other process would clean up.
 */
async function runPrepared(): Promise<void> {
  const { stdin } = process;
  stdin.once('end', () => process.exit(1));
  await once(stdin, 'data');
  stdin.resume();
  // standard input must not keep the runner alive
  (stdin as { unref?: () => void }).unref?.();
}
