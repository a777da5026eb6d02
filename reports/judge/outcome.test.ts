// The line, the reasons and the exit code of runs; the tables are in ../testing/outcomes.
import { describe, expect, it } from 'vitest';
import { partialRuns } from '../testing/outcomes/parts.js';
import { wholeRuns } from '../testing/outcomes/whole.js';
import { judgeSample, ofRule, pods, readPods, recommendedCase, result, type Sample } from '../testing/sample.js';
import { headingOf, limitedTexts, partsBelowHeading } from './outcome.js';

describe('the verdict', () => {
  it.each(Object.entries({ ...wholeRuns, ...partialRuns }))('%s', (_, { sample, line, exitCode, reason }) => {
    const verdict = judgeSample({ requirements: requirementsOf(sample), ...sample });
    expect(verdict.line).toBe(line);
    expect(verdict.exitCode).toBe(exitCode);
    expect(verdict.reasons).toEqual(reason === undefined ? [] : [reason].flat());
  });
});

describe('the heading', () => {
  const some: Sample = {
    expected: [pods, readPods, recommendedCase],
    run: { choice: { chapters: ['create', 'errors'] } },
  };
  const passed = result(pods, 'passed');
  it.each<[string, Sample]>([
    ['Conformant', { expected: [pods], results: [passed] }],
    ['Nothing failed in 2 of 3 cases', { ...some, results: [passed, result(recommendedCase, 'passed')] }],
    ['Nothing failed in 2 of 3 cases', { ...some, results: [passed, result(recommendedCase, 'not-supported')] }],
    ['Nothing required failed in 2 of 3 cases', { ...some, results: [passed, result(recommendedCase, 'failed')] }],
    [
      'Only known deviations in 2 of 3 cases',
      { ...some, deviations: [ofRule], results: [result(pods, 'failed'), result(recommendedCase, 'passed')] },
    ],
    ['Not conformant', { ...some, results: [result(pods, 'failed'), result(recommendedCase, 'passed')] }],
  ])('is "%s", and what is below it does not say more', (heading, sample) => {
    const verdict = judgeSample({ requirements: requirementsOf(sample), ...sample });
    expect(headingOf(verdict)).toBe(heading);
    const below = partsBelowHeading(verdict).map(({ text }) => text);
    expect(below.some((text) => /^(partial|conformant)/.test(text))).toBe(heading === 'Conformant');
    const [first] = limitedTexts(verdict);
    expect(first?.startsWith(heading.toLowerCase()) || first === heading).toBe(true);
  });
});

it('knows how many cases were selected in a run that ended early too', () => {
  const verdict = judgeSample({
    expected: [pods, readPods],
    run: { choice: { chapters: ['create'] } },
    end: null,
    results: [result(pods, 'passed')],
  });
  expect(verdict.exitCode).toBe(2);
  expect(verdict.selection).toEqual({ words: ['chapter create'], of: 2 });
});

function requirementsOf({ expected = [] }: Sample) {
  return [...new Set(expected.map((one) => one.requirement))];
}
