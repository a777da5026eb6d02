// The line, the reasons and the exit code of runs; the tables are in ../testing/outcomes.
import { describe, expect, it } from 'vitest';
import { partialRuns } from '../testing/outcomes/parts.js';
import { wholeRuns } from '../testing/outcomes/whole.js';
import { judgeSample, type Sample } from '../testing/sample.js';

describe('the verdict', () => {
  it.each(Object.entries({ ...wholeRuns, ...partialRuns }))('%s', (_, { sample, line, exitCode, reason }) => {
    const verdict = judgeSample({ requirements: requirementsOf(sample), ...sample });
    expect(verdict.line).toBe(line);
    expect(verdict.exitCode).toBe(exitCode);
    expect(verdict.reasons).toEqual(reason === undefined ? [] : [reason].flat());
  });
});

function requirementsOf({ expected = [] }: Sample) {
  return [...new Set(expected.map((one) => one.requirement))];
}
