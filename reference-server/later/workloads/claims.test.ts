// Tests what owners control: a pod that is relabelled is released and replaced; what an owner selects becomes its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const merge = 'application/merge-patch+json';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({});
  await send('POST', '/api/v1/nodes', { metadata: { name: 'node' } });
});
afterAll(() => server.close());

const templateOf = (app: string, image = 'i') => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image }], restartPolicy: 'Always' },
});
const selectorOf = (app: string) => ({ matchLabels: { app } });
const list = async (path: string, app: string): Promise<readonly AnyShape[]> =>
  (await read(`${path}?labelSelector=app%3D${app}`)).items;
const create = async (path: string, body: object): Promise<AnyShape> => {
  const { status, body: created } = await send('POST', path, body);
  expect([status, created.message]).toEqual([expect.toSatisfy((code) => code < 300), undefined]);
  return created;
};

describe.each([
  ['ReplicaSet', `${apps}/replicasets`, { replicas: 1 }],
  ['ReplicationController', `${core}/replicationcontrollers`, { replicas: 1 }],
  ['DaemonSet', `${apps}/daemonsets`, {}],
  ['StatefulSet', `${apps}/statefulsets`, { replicas: 1, serviceName: 's' }],
  ['Job', '/apis/batch/v1/namespaces/default/jobs', { manualSelector: true }],
])('a %s', (kind, path, more) => {
  const app = kind.toLowerCase();
  const selector = kind === 'ReplicationController' ? { app } : selectorOf(app);
  const template = templateOf(app);
  if (kind === 'Job') template.spec.restartPolicy = 'Never';

  it('releases a pod that it no longer selects, and replaces it', async () => {
    const owner = await create(path, { metadata: { name: app }, spec: { selector, template, ...more } });
    const ownPods = async () =>
      (await list(`${core}/pods`, app)).filter(
        ({ metadata }) => metadata.ownerReferences?.[0].uid === owner.metadata.uid,
      );
    await expect.poll(async () => (await ownPods()).length).toBe(1);
    const [pod] = await ownPods();
    const pathToPod = `${core}/pods/${pod.metadata.name}`;
    await send('PATCH', pathToPod, { metadata: { labels: { app: 'released' } } }, merge);
    await expect.poll(async () => (await read(pathToPod)).metadata.ownerReferences).toBeUndefined();
    // The name of the pod of a StatefulSet is taken.
    if (kind !== 'StatefulSet') await expect.poll(async () => (await ownPods()).length).toBe(1);
    expect((await read(pathToPod)).metadata.deletionTimestamp).toBeUndefined();
    // One that loses its controller is taken back.
    if (kind === 'StatefulSet') return;
    const [replacement] = await ownPods();
    const place = `${core}/pods/${replacement.metadata.name}`;
    await send('PATCH', place, { metadata: { ownerReferences: null } }, merge);
    await expect.poll(async () => (await read(place)).metadata.ownerReferences?.[0].uid).toBe(owner.metadata.uid);
    await send('DELETE', `${path}/${app}?propagationPolicy=Background`);
  });
});

it('a ReplicaSet takes pods that nothing controls, and no others', async () => {
  await create(`${core}/pods`, { metadata: { name: 'free', labels: { app: 'taken' } }, spec: templateOf('').spec });
  const owned = {
    apiVersion: 'v1',
    kind: 'Node',
    name: 'node',
    uid: (await read('/api/v1/nodes/node')).metadata.uid,
    controller: true,
  };
  const metadata = { name: 'owned', labels: { app: 'taken' }, ownerReferences: [owned] };
  await create(`${core}/pods`, { metadata, spec: templateOf('').spec });
  const spec = { replicas: 1, selector: selectorOf('taken'), template: templateOf('taken') };
  const {
    metadata: { uid },
  } = await create(`${apps}/replicasets`, { metadata: { name: 'taker' }, spec });
  const controllerOf = async (name: string) => (await read(`${core}/pods/${name}`)).metadata.ownerReferences?.[0].uid;
  await expect.poll(() => controllerOf('free')).toBe(uid);
  expect(await controllerOf('owned')).toBe(owned.uid);
  expect(await list(`${core}/pods`, 'taken')).toHaveLength(2);
});

it('a Deployment takes a ReplicaSet of its template, and moves the pods of another one', async () => {
  const made = (name: string, image: string) =>
    create(`${apps}/replicasets`, {
      metadata: { name, labels: { app: 'moved' } },
      spec: { replicas: 2, selector: selectorOf('moved'), template: templateOf('moved', image) },
    });
  const [old, same] = [await made('old', 'old'), await made('same', 'new')];
  const spec = { replicas: 1, selector: selectorOf('moved'), template: templateOf('moved', 'new') };
  const {
    metadata: { uid },
  } = await create(`${apps}/deployments`, { metadata: { name: 'mover' }, spec });
  const sets = async () =>
    Object.fromEntries(
      (await list(`${apps}/replicasets`, 'moved')).map(({ metadata, spec: { replicas } }) => [
        metadata.name,
        [metadata.ownerReferences?.[0].uid, metadata.annotations?.['deployment.kubernetes.io/revision'], replicas],
      ]),
    );
  const { name } = same.metadata;
  await expect.poll(async () => (await sets())[name]).toEqual([uid, '1', expect.any(Number)]);
  await expect.poll(async () => (await sets())[old.metadata.name]?.[0]).toBe(uid);
  expect(Object.keys(await sets()).sort()).toEqual(['old', 'same']);
});

it('a Deployment counts on from the revision of what it takes, however large', async () => {
  const annotations = { 'deployment.kubernetes.io/revision': '3546343826724305832' };
  await create(`${apps}/replicasets`, {
    metadata: { name: 'counted', labels: { app: 'counted' }, annotations },
    spec: { replicas: 1, selector: selectorOf('counted'), template: templateOf('counted', 'old') },
  });
  const spec = { replicas: 1, selector: selectorOf('counted'), template: templateOf('counted', 'new') };
  await create(`${apps}/deployments`, { metadata: { name: 'counter' }, spec });
  const revision = async () =>
    (await read(`${apps}/deployments/counter`)).metadata.annotations?.['deployment.kubernetes.io/revision'];
  await expect.poll(revision).toBe('3546343826724305833');
});

it('a Deployment does not take back what it leaves as orphans', async () => {
  for (let round = 0; round < 15; round += 1) {
    const app = `orphan-${round}`;
    const spec = { replicas: 1, selector: selectorOf(app), template: templateOf(app) };
    await create(`${apps}/deployments`, { metadata: { name: app }, spec });
    const sets = () => list(`${apps}/replicasets`, app);
    await expect.poll(async () => (await sets()).length).toBe(1);
    await send('DELETE', `${apps}/deployments/${app}?propagationPolicy=Orphan`);
    await expect.poll(async () => (await send('GET', `${apps}/deployments/${app}`)).status).toBe(404);
    expect((await sets()).map(({ metadata }) => metadata.ownerReferences)).toEqual([undefined]);
  }
});

it('gives the ReplicaSet of a deployment its reference and its time, which may change', async () => {
  const path = `${apps}/deployments`;
  const spec = { selector: selectorOf('patient'), template: templateOf('patient'), minReadySeconds: 10 };
  const { metadata } = await create(path, { metadata: { name: 'patient' }, spec });
  const own = async () => (await list(`${apps}/replicasets`, 'patient'))[0];
  await expect.poll(async () => (await own())?.spec.minReadySeconds).toBe(10);
  const { name, uid } = metadata;
  const reference = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  expect((await own()).metadata.ownerReferences).toEqual([reference]);
  await send('PATCH', `${path}/patient`, { spec: { minReadySeconds: 5 } }, merge);
  await expect.poll(async () => (await own()).spec.minReadySeconds).toBe(5);
});

it.each([
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', 'spec.signerName'],
  ['/apis/resource.k8s.io/v1/resourceslices', 'spec.driver'],
])('selects %s by %s', async (path, field) => {
  expect((await send('GET', `${path}?fieldSelector=${field}%3Dexample.com%2Fone`)).status).toBe(200);
});
