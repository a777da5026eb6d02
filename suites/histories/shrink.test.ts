// A history that contradicts the rules is tried smaller, and the smallest one that shows it is told.
import { expect, test } from 'vitest';
import type { Size } from './plan.js';
import { type JudgedHistory, shrunk } from './shrink.js';
import type { Statement } from './violation.js';

const judgedAs = (...statements: readonly Statement[]) =>
  ({ history: {}, violations: statements.map((statement) => ({ statement })) }) as unknown as JudgedHistory;

const found = judgedAs('order', 'reads');

test.each<[what: string, shows: (size: Size) => Statement | undefined, tried: number]>([
  ['the smallest', () => 'order', 1],
  ['one of two clients', ({ clients }) => (clients > 1 ? 'order' : undefined), 2],
  ['not one that shows something else', ({ steps }) => (steps > 5 ? 'order' : 'reads'), 3],
])('returns %s', async (_, shows, tried) => {
  const runs: JudgedHistory[] = [];
  const run = async (size: Size): Promise<JudgedHistory> => {
    const statement = shows(size);
    runs.push(judgedAs(...(statement === undefined ? [] : [statement])));
    return runs.at(-1) as JudgedHistory;
  };
  expect(await shrunk(found, run)).toBe(runs.at(-1));
  expect(runs).toHaveLength(tried);
});

test('returns the history itself if no smaller one shows it, or can run', async () => {
  expect(await shrunk(found, async () => judgedAs('reads'))).toBe(found);
  expect(await shrunk(found, () => Promise.reject(new Error('refused')))).toBe(found);
});
