import { describe, expect, it } from 'vitest';
import type { CaseResult, CaseVerdict } from '../requirements/index.js';
import { annotatedCount, countAnnotation, undeclared, whySpared } from './caseCounts.js';

const result = (requirement: string, subject: string, verdict: CaseVerdict): CaseResult => ({
  type: 'case',
  id: `${requirement} › ${subject}`,
  requirement,
  subject,
  verdict,
  exchanges: [],
});

it('reads the count among other annotations', () => {
  const annotations = [{ type: 'other', description: '7' }, countAnnotation('failed', 3), countAnnotation('cases', 12)];
  expect([annotatedCount('cases', annotations), annotatedCount('failed', annotations)]).toEqual([12, 3]);
  expect(annotatedCount('failed', [])).toBe(0);
});

describe('undeclared', () => {
  const deviations = [
    { requirement: 'create.answer', subject: 'pods', reason: 'x' },
    { requirement: 'list.answer', reason: 'x' },
  ];
  it.each([
    ['create.answer', 'pods', 'failed', false],
    ['create.answer', 'services', 'failed', true],
    ['create.answer', 'pods', 'blocked', true],
    ['list.answer', 'anything', 'failed', false],
    ['read.answer', 'pods', 'failed', true],
    ['read.answer', 'pods', 'passed', false],
    ['read.answer', 'pods', 'skipped', false],
  ] as const)('%s › %s, %s: %s', (requirement, subject, verdict, counts) => {
    expect(undeclared([result(requirement, subject, verdict)], deviations)).toHaveLength(counts ? 1 : 0);
  });
});

describe('a failed case', () => {
  it.each([
    ['a required one', 'required', {}, undefined],
    ['a recommended one in a strict run', 'recommended', {}, undefined],
    ['a recommended one', 'recommended', { onlyRequired: true }, 'recommended, does not decide:'],
    ['a required one beside it', 'required', { onlyRequired: true }, undefined],
    ['one of the baseline', 'required', { known: ['a › b'] }, 'known'],
    ['one that the baseline lacks', 'required', { known: ['a › c'] }, undefined],
  ] as const)('%s: fails its test only if it fails the run', (_, level, run, why) => {
    expect(whySpared({ id: 'a › b' }, level, run)).toBe(why);
  });
});
