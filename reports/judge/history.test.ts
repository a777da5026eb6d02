// The history of runs: what is kept, and since when a requirement fails.
import { expect, it } from 'vitest';
import { pods, result, sampleEvidence } from '../testing/sample.js';
import { failingSince, type PastRun, parseHistory, renderHistory, withRun } from './history.js';
import { judge } from './verdict.js';

const id = pods.requirement.id;

function added(history: readonly PastRun[], day: number, failed: boolean, target = 'a'): PastRun[] {
  const startedAt = `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  const evidence = sampleEvidence({
    run: { runId: `${target}${day}`, startedAt, target: { name: target, url: 'https://a' } },
    results: [result(pods, failed ? 'failed' : 'passed')],
  });
  return withRun(history, judge(evidence, { expected: [pods], requirements: [pods.requirement] }), evidence);
}

it('keeps the last 30 runs of each target, in their order, and each run once', () => {
  let history: PastRun[] = [];
  for (let day = 30; day > 0; day -= 1) history = added(history, day, false);
  history = added(added(history, 31, true), 31, true);
  history = added(history, 1, true, 'b');
  const of = (name: string): string[] => history.filter(({ target }) => target === name).map(({ runId }) => runId);
  expect([of('a').length, of('a')[0], of('a').at(-1), of('b')]).toEqual([30, 'a2', 'a31', ['b1']]);
  expect(parseHistory(renderHistory(history))).toEqual(history);
});

it.each<[runs: boolean[], since: number | undefined]>([
  [[true], 1],
  [[false, true, true], 2],
  [[true, false, true], 3],
  [[true, false], undefined],
])('%s fails since %s', (runs, since) => {
  const history = runs.reduce<PastRun[]>((before, failed, index) => added(before, index + 1, failed), []);
  expect(failingSince(history, id)?.slice(9, 10)).toBe(since?.toString());
  // A run of other cases says nothing.
  const other: PastRun = { ...(history[0] as PastRun), runId: 'x', failing: [], part: true };
  expect(failingSince([...history, other], id)?.slice(9, 10)).toBe(since?.toString());
});

it('knows what a run selected, and how it ended early', () => {
  const evidence = sampleEvidence({
    run: { choice: { chapters: ['create'] } },
    end: { aborted: 'interrupted' },
    results: [result(pods, 'passed')],
  });
  const [run] = withRun([], judge(evidence, { expected: [pods], requirements: [pods.requirement] }), evidence);
  expect(run).toMatchObject({ part: true, selected: 'chapter create', early: 'interrupted' });
});

it.each(['', '[]', '{"historyVersion":2,"runs":[]}', '{"historyVersion":1,"runs":[{}]}'])(
  '%s is no history',
  (text) => {
    expect(parseHistory(text)).toBeUndefined();
  },
);
