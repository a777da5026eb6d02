// The bars of the last runs: of the same cases only, and a worse run shows more of what does not hold.
import { expect, it } from 'vitest';
import type { PastRun } from '../../judge/history.js';
import { trend } from './trend.js';

const run = (held: number, more: Partial<PastRun> = {}): PastRun => ({
  target: 'a',
  runId: `r${held}`,
  startedAt: '2026-11-27T10:00:00.000Z',
  outcome: held === 10 ? 'conformant' : 'not-conformant',
  exitCode: held === 10 ? 0 : 1,
  held,
  judged: 10,
  failing: [],
  ...more,
});
const heights = (runs: readonly PastRun[], look: string): number[] =>
  [...`${trend(runs)}`.matchAll(new RegExp(`class="${look}"[^>]* height="([\\d.]+)"`, 'g'))].map(([, high]) =>
    Number(high),
  );

it('is absent for the first run, and for the first of other cases', () => {
  expect(trend([run(10)])).toBeUndefined();
  expect(trend([run(10), run(9, { part: true, selected: 'chapter create' })])).toBeUndefined();
});

it('has a bar of the same height for every run of the same cases, filled by what holds', () => {
  const runs = [run(0), run(5), run(3, { part: true, selected: 'chapter create' }), run(10)];
  expect(heights(runs, 'failed')).toEqual([18, 18]);
  expect(heights(runs, 'passed')).toEqual([9, 18]);
  expect(`${trend(runs)}`).toContain('1 of 3 runs good');
});

it('says how a run ended that has no verdict', () => {
  const stopped = run(3, { outcome: 'could-not-run', exitCode: 2, early: 'interrupted' });
  expect(`${trend([stopped, run(10)])}`).toContain('2026-11-27: interrupted, 3 of 10 required hold');
  expect(heights([stopped, run(10)], 'untested')).toEqual([18]);
});
