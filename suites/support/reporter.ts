// The first reporter of every run: puts back what the cells' loop turned round, and shows the progress.
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';

import { endWithParent } from './parentGone.js';

/**
 * A test with failed cells expects its own failure, because an unexpected one costs its worker half a second. Here the
 * expectation is put back before any other reporter looks, so that all of them count the test as failed.
 */
export default class ExpectationReporter implements Reporter {
  #total = 0;
  #done = 0;
  #shown = 0;

  onBegin(_config: FullConfig, suite: Suite): void {
    endWithParent();
    this.#total = suite.allTests().length;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    test.expectedStatus = 'passed';
    this.#done += 1;
    if (result.status === 'interrupted' || result.status === 'timedOut') {
      process.stderr.write(`${test.title}: ${result.status}\n`);
    }
    this.#progress();
  }

  onError(error: { readonly message?: string }): void {
    process.stderr.write(`${error.message ?? 'an error without a message'}\n`);
  }

  onEnd(_result: FullResult): void {
    if (process.stderr.isTTY) process.stderr.write('\n');
  }

  #progress(): void {
    const now = Date.now();
    if (!process.stderr.isTTY || (now - this.#shown < 200 && this.#done < this.#total)) return;
    this.#shown = now;
    process.stderr.write(`\r${this.#done} of ${this.#total} groups of cases`);
  }
}
