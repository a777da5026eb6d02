// Tests the recounts of quotas of a server that stops while it becomes the leader.
import { expect, it } from 'vitest';
import { MovableClock } from '../clock.js';
import { ServedResources } from '../versions/servedResources.js';
import { Counting, countedResourceQuotas } from './resourceQuotas.js';

it('ends at once for a term that has ended', async () => {
  const running = { signal: AbortSignal.abort(), served: new ServedResources(), counting: new Counting() };
  const parts = { ...running, clock: new MovableClock() } as unknown as Parameters<typeof countedResourceQuotas>[1];
  await expect(countedResourceQuotas({ refresh: () => undefined }, parts)).resolves.toBeUndefined();
});
