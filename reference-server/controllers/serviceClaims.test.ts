// Tests cluster IPs and node ports that a kill left claimed or lost, and their dry runs.
import { afterEach, describe, expect, test } from 'vitest';
import { addresses, ports } from '../registry/strategies/allocation.js';
import { MemoryStorage } from '../storage/memory.js';
import { type Direct, startDirect } from '../testing/direct.js';
import { repairClaims } from './serviceClaims.js';

const path = '/api/v1/namespaces/default/services';
const service = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { ports: [{ port: 1 }], ...spec } });
const running: Direct[] = [];

async function start(storage?: MemoryStorage): Promise<Direct> {
  const server = await startDirect(storage);
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

const claimsOf = async (storage: MemoryStorage) => (await storage.list('claims/')).entries.map(({ key }) => key);

describe('repair', () => {
  test('at the start: claims without a service are released, and values of services are claimed', async () => {
    const storage = new MemoryStorage();
    const before = await startDirect(storage);
    const fixed = { type: 'NodePort', clusterIP: '10.0.1.1', ports: [{ port: 1, nodePort: 30_099 }] };
    const { spec } = await before.create(path, service('kept', fixed));
    await before.stop();
    await storage.create(addresses.key('10.0.1.2'), { metadata: { name: '10.0.1.2' } });
    await storage.create(ports.key('30100'), { metadata: { name: '30100' } });
    await storage.delete(addresses.key(spec.clusterIP));

    const after = await start(storage);
    const own = [addresses.key(spec.clusterIP), ports.key(String(spec.ports[0].nodePort))];
    expect(await claimsOf(storage)).toEqual(own.sort());
    const taken = await after.call('POST', path, { body: service('other', { clusterIP: spec.clusterIP }) });
    expect(taken.status).toBe(422);
    const freed = service('freed', { clusterIP: '10.0.1.2', type: 'NodePort', ports: [{ port: 1, nodePort: 30100 }] });
    await after.create(path, freed);
  });

  test('periodically: a claim that had no service twice is released, and a new one is kept', async () => {
    const storage = new MemoryStorage();
    const { cluster } = await start(storage);
    const parts = { storage, services: cluster.registry.of('core/services') };
    await storage.create(addresses.key('10.0.1.2'), { metadata: {} });
    const strays = await repairClaims(parts, new Map());
    expect([...strays.keys()]).toEqual([addresses.key('10.0.1.2')]);
    await storage.create(addresses.key('10.0.1.3'), { metadata: {} });
    expect([...(await repairClaims(parts, strays)).keys()]).toEqual([addresses.key('10.0.1.3')]);
    expect(await claimsOf(storage)).toEqual([addresses.key('10.0.1.3')]);
    await storage.delete(addresses.key('10.0.1.3'));
  });

  test('a service without its last finalizer releases its address and ports', async () => {
    const storage = new MemoryStorage();
    const server = await start(storage);
    await server.create(path, service('s'));
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' };
    await server.call('DELETE', `${path}/s`, { body });
    await expect.poll(async () => (await server.call('GET', `${path}/s`)).status).toBe(404);
    await expect.poll(() => claimsOf(storage)).toEqual([]);
  });
});

describe('a dry run has the same response and claims nothing', () => {
  const two = {
    type: 'NodePort',
    ports: [30100, 30100].map((nodePort, i) => ({ name: `p${i}`, port: i + 1, nodePort })),
  };

  test('a create with one node port for two ports', async () => {
    const storage = new MemoryStorage();
    const server = await start(storage);
    const tried = await server.call('POST', `${path}?dryRun=All`, { body: service('s', two) });
    const real = await server.call('POST', path, { body: service('s', two) });
    expect(real.status).toBe(422);
    expect(tried).toEqual(real);
    expect(await claimsOf(storage)).toEqual([]);
  });

  test('an update to one node port for two ports', async () => {
    const storage = new MemoryStorage();
    const server = await start(storage);
    await server.create(path, service('other', { type: 'NodePort', ports: [{ port: 1, nodePort: 30200 }] }));
    await server.create(path, service('s'));
    const claims = await claimsOf(storage);
    const taken = { ...two, ports: [...two.ports.slice(1), { name: 'last', port: 9, nodePort: 30200 }] };
    for (const spec of [two, taken]) {
      const body = { spec };
      const mediaType = 'application/merge-patch+json';
      const tried = await server.call('PATCH', `${path}/s?dryRun=All`, { body, mediaType });
      const real = await server.call('PATCH', `${path}/s`, { body, mediaType });
      expect(real.status).toBe(422);
      expect(tried).toEqual(real);
      expect(await claimsOf(storage)).toEqual(claims);
    }
  });

  test('in a namespace that is absent or terminating', async () => {
    const server = await start();
    await server.create('/api/v1/namespaces', { metadata: { name: 'n', finalizers: ['example.com/x'] } });
    await server.call('DELETE', '/api/v1/namespaces/n');
    for (const [name, code] of [
      ['n', 403],
      ['none', 404],
    ] as const) {
      const at = `/api/v1/namespaces/${name}/configmaps`;
      const body = { metadata: { name: 'c' } };
      const tried = await server.call('POST', `${at}?dryRun=All`, { body });
      expect([tried.status, tried]).toEqual([code, await server.call('POST', at, { body })]);
    }
  });
});
