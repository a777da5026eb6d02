// Tests what controllers say about what they delete: conditions of namespaces, and events about owners.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import type { AnyShape } from '../testing/anyShape.js';
import { sendingTo } from '../testing/sending.js';
import { startFullServer } from './index.js';

const namespaces = '/api/v1/namespaces';
const merge = 'application/merge-patch+json';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const good = {
  NamespaceDeletionDiscoveryFailure: ['False', 'ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: [
    'False',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ],
  NamespaceDeletionContentFailure: [
    'False',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
};

it('a namespace says what still keeps it', async () => {
  await send('POST', namespaces, { metadata: { name: 'kept' } });
  const maps = `${namespaces}/kept/configmaps`;
  const deployments = '/apis/apps/v1/namespaces/kept/deployments';
  const both = ['example.com/one', 'example.com/two'];
  for (const [name, finalizers] of Object.entries({ a: both, b: both.slice(1), c: [] })) {
    await send('POST', maps, { metadata: { name, finalizers } });
  }
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await send('POST', deployments, {
    metadata: { name: 'd', finalizers: both.slice(1) },
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
  });
  await send('DELETE', `${namespaces}/kept`);
  const conditions = async () => {
    const { status } = await read(`${namespaces}/kept`);
    const all = (status?.conditions ?? []).map((each: AnyShape) => [
      each.type,
      [each.status, each.reason, each.message],
    ]);
    return Object.fromEntries(all);
  };
  await expect.poll(conditions).toEqual({
    ...good,
    NamespaceContentRemaining: [
      'True',
      'SomeResourcesRemain',
      expect.stringMatching(
        /^Some resources are remaining: configmaps\. has 2 resource instances, deployments\.apps has 1 r/,
      ),
    ],
    NamespaceFinalizersRemaining: [
      'True',
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining: example.com/one in 1 resource instances, example.com/two in 3 resource instances',
    ],
  });
  for (const path of [`${maps}/b`, `${deployments}/d`])
    await send('PATCH', path, { metadata: { finalizers: null } }, merge);
  await expect
    .poll(async () => (await conditions()).NamespaceContentRemaining?.[2])
    .toBe('Some resources are remaining: configmaps. has 1 resource instances');
  await send('PATCH', `${maps}/a`, { metadata: { finalizers: null } }, merge);
  await expect.poll(async () => (await send('GET', `${namespaces}/kept`)).status).toBe(404);
});

it('all else in a namespace stays until its pods are gone', async () => {
  await send('POST', namespaces, { metadata: { name: 'ordered' } });
  const [pods, maps] = [`${namespaces}/ordered/pods`, `${namespaces}/ordered/configmaps`];
  await expect
    .poll(() => read(`${namespaces}/ordered/serviceaccounts/default`))
    .toMatchObject({ kind: 'ServiceAccount' });
  await send('POST', pods, {
    metadata: { name: 'held', finalizers: ['example.com/one'] },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await send('POST', maps, { metadata: { name: 'needed' } });
  await send('DELETE', `${namespaces}/ordered`);
  const remaining = async () =>
    (await read(`${namespaces}/ordered`)).status?.conditions?.find(
      ({ type }: AnyShape) => type === 'NamespaceContentRemaining',
    )?.message;
  await expect.poll(remaining).toBe('Some resources are remaining: pods. has 1 resource instances');
  expect(await read(`${maps}/needed`)).toMatchObject({ kind: 'ConfigMap' });
  await send('PATCH', `${pods}/held`, { metadata: { finalizers: [] } }, merge);
  await expect.poll(async () => (await send('GET', `${namespaces}/ordered`)).status).toBe(404);
});

it('the garbage collector says that an owner is in another namespace', async () => {
  const maps = (namespace: string) => `${namespaces}/${namespace}/configmaps`;
  const { body: owner } = await send('POST', maps('kube-system'), { metadata: { name: 'owner' } });
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
  const metadata = { name: 'lost', finalizers: ['example.com/kept'], ownerReferences };
  await send('POST', maps('default'), { metadata });
  await send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'wide', ownerReferences },
  });
  const events = async () => {
    const { items } = await read(`${namespaces}/default/events?fieldSelector=reason%3DOwnerRefInvalidNamespace`);
    return items.map(({ involvedObject, type, message, count }: AnyShape) => [
      `${involvedObject.kind} ${involvedObject.name}`,
      `${type} ${count}: ${message}`,
    ]);
  };
  const said = (namespace: string) =>
    `Warning 1: ownerRef [v1/ConfigMap, namespace: ${namespace}, name: owner, uid: ${uid}] does not exist in namespace "${namespace}"`;
  await expect.poll(async () => (await events()).length).toBe(2);
  expect(Object.fromEntries(await events())).toEqual({
    'ConfigMap lost': said('default'),
    'ClusterRole wide': said(''),
  });
  await expect.poll(async () => (await read(`${maps('default')}/lost`)).metadata.deletionTimestamp).toBeDefined();
  expect((await send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/wide')).status).toBe(200);
});
