// Waits for megabytes: a link that is slow gets its time, one that stands still does not.
import { expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { bareTarget } from '../testing/bareTarget.js';
import { whileMoving } from './moving.js';

/** Waits for bytes of which so many have come after each wait, and all of them at `last`. */
async function waits(came: readonly number[], last: number): Promise<{ waits: number; losses: number }> {
  const client = new Client(bareTarget('http://127.0.0.1:1'), 1_000);
  let count = 0;
  const size = (): number => came[Math.min(count, came.length) - 1] ?? 0;
  await whileMoving(
    client,
    (milliseconds) => {
      expect(milliseconds).toBe(1_000);
      count += 1;
      return Promise.resolve(size() === last);
    },
    size,
  );
  return { waits: count, losses: client.health.losses.all };
}

it.each([
  ['come at once', [9], { waits: 1, losses: 0 }],
  ['come slowly', [2, 5, 9], { waits: 3, losses: 0 }],
  ['do not come', [0], { waits: 1, losses: 1 }],
  ['stop', [2, 5, 5], { waits: 3, losses: 1 }],
] as const)('bytes that %s', async (_, came, expected) => {
  expect(await waits(came, 9)).toEqual(expected);
});

it('bytes that still come after four times the usual time say nothing', async () => {
  await expect(waits([1, 2, 3, 4, 5], 9)).rejects.toMatchObject({
    verdict: 'skipped',
    message: 'the link is slow: 4 bytes came in 4 s',
  });
});
