// Tests namespaces and owners: the work of controllers after deletions.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import { createWhileDeleting } from '../testing/concurrentCreates.js';
import { type Direct, startDirect } from '../testing/direct.js';

const core = '/api/v1/namespaces/default';
const extensions = '/apis/extensions/v1beta1/namespaces/default';
const podSpec = { containers: [{ name: 'c', image: 'i:1' }] };
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return server.stop;
});

async function create(path: string, body: object) {
  const reply = await server.call('POST', path, { body });
  expect(reply.body.message ?? '').toBe('');
  return reply.body;
}
const get = async (path: string) => (await server.call('GET', path)).body;
const gone = (path: string) => expect.poll(async () => (await server.call('GET', path)).status).toBe(404);

describe('a namespace', () => {
  const ns = '/api/v1/namespaces';

  test('is Active with a finalizer, and only finalize changes its finalizers', async () => {
    const { spec, status } = await create(ns, { metadata: { name: 'n' } });
    expect([spec, status]).toEqual([{ finalizers: ['kubernetes'] }, { phase: 'Active' }]);
    const more = { metadata: { name: 'n' }, spec: { finalizers: ['kubernetes', 'example.com/foo'] } };
    expect((await server.call('PUT', `${ns}/n`, { body: more })).body.spec).toEqual(spec);
    expect((await server.call('PUT', `${ns}/n/finalize`, { body: more })).body.spec).toEqual(more.spec);
    const bad = await server.call('PUT', `${ns}/n/finalize`, { body: { ...more, spec: { finalizers: ['nope'] } } });
    expect(bad.body.details.causes[0].field).toBe('spec.finalizers[0]');
    const phase = await server.call('PUT', `${ns}/n/status`, { body: { ...more, status: { phase: 'Terminating' } } });
    expect(phase.status).toBe(422);
  });

  test('is deleted with its contents, and accepts no creates until then', async () => {
    await create(ns, { metadata: { name: 'n' } });
    await create(`${ns}/n/configmaps`, { metadata: { name: 'held', finalizers: ['example.com/x'] } });
    await create(`${ns}/n/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 1 }] } });
    const deleted = (await server.call('DELETE', `${ns}/n`)).body;
    expect([deleted.kind, deleted.status.phase]).toEqual(['Namespace', 'Terminating']);
    const late = await server.call('POST', `${ns}/n/configmaps`, { body: { metadata: { name: 'late' } } });
    expect(late.body).toMatchObject({
      code: 403,
      message:
        'configmaps "late" is forbidden: unable to create new content in namespace n because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    });
    await gone(`${ns}/n/services/s`);
    expect((await get(`${ns}/n`)).status.phase).toBe('Terminating');
    await server.call('PUT', `${ns}/n/configmaps/held`, { body: { metadata: { name: 'held' } } });
    await gone(`${ns}/n`);
    expect((await get(`${ns}/n/configmaps`)).items).toEqual([]);
  });

  test('with other finalizers waits for them', async () => {
    await create(ns, { metadata: { name: 'n' }, spec: { finalizers: ['example.com/foo'] } });
    await server.call('DELETE', `${ns}/n`);
    await expect.poll(async () => (await get(`${ns}/n`)).spec.finalizers).toEqual(['example.com/foo']);
    const body = { metadata: { name: 'n' }, spec: { finalizers: [] } };
    expect((await server.call('PUT', `${ns}/n/finalize`, { body })).status).toBe(200);
    await gone(`${ns}/n`);
  });

  test('without finalizers is deleted with its contents, also objects with finalizers', async () => {
    for (const late of [false, true]) {
      await create(ns, { metadata: { name: 'n' } });
      await create(`${ns}/n/configmaps`, { metadata: { name: 'held', finalizers: ['example.com/x'] } });
      const body = { metadata: { name: 'n' }, spec: { finalizers: [] } };
      const finalize = async () => expect((await server.call('PUT', `${ns}/n/finalize`, { body })).status).toBe(200);
      if (!late) await finalize();
      expect((await server.call('DELETE', `${ns}/n`)).body.status.phase).toBe('Terminating');
      if (late) await finalize();
      await gone(`${ns}/n`);
      const { storage } = server.cluster;
      const left = (await storage.list('')).entries.filter(({ key }) => key.split('/')[2] === 'n');
      expect(left.map(({ key }) => key)).toEqual([]);
    }
  });

  test('leaves no object of concurrent creates behind', () => createWhileDeleting(new MemoryStorage()));

  test('with the name of a deleted one keeps its contents', async () => {
    for (let round = 0; round < 20; round += 1) {
      await create(ns, { metadata: { name: 'n' } });
      await server.call('DELETE', `${ns}/n`);
      await expect.poll(async () => (await server.call('GET', `${ns}/n`)).status, { interval: 1 }).toBe(404);
    }
    await create(ns, { metadata: { name: 'n' } });
    await create(`${ns}/n/configmaps`, { metadata: { name: 'kept' } });
    // A namespace that waits for its contents takes the controller two turns, after all that is left of earlier ones.
    await create(ns, { metadata: { name: 'later' } });
    await create(`${ns}/later/configmaps`, { metadata: { name: 'held', finalizers: ['example.com/x'] } });
    await server.call('DELETE', `${ns}/later`);
    await expect.poll(async () => (await get(`${ns}/later/configmaps/held`)).metadata.deletionTimestamp).toBeDefined();
    await server.call('PUT', `${ns}/later/configmaps/held`, { body: { metadata: { name: 'held' } } });
    await gone(`${ns}/later`);
    expect((await get(`${ns}/n`)).spec.finalizers).toEqual(['kubernetes']);
    expect((await get(`${ns}/n/configmaps/kept`)).kind).toBe('ConfigMap');
  });

  test('that waits for its contents does not delay the stop of the server', async () => {
    const storage = new MemoryStorage();
    const own = await startDirect(storage);
    await own.call('POST', ns, { body: { metadata: { name: 'n' } } });
    const held = { metadata: { name: 'held', finalizers: ['example.com/x'] } };
    await own.call('POST', `${ns}/n/configmaps`, { body: held });
    const lists = vi.spyOn(storage, 'list');
    await own.call('DELETE', `${ns}/n`);
    await expect.poll(() => lists).toHaveBeenCalled();
    await own.stop();
    lists.mockClear();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lists).not.toHaveBeenCalled();
  });

  test.each(['default', 'kube-system'])('%s cannot be deleted', async (name) => {
    const { body } = await server.call('DELETE', `${ns}/${name}`);
    expect([body.code, body.message]).toEqual([
      403,
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    ]);
  });

  test('is deleted by a delete of the collection, unless it is protected', async () => {
    await create(ns, { metadata: { name: 'n', labels: { a: 'b' } } });
    expect((await server.call('DELETE', `${ns}?labelSelector=a%3Db`)).body.items).toHaveLength(1);
    expect((await server.call('DELETE', ns)).status).toBe(200);
    await gone(`${ns}/n`);
    expect((await get(ns)).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toContain(
      'default',
    );
  });
});

describe('owners and dependents', () => {
  const rs = `${extensions}/replicasets`;
  const own = async (policy?: string) => {
    const owner = await create(rs, {
      metadata: { name: 'o' },
      spec: { template: { metadata: { labels: { a: 'o' } }, spec: podSpec } },
    });
    const { uid } = owner.metadata;
    const ownerReferences = [
      { apiVersion: 'extensions/v1beta1', kind: 'ReplicaSet', name: 'o', uid, blockOwnerDeletion: true },
    ];
    await create(`${core}/pods`, { metadata: { name: 'p', ownerReferences }, spec: podSpec });
    return server.call('DELETE', `${rs}/o${policy ? `?propagationPolicy=${policy}` : ''}`);
  };

  test.each(['Orphan', undefined])('delete with %s orphans the dependents', async (policy) => {
    expect((await own(policy)).body.metadata.finalizers).toEqual(['orphan']);
    await gone(`${rs}/o`);
    expect((await get(`${core}/pods/p`)).metadata.ownerReferences).toBeUndefined();
  });

  test('Background removes dependents after the owner', async () => {
    expect((await own('Background')).body.status).toBe('Success');
    await gone(`${core}/pods/p`);
  });

  test('Foreground removes dependents before the owner', async () => {
    expect((await own('Foreground')).body.metadata.finalizers).toEqual(['foregroundDeletion']);
    await gone(`${rs}/o`);
    await gone(`${core}/pods/p`);
  });
});
