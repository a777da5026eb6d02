// The Playwright reporter for runs of the command line: shows the progress.
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { Redactor } from '../client/evidence/redaction.js';
import { annotatedCount } from './caseCounts.js';
import { runPrepared, secretsOfRun } from './prepared.js';
import { Progress } from './progress.js';
import { readRun } from './settings.js';
import { Tally } from './tally.js';

/** Counts the cases of the tests that ended, and writes the messages of the workers. */
export default class ProgressReporter implements Reporter {
  #progress: Progress | undefined;
  readonly #redactor = new Redactor();
  #tally = new Tally();

  /** Waits after the tests are loaded: the command line prepares the run meanwhile. */
  async preprocess(): Promise<void> {
    await runPrepared();
    for (const secret of secretsOfRun(readRun())) this.#redactor.add(secret);
    this.#progress = new Progress(process.stderr);
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    const all = (what: 'cases' | 'requests'): number =>
      suite.allTests().reduce((sum, { annotations }) => sum + annotatedCount(what, annotations), 0);
    this.#tally = new Tally(all('cases'), all('requests'));
    this.#progress?.update(this.#tally.now);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const cases = annotatedCount('cases', test.annotations);
    // an interrupted test did not run all of its cases
    if (result.status === 'interrupted') return;
    const timedOut = result.status === 'timedOut';
    this.#tally.add({
      cases,
      failed: timedOut ? cases : annotatedCount('failed', result.annotations),
      blocked: annotatedCount('blocked', result.annotations),
      requests: annotatedCount('requests', test.annotations),
      unsent: annotatedCount('unsent', result.annotations),
    });
    this.#progress?.update(this.#tally.now);
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
