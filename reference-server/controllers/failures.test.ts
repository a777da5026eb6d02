// Tests failing controllers: they restart, failed work is retried, and the health shows both.
import { afterEach, expect, test, vi } from 'vitest';
import { authorizer } from '../authorization/authorizer.js';
import { createCluster } from '../cluster.js';
import type { KubeObject } from '../schema/object.js';
import { MemoryStorage } from '../storage/memory.js';
import { Direct, testIssuer } from '../testing/direct.js';
import { startControllers } from './index.js';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});

/** Starts a server that counts the failures of its controllers. */
async function start(storage: MemoryStorage) {
  const cluster = createCluster({ storage, issuer: testIssuer });
  const failures: unknown[] = [];
  const { stop } = await startControllers(cluster, (error) => failures.push(error));
  ends.push(stop);
  const server = new Direct(
    { ...cluster, connections: {} as never, bearerOf: async () => undefined, authorizer: authorizer('AlwaysAllow') },
    cluster,
    stop,
  );
  const health = async () => {
    const { body } = await server.call('GET', '/api/v1/componentstatuses/controller-manager');
    return body.conditions[0];
  };
  return { server, cluster, failures, health };
}

test('a controller with a broken watch is restarted, and is unhealthy until then', async () => {
  const storage = new MemoryStorage();
  const { watch, list } = storage;
  let broken = false;
  const fail = async () => {
    throw new Error('disk on fire');
  };
  const breaks: (() => void)[] = [];
  storage.watch = async function* (...of) {
    const stop = new AbortController();
    breaks.push(() => stop.abort());
    yield* watch.call(storage, of[0], of[1], AbortSignal.any([of[2], stop.signal]));
    if (broken) await fail();
  };
  const { server, failures, health } = await start(storage);
  expect(await health()).toMatchObject({ status: 'True', message: 'ok' });
  broken = true;
  storage.list = fail;
  for (const each of breaks) each();
  await expect.poll(health).toMatchObject({ status: 'False', message: expect.stringContaining('disk on fire') });
  expect(failures).not.toEqual([]);
  broken = false;
  storage.list = list;
  await expect.poll(health).toMatchObject({ status: 'True' });
  await server.create('/api/v1/namespaces', { metadata: { name: 'n' } });
  await server.call('DELETE', '/api/v1/namespaces/n');
  await expect.poll(async () => (await server.call('GET', '/api/v1/namespaces/n')).status).toBe(404);
});

test('failed work for a deleted object is retried', async () => {
  const storage = new MemoryStorage();
  const { server, failures, health } = await start(storage);
  const at = '/api/v1/namespaces/default';
  const account = await server.create(`${at}/serviceaccounts`, { metadata: { name: 'a' } });
  const secret = `${at}/secrets/${account.secrets[0].name}`;
  const guarded = storage.guaranteedUpdate;
  storage.guaranteedUpdate = async (key, update) => {
    if (key.startsWith('core/secrets/')) throw new Error('disk on fire');
    return guarded.call(storage, key, update);
  };
  await server.call('DELETE', `${at}/serviceaccounts/a`);
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  expect(await health()).toMatchObject({ status: 'False', message: expect.stringContaining('disk on fire') });
  storage.guaranteedUpdate = guarded;
  await expect.poll(async () => (await server.call('GET', secret)).status).toBe(404);
  await expect.poll(health).toMatchObject({ status: 'True' });
});

test('a quota does not count failed writes, and keeps no pending charges of them', async () => {
  const storage = new MemoryStorage();
  const { server, cluster } = await start(storage);
  const at = '/api/v1/namespaces/default';
  await server.create(`${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { configmaps: '2' } } });
  const used = async () => (await server.call('GET', `${at}/resourcequotas/q`)).body.status?.used?.configmaps;
  await expect.poll(used).toBe('0');
  const { create, guaranteedUpdate } = storage;
  const burn = async (): Promise<never> => {
    throw new Error('disk on fire');
  };
  const attempt = () => server.call('POST', `${at}/configmaps`, { body: { metadata: { name: 'c' } } });
  storage.create = burn;
  await expect(attempt()).rejects.toThrow('disk on fire');
  storage.create = create;
  // The charge itself fails after the decision.
  storage.guaranteedUpdate = async (key, update) => {
    update(await storage.get(key));
    return burn();
  };
  await expect(attempt()).rejects.toThrow('disk on fire');
  storage.guaranteedUpdate = guaranteedUpdate;
  cluster.quotas.refresh('default');
  await expect.poll(used).toBe('0');
  expect(cluster.quotas.parts.pending).toMatchObject({ size: 0 });
  for (const name of ['a', 'b']) await server.create(`${at}/configmaps`, { metadata: { name } });
  expect(cluster.quotas.parts.pending).toMatchObject({ size: 0 });
  const quota = (await server.call('GET', `${at}/resourcequotas/q`)).body as KubeObject;
  expect(quota).toMatchObject({ status: { used: { configmaps: '2' } } });
});
