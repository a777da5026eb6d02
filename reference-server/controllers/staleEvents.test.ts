// Tests that controllers act on the present state of an object, and not on that of an earlier event: what they write for
// one event, they would take back for the next one, for ever.
import { expect, it } from 'vitest';
import { createCluster } from '../cluster.js';
import type { KubeObject } from '../schema/object.js';
import { MemoryStorage } from '../storage/memory.js';
import { testIssuer } from '../testing/direct.js';
import { startControllers } from './index.js';

it('a controller that was busy sees the last of several changes', async () => {
  const cluster = createCluster({ storage: new MemoryStorage(), issuer: testIssuer });
  const store = cluster.registry.of('core/configmaps');
  const key = { namespace: 'default', name: 'a' };
  const write = (n: string) =>
    store.updateInternally(key, (current) =>
      (current.data as { n: string }).n === n ? current : ({ ...current, data: { n } } as KubeObject),
    );
  const seen: unknown[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const watcher = {
    name: 'watcher',
    resource: 'core/configmaps',
    async reconcile(object: KubeObject) {
      const { n } = object.data as { n: string };
      seen.push(n);
      await released;
      // As a status that is made from what was read.
      await write(n);
      return undefined;
    },
  };
  const { stop } = await startControllers({ ...cluster, addedControllers: [watcher] }, (error) => {
    throw error;
  });
  await store.create('default', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { n: '1' } });
  await expect.poll(() => seen).toEqual(['1']);
  for (const n of ['2', '3', '4']) await write(n);
  release();
  await store.create('default', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'z' }, data: { n: 'last' } });
  await expect.poll(() => seen).toContain('last');
  await stop();
  expect(seen.slice(1).filter((n) => n === '2' || n === '3')).toEqual([]);
});
