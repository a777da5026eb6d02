// Tests rounds: immediate on a quiet server, later and together after a long round.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Pace } from './pace.js';

beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.clearAllTimers());
afterAll(() => void vi.useRealTimers());

const at: number[] = [];
/** Records the start of its rounds, each of which takes this many milliseconds. */
function paced(millis: number): Pace {
  at.length = 0;
  const start = performance.now();
  return new Pace(() => {
    at.push(performance.now() - start);
    vi.advanceTimersByTime(millis);
    return undefined;
  });
}

test.each([
  ['no time', 0, [0, 0, 0]],
  ['two milliseconds', 2, [0, 4]],
  ['much time', 50, [0, 55]],
])('rounds that take %s', async (_, millis, expected) => {
  const pace = paced(millis);
  for (let index = 0; index < 3; index++) pace.soon();
  await vi.advanceTimersByTimeAsync(50);
  expect(at).toEqual(expected);
});

test('no round comes after the end', async () => {
  const pace = paced(5);
  pace.soon();
  pace.soon();
  pace.stop();
  await vi.advanceTimersByTimeAsync(50);
  expect(at).toEqual([0]);
});

test('work that is added during a round runs in the next one', async () => {
  let rounds = 0;
  let finish = (_taken: number) => {};
  const pace = new Pace(() => {
    rounds += 1;
    return rounds === 1 ? new Promise((resolve) => (finish = resolve)) : undefined;
  });
  for (const call of ['soon', 'now', 'soon'] as const) pace[call]();
  expect(rounds).toBe(1);
  finish(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toBe(2);
});
