import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestCase, type TestSpecification } from 'vitest/node';

/** Starts the broken servers first: they take longest, and what starts last ends alone on its worker. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/suites/self/faults/');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Shows why a test failed that a retry has passed. */
const retried: Reporter = {
  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky !== true) return;
    const whys = test.result().errors?.flatMap(({ stack, message, diff }) => [stack ?? message, diff ?? '']) ?? [];
    process.stderr.write(`passed by a retry: ${test.fullName}\n${whys.join('\n')}\n`);
  },
};

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**', 'report/**'],
    // Tests wait for events; these limits are for what hangs, on a machine that others use too.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    // A shared machine may stall for seconds in the middle of a test of processes; what fails twice has failed.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', retried],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});
