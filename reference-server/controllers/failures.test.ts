// Controllers that fail: they are started again, what they could not do is done later, and both show in the health.
import { afterEach, expect, test, vi } from 'vitest';
import { startControllers } from '../controllers/index.js';
import { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { MemoryStorage } from '../storage/memory.js';
import { Direct } from '../testing/direct.js';
import { testIssuer } from '../testing/issuer.js';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});

/** A server whose controllers' failures are counted. */
async function start(storage: MemoryStorage) {
  const registry = new Registry(storage, testIssuer);
  const failures: unknown[] = [];
  const { stop } = await startControllers(registry, (error) => failures.push(error));
  ends.push(stop);
  const server = new Direct({ registry, connections: {} as never, bearerOf: async () => undefined }, stop);
  const health = async () => {
    const { body } = await server.call('GET', '/api/v1/componentstatuses/controller-manager');
    return body.conditions[0];
  };
  return { server, registry, failures, health };
}

test('a controller whose watch breaks is started again, and is unhealthy until then', async () => {
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

test('what could not be done for an object that is gone is done later', async () => {
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

test('a quota counts nothing that failed to be written, and keeps no books of it', async () => {
  const storage = new MemoryStorage();
  const { server, registry } = await start(storage);
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
  // The charge itself fails after it was decided.
  storage.guaranteedUpdate = async (key, update) => {
    update(await storage.get(key));
    return burn();
  };
  await expect(attempt()).rejects.toThrow('disk on fire');
  storage.guaranteedUpdate = guaranteedUpdate;
  registry.quotas.refresh('default');
  await expect.poll(used).toBe('0');
  expect(registry.quotas.pending).toBe(0);
  for (const name of ['a', 'b']) await server.create(`${at}/configmaps`, { metadata: { name } });
  expect(registry.quotas.pending).toBe(0);
  const quota = (await server.call('GET', `${at}/resourcequotas/q`)).body as KubeObject;
  expect(quota).toMatchObject({ status: { used: { configmaps: '2' } } });
});
