// Tests when quotas are recounted, also by a server that stops while it becomes the leader.
import { expect, it } from 'vitest';
import { MovableClock } from '../clock.js';
import type { KubeObject } from '../schema/object.js';
import { ServedResources } from '../versions/servedResources.js';
import { Counting, countedResourceQuotas, resourceQuotaControllers } from './resourceQuotas.js';

it('ends at once for a term that has ended', async () => {
  const running = { signal: AbortSignal.abort(), served: new ServedResources(), counting: new Counting() };
  const parts = { ...running, clock: new MovableClock() } as unknown as Parameters<typeof countedResourceQuotas>[1];
  await expect(countedResourceQuotas({ refresh: () => undefined }, parts)).resolves.toBeUndefined();
});

it('recounts namespaces that have a quota, and no others', async () => {
  const refreshed: string[] = [];
  const all = resourceQuotaControllers({ refresh: (namespace) => refreshed.push(namespace) }, new Counting());
  const [quotas, maps] = ['core/resourcequotas', 'core/configmaps'].map((id) =>
    all.find(({ resource }) => resource === id),
  );
  const named = (namespace: string, name: string) => ({ metadata: { namespace, name } }) as KubeObject;
  const recounts = () => ['a', 'b'].filter((namespace) => maps?.handles?.(named(namespace, 'map')));
  expect(recounts()).toEqual([]);
  for (const name of ['one', 'other']) await quotas?.reconcile(named('a', name));
  expect(recounts()).toEqual(['a']);
  await quotas?.forget?.(named('a', 'one'));
  expect(recounts()).toEqual(['a']);
  await quotas?.forget?.(named('a', 'other'));
  expect(recounts()).toEqual([]);
  expect(refreshed).toEqual(['a', 'a', 'a', 'a']);
});
