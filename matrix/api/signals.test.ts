// Tests that a signal keeps what it is made of.
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { firstOf } from './signals.js';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Waits for an event that never comes, until a time is over. */
async function silence(stopping: AbortSignal): Promise<string> {
  const signal = firstOf(firstOf(stopping, AbortSignal.timeout(200)), AbortSignal.timeout(600_000));
  return once(new EventTarget(), 'never', { signal }).then(
    () => 'an event',
    () => 'over',
  );
}

test('a timeout that nothing else holds ends what waits for it, though the garbage is collected meanwhile', async () => {
  const stopping = new AbortController();
  const all = Array.from({ length: 20 }, () => silence(stopping.signal));
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await Promise.all(all)).toEqual(all.map(() => 'over'));
});
