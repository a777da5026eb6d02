// Tests the garbage collector: objects without owners are deleted, even after a downtime; objects with an owner stay.
import { beforeEach, describe, expect, test } from 'vitest';
import { createCluster } from '../cluster.js';
import { MemoryStorage } from '../storage/memory.js';
import { type Direct, startDirect, testIssuer } from '../testing/direct.js';

const maps = '/api/v1/namespaces/default/configmaps';
const storage = () => new MemoryStorage();
const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '11111111-2222-3333-4444-555555555555' };
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return () => server.stop();
});

const get = (name: string, path = maps) => server.call('GET', `${path}/${name}`);
const gone = (name: string) => expect.poll(async () => (await get(name)).status).toBe(404);

async function make(name: string, ownerReferences: readonly object[] = [], finalizers: readonly string[] = []) {
  const { metadata } = await server.create(maps, { metadata: { name, ownerReferences, finalizers } });
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: String(metadata.uid) };
}

const remove = (name: string, propagationPolicy: string) =>
  server.call('DELETE', `${maps}/${name}?propagationPolicy=${propagationPolicy}`);

describe('an object is deleted', () => {
  test('if its owner was lost while the server was down', async () => {
    const kept = storage();
    await (await startDirect(kept)).stop();
    const store = createCluster({ storage: kept, issuer: testIssuer }).registry.of('core/configmaps');
    const create = (name: string, ownerReferences: readonly object[]) =>
      store.create('default', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences } as never });
    await create('lost', [absent]);
    const owner = await create('owner', []);
    const { uid = '' } = (owner.value as { metadata: { uid?: string } }).metadata;
    await create('owned', [{ ...absent, uid }]);
    await server.stop();
    server = await startDirect(kept);
    await gone('lost');
    expect((await get('owned')).status).toBe(200);
  });

  test.each([
    ['was never there', {}],
    ['has another name', { name: 'another' }],
    ['has another kind', { kind: 'Secret' }],
  ])('if its owner %s', async (_, change) => {
    const owner = await make('owner');
    await make('lost', [{ ...(Object.keys(change).length > 0 ? owner : absent), ...change }]);
    await gone('lost');
  });

  test('if its owner is in another namespace', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps';
    const { metadata } = await server.create(path, { metadata: { name: 'owner' } });
    await make('lost', [{ ...absent, uid: metadata.uid }]);
    await gone('lost');
  });

  test('after its last owner, and its own dependents after it', async () => {
    const [one, other] = [await make('one'), await make('other')];
    const child = await make('child', [one, other]);
    await make('grandchild', [child]);
    await remove('one', 'Background');
    const left = async () => (await get('child')).body.metadata.ownerReferences;
    await expect.poll(left).toHaveLength(1);
    await remove('other', 'Background');
    await gone('grandchild');
  });
});

describe('an object is kept', () => {
  test('if its owner has a kind that is not served', async () => {
    await make('foreign', [{ ...absent, apiVersion: 'example.com/v1', kind: 'Foreign' }]);
    await make('lost', [absent]);
    await gone('lost');
    expect((await get('foreign')).status).toBe(200);
  });

  test.each(['Background', 'Foreground'])('if it has another owner and one is deleted in the %s', async (policy) => {
    const [one, other] = [await make('one'), await make('other')];
    await make('child', [{ ...one, blockOwnerDeletion: true }, other]);
    await remove('one', policy);
    await gone('one');
    await expect.poll(async () => (await get('child')).body.metadata.ownerReferences).toEqual([other]);
    expect((await get('child')).body.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('an owner that is deleted in the foreground', () => {
  test('waits for blocking dependents', async () => {
    const owner = await make('owner');
    await make('child', [{ ...owner, blockOwnerDeletion: true }], ['example.com/x']);
    await remove('owner', 'Foreground');
    await expect.poll(async () => (await get('child')).body.metadata.deletionTimestamp).toBeDefined();
    expect((await get('owner')).status).toBe(200);
    await server.call('PUT', `${maps}/child`, { body: { metadata: { name: 'child' } } });
    await gone('owner');
  });

  test.each([{}, { blockOwnerDeletion: false }, { controller: true }])(
    'does not keep dependents that do not block it: %j',
    async (more) => {
      const owner = await make('owner');
      await make('blocks', [{ ...owner, blockOwnerDeletion: true }], ['example.com/x']);
      await make('free', [{ ...owner, ...more }]);
      await remove('owner', 'Foreground');
      await gone('free');
      expect((await get('owner')).status).toBe(200);
    },
  );

  test('is deleted when no dependent blocks it', async () => {
    const owner = await make('owner');
    await make('child', [{ ...owner, blockOwnerDeletion: true }], ['example.com/x']);
    await remove('owner', 'Foreground');
    const metadata = { name: 'child', finalizers: ['example.com/x'], ownerReferences: [owner] };
    await server.call('PUT', `${maps}/child`, { body: { metadata } });
    await gone('owner');
    expect((await get('child')).body.metadata.deletionTimestamp).toBeDefined();
  });

  test.each([2, 3, 5])('is deleted in a circle of %d owners, all of which block', async (count) => {
    const names = Array.from({ length: count }, (_, index) => `circle-${index}`);
    const owners = [];
    for (const name of names) owners.push(await make(name));
    for (const [index, name] of names.entries()) {
      const owner = { ...owners[(index + 1) % count], blockOwnerDeletion: true };
      await server.call('PUT', `${maps}/${name}`, { body: { metadata: { name, ownerReferences: [owner] } } });
    }
    await remove('circle-0', 'Foreground');
    for (const name of names) await gone(name);
  });
});
