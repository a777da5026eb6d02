// Waiting ends when the condition holds, and not later than the deadline.
import { expect, it } from 'vitest';
import { eventually } from './eventually.js';

it('polls until the condition holds', async () => {
  let looks = 0;
  const look = async () => ++looks;
  expect(await eventually(look, (seen) => seen === 3, 30_000)).toBe(3);
  expect(looks).toBe(3);
});

it('returns the last value if the condition never holds', async () => {
  expect(
    await eventually(
      async () => 'no',
      () => false,
      30,
    ),
  ).toBe('no');
});
