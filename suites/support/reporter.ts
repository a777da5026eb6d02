// The first reporter of every run: puts back what the cells' loop turned round, and shows the progress.
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { secretsOf } from '../fixtures/fixtures.js';
import { ownCredential } from './carried.js';
import { endWithParent } from './parentGone.js';
import { Progress, type Tally } from './progress.js';
import { Redactor } from './redaction.js';
import { readRun } from './run.js';
import { toldNumber } from './tally.js';

/**
 * A test with failed cells expects its own failure, because an unexpected one costs its worker half a second. Here the
 * expectation is put back before any other reporter looks, so that all of them count the test as failed.
 */
export default class ExpectationReporter implements Reporter {
  readonly #progress = new Progress(process.stderr);
  readonly #redactor = redactorOfRun();
  #tally: Tally = { total: 0, done: 0, failed: 0 };

  onBegin(_config: FullConfig, suite: Suite): void {
    endWithParent();
    const total = suite.allTests().reduce((sum, { annotations }) => sum + toldNumber('cells', annotations), 0);
    this.#tally = { ...this.#tally, total };
    this.#progress.update(this.#tally);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    test.expectedStatus = 'passed';
    const cells = toldNumber('cells', test.annotations);
    // what an interrupt cuts off is not reached
    if (result.status === 'interrupted') return;
    const timedOut = result.status === 'timedOut';
    const failed = timedOut ? cells : toldNumber('failed', result.annotations);
    const { total, done } = this.#tally;
    this.#tally = { total, done: done + cells, failed: this.#tally.failed + failed };
    this.#progress.update(this.#tally);
    if (timedOut) this.#note(`${test.title}: ${result.status}`);
  }

  /** What a worker says to whoever started the run. */
  onStdErr(chunk: string | Buffer): void {
    for (const line of chunk.toString().split('\n')) if (line !== '') this.#note(line);
  }

  onError(error: { readonly message?: string }): void {
    this.#note(error.message ?? 'an error without a message');
  }

  onEnd(): void {
    this.#progress.end();
  }

  #note(text: string): void {
    this.#progress.note(this.#redactor.redact(text));
  }
}

/** Knows every credential that the run was given. */
function redactorOfRun(): Redactor {
  const { target, authentication } = readRun();
  const redactor = new Redactor();
  for (const { token, password, key } of [...Object.values(target.credentials), ownCredential(target)]) {
    for (const secret of [token, password, key]) redactor.add(secret);
  }
  for (const secret of authentication ? secretsOf(authentication.fixtures) : []) redactor.add(secret);
  return redactor;
}
