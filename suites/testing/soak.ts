import type { TestContext } from 'vitest';

/** Whether `npm run test:soak` runs the tests: with all cases of a fault, all examples, and each program of others. */
export const isSoak = process.env.TESTS === 'soak';

/** Skips a test that only the soak runs: what looks at much, and guards no data and no verdict that others do not. */
export function inSoakAlone({ skip }: Pick<TestContext, 'skip'>): void {
  if (!isSoak) skip('in the soak');
}
