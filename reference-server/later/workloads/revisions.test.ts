// Tests the revisions of StatefulSets and DaemonSets, and how far a rollout goes at a time.
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
const nodes = ['node-0', 'node-1', 'node-2'];
beforeAll(async () => {
  server = await startFullServer({});
  for (const name of nodes) await send('POST', '/api/v1/nodes', { metadata: { name } });
});
afterAll(() => server.close());

const templateOf = (app: string, image: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image }], terminationGracePeriodSeconds: 0 },
});
async function make(plural: string, app: string, more: object = {}, metadata: object = {}): Promise<AnyShape> {
  const spec = { selector: { matchLabels: { app } }, template: templateOf(app, 'one'), ...more };
  const { status, body } = await send('POST', `${apps}/${plural}`, { metadata: { name: app, ...metadata }, spec });
  expect([status, body.message]).toEqual([201, undefined]);
  return body;
}
const change = (plural: string, app: string, spec: object) =>
  send('PATCH', `${apps}/${plural}/${app}`, { spec }, merge);
const changeImage = (plural: string, app: string, image: string) =>
  change(plural, app, { template: templateOf(app, image) });
const selected = (path: string, app: string) => read(`${path}?labelSelector=app%3D${app}`);
const podsOf = async (app: string): Promise<readonly AnyShape[]> => (await selected(`${core}/pods`, app)).items;
const revisionsOf = async (app: string): Promise<readonly AnyShape[]> =>
  (await selected(`${apps}/controllerrevisions`, app)).items;
/** The images of the revisions, in the order of their numbers. */
const imagesOf = async (app: string) => {
  const all = [...(await revisionsOf(app))].sort((one, other) => one.revision - other.revision);
  return all.map(({ revision, data }) => `${revision} ${data.spec.template.spec.containers[0].image}`);
};
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const isReady = ({ status }: AnyShape) => status.conditions?.some(({ type }: AnyShape) => type === 'Ready') === true;
/** Makes pods ready, as a node does. */
async function run(app: string): Promise<void> {
  for (const pod of await podsOf(app)) {
    if (!isReady(pod)) await send('PATCH', `${core}/pods/${pod.metadata.name}/status`, { status: ready }, merge);
  }
}
/** The images of the pods of a set or of the nodes, in order; those that are not ready are marked. */
const running = async (app: string) => {
  const place = ({ metadata, spec }: AnyShape): string => spec.nodeName ?? metadata.name;
  const pods = [...(await podsOf(app))].sort((one, other) => place(one).localeCompare(place(other)));
  return pods.map((pod) => `${pod.spec.containers[0].image}${isReady(pod) ? '' : '?'}`).join(' ');
};
async function allRun(app: string, images: string): Promise<void> {
  await expect
    .poll(async () => {
      await run(app);
      return running(app);
    })
    .toBe(images);
}

describe.each([
  ['StatefulSet', 'statefulsets', 'controller.kubernetes.io/hash'],
  ['DaemonSet', 'daemonsets', 'controller-revision-hash'],
])('a %s', (kind, plural, label) => {
  it('has a revision for each template, and the same one for the same template', async () => {
    const app = `${plural}-history`;
    const cause = { 'kubernetes.io/change-cause': 'first' };
    const { metadata } = await make(plural, app, {}, { annotations: cause });
    await expect.poll(() => imagesOf(app)).toEqual(['1 one']);
    const [first] = await revisionsOf(app);
    const hash = first.metadata.labels[label];
    expect(first.metadata).toMatchObject({ name: `${app}-${hash}`, annotations: cause, labels: { app } });
    const owner = { apiVersion: 'apps/v1', kind, name: app, uid: metadata.uid };
    expect(first.metadata.ownerReferences).toEqual([{ ...owner, controller: true, blockOwnerDeletion: true }]);
    expect(Object.keys(first.data.spec.template)).toEqual(['$patch', 'metadata', 'spec']);
    const inPod = kind === 'StatefulSet' ? first.metadata.name : hash;
    await expect.poll(async () => (await podsOf(app))[0]?.metadata.labels['controller-revision-hash']).toBe(inPod);
    await changeImage(plural, app, 'two');
    await expect.poll(() => imagesOf(app)).toEqual(['1 one', '2 two']);
    // What `kubectl rollout undo` sends.
    await send('PATCH', `${apps}/${plural}/${app}`, first.data, 'application/strategic-merge-patch+json');
    await expect.poll(() => imagesOf(app)).toEqual(['2 two', '3 one']);
    expect((await revisionsOf(app)).map(({ metadata: { name } }) => name)).toContain(first.metadata.name);
  });

  it('keeps as many earlier revisions as it asks for, and those in use', async () => {
    const app = `${plural}-limit`;
    await make(plural, app, { revisionHistoryLimit: 1, updateStrategy: { type: 'OnDelete' } });
    for (const image of ['two', 'three', 'four']) {
      await changeImage(plural, app, image);
      await expect.poll(async () => (await imagesOf(app)).join()).toContain(image);
    }
    await expect.poll(() => imagesOf(app)).toEqual(['1 one', '3 three', '4 four']);
  });

  it('gives a revision another name if another template has its name', async () => {
    const app = `${plural}-taken`;
    await make(plural, app);
    await expect.poll(() => imagesOf(app)).toEqual(['1 one']);
    const [{ metadata }] = await revisionsOf(app);
    await send('DELETE', `${apps}/${plural}/${app}`);
    const path = `${apps}/controllerrevisions/${metadata.name}`;
    await expect.poll(async () => (await send('GET', path)).status).toBe(404);
    const other = { metadata: { name: metadata.name }, data: { other: true }, revision: 9 };
    expect((await send('POST', `${apps}/controllerrevisions`, other)).status).toBe(201);
    await make(plural, app);
    await expect.poll(() => imagesOf(app)).toEqual(['1 one']);
    await expect.poll(async () => (await read(`${apps}/${plural}/${app}`)).status.collisionCount).toBe(1);
    expect((await read(path)).data).toEqual({ other: true });
  });

  it('counts on from what a client has made, whatever that is', async () => {
    const app = `${plural}-strange`;
    for (const [name, data] of Object.entries({ text: 'x', list: [], spec: { spec: { template: { spec: [] } } } })) {
      const metadata = { name: `${app}-${name}`, labels: { app } };
      await send('POST', `${apps}/controllerrevisions`, { metadata, data, revision: 7 });
    }
    await make(plural, app);
    const last = async () => Math.max(...(await revisionsOf(app)).map(({ revision }) => revision));
    await expect.poll(last).toBe(8);
    await expect.poll(() => running(app)).toContain('one?');
  });
});

describe('a StatefulSet', () => {
  const status = async (app: string) => {
    const {
      currentReplicas = 0,
      updatedReplicas = 0,
      currentRevision,
      updateRevision,
    } = (await read(`${apps}/statefulsets/${app}`)).status;
    return { currentReplicas, updatedReplicas, isOver: currentRevision === updateRevision };
  };

  it('replaces the pods from the partition on, and keeps the earlier template below', async () => {
    const app = 'parted';
    await make('statefulsets', app, { replicas: 3, podManagementPolicy: 'Parallel' });
    await allRun(app, 'one one one');
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
    await change('statefulsets', app, { updateStrategy, template: templateOf(app, 'two') });
    await allRun(app, 'one one two');
    await expect.poll(() => status(app)).toEqual({ currentReplicas: 2, updatedReplicas: 1, isOver: false });
    await send('DELETE', `${core}/pods/${app}-0`);
    await allRun(app, 'one one two');
    await change('statefulsets', app, { updateStrategy: { rollingUpdate: { partition: 0 } } });
    await allRun(app, 'two two two');
    await expect.poll(() => status(app)).toEqual({ currentReplicas: 3, updatedReplicas: 3, isOver: true });
  });

  it.each([
    ['one pod at a time', {}, 'one one two?'],
    ['so many pods at a time', { maxUnavailable: 2 }, 'one two? two?'],
  ])('replaces %s', async (what, rollingUpdate, first) => {
    const app = `by-${what.length}`;
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate };
    await make('statefulsets', app, { replicas: 3, podManagementPolicy: 'Parallel', updateStrategy });
    await allRun(app, 'one one one');
    await changeImage('statefulsets', app, 'two');
    await expect.poll(() => running(app)).toBe(first);
    await allRun(app, 'two two two');
  });

  it('replaces no pod that a client does not delete, with OnDelete', async () => {
    const app = 'on-delete';
    await make('statefulsets', app, { replicas: 2, updateStrategy: { type: 'OnDelete' } });
    await allRun(app, 'one one');
    await changeImage('statefulsets', app, 'two');
    await expect.poll(async () => (await status(app)).isOver).toBe(false);
    await send('DELETE', `${core}/pods/${app}-0`);
    await allRun(app, 'two one');
    await expect.poll(() => status(app)).toEqual({ currentReplicas: 1, updatedReplicas: 1, isOver: false });
  });
});

describe('a DaemonSet', () => {
  it.each([
    ['one pod at a time', { maxUnavailable: 1 }, ['one one two?', 'one two? one', 'two? one one']],
    ['so many pods at a time', { maxUnavailable: '50%' }, ['one two? two?', 'two? one two?', 'two? two? one']],
    [
      'pods that have a successor',
      { maxUnavailable: 0, maxSurge: 1 },
      ['one one one two?', 'one one two? one', 'one two? one one', 'two? one one one'],
    ],
  ])('replaces %s', async (what, rollingUpdate, first) => {
    const app = `daemons-${what.length}`;
    await make('daemonsets', app, { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
    await allRun(app, 'one one one');
    await changeImage('daemonsets', app, 'two');
    await expect.poll(async () => first.includes(await running(app))).toBe(true);
    await allRun(app, 'two two two');
  });

  it('replaces a pod that has failed', async () => {
    const app = 'failing';
    await make('daemonsets', app);
    await allRun(app, 'one one one');
    const [{ metadata }] = await podsOf(app);
    await send('PATCH', `${core}/pods/${metadata.name}/status`, { status: { phase: 'Failed' } }, merge);
    await expect.poll(async () => (await send('GET', `${core}/pods/${metadata.name}`)).status).toBe(404);
    await allRun(app, 'one one one');
  });
});
