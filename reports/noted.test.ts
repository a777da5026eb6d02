// The notes of passed cases, combined.
import { expect, it } from 'vitest';
import { notedLines } from './noted.js';

it('merges the notes of cases about one thing in one line', () => {
  const cases = [{ note: 'Pod: spec.b, spec.a' }, {}, { note: 'Job: spec.x' }, { note: 'Pod: spec.a, spec.c' }];
  expect(notedLines(cases)).toEqual([
    'Job has more than the suite knows: spec.x',
    'Pod has more than the suite knows: spec.a, spec.b, spec.c',
  ]);
});
