// Rounds: at once on a quiet server, later and together after one that took long.
import { afterEach, expect, test, vi } from 'vitest';
import { Pace } from './pace.js';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
afterEach(() => vi.clearAllTimers());

const at: number[] = [];
/** Notes when its rounds begin, each of which takes some milliseconds. */
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
  ['two milliseconds', 2, [0, 8]],
  ['much time', 50, [0, 70]],
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

test('what is due during a round comes after it', async () => {
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
