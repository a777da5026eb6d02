// Deadlines with one timer.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadlines } from './deadlines.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells each one that is late, once, and none before its time', () => {
  const [deadlines, told] = [new Deadlines(), [] as string[]];
  deadlines.after(1_000, () => told.push('second'));
  deadlines.after(500, () => told.push('first'));
  vi.advanceTimersByTime(499);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(151);
  expect(told).toEqual(['first']);
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual(['first', 'second']);
});

it('does not tell what is over, and leaves no timer', () => {
  const [deadlines, told] = [new Deadlines(), [] as string[]];
  deadlines.after(1_000, () => told.push('late'))();
  vi.advanceTimersByTime(10_000);
  expect([told, vi.getTimerCount()]).toEqual([[], 0]);
  deadlines.after(200, () => told.push('again'));
  vi.advanceTimersByTime(1_000);
  expect([told, vi.getTimerCount()]).toEqual([['again'], 0]);
});
