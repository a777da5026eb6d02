// Waiting: until it is so, and no longer than the deadline.
import { expect, it } from 'vitest';
import { eventually } from './eventually.js';

it('looks until it is settled', async () => {
  let looks = 0;
  const look = async () => ++looks;
  expect(await eventually(look, (seen) => seen === 3)).toBe(3);
  expect(looks).toBe(3);
});

it('returns what it saw last where it never settles', async () => {
  const started = Date.now();
  expect(
    await eventually(
      async () => 'no',
      () => false,
      30,
    ),
  ).toBe('no');
  expect(Date.now() - started).toBeLessThan(5_000);
});
