// Preemption on the simulated node of `serve`: pods of a low priority make room for one of a higher priority.
import { beforeEach, expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { core, useServing } from '../testing/workloads.js';

const { call, sent, eventually, eventsOf, change } = useServing();
const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';

beforeEach(async () => {
  await eventually('/api/v1/nodes/node-1', ({ status }) => status?.allocatable?.cpu).toBe('8');
  // They are there after the first test.
  await sent('POST', classes, { metadata: { name: 'low' }, value: 1 });
  await sent('POST', classes, { metadata: { name: 'medium' }, value: 50 });
  await sent('POST', classes, { metadata: { name: 'high' }, value: 100 });
  await sent('POST', classes, { metadata: { name: 'polite' }, value: 100, preemptionPolicy: 'Never' });
  await sent('DELETE', `${core}/pods?gracePeriodSeconds=0`);
  await eventually(`${core}/pods`, ({ items }) => items).toEqual([]);
});

const make = (name: string, priorityClassName: string, cpu: string, more: object = {}) =>
  call('POST', `${core}/pods`, {
    metadata: { name, labels: { app: name } },
    spec: { priorityClassName, containers: [{ name: 'a', image: 'pause', resources: { requests: { cpu } } }], ...more },
  });
const runs = (name: string) => eventually(`${core}/pods/${name}`, ({ status }) => status?.phase).toBe('Running');
const isGone = async (name: string) => (await sent('GET', `${core}/pods/${name}`)).status === 404;
const phases = async () =>
  (await call('GET', `${core}/pods`)).items.map(({ metadata, status }: AnyShape) => `${metadata.name} ${status.phase}`);

/** Makes a pod that survives SIGTERM, and has a long time to end. */
async function makeStubborn(): Promise<void> {
  const command = ['sh', '-c', "trap '' TERM; sleep infinity"];
  const containers = [{ name: 'a', image: 'busybox', command, resources: { requests: { cpu: '6' } } }];
  await make('stubborn', 'low', '', { containers, terminationGracePeriodSeconds: 600 });
  await runs('stubborn');
}

it('deletes the least important pod, and says so', async () => {
  await make('low', 'low', '3');
  await make('medium', 'medium', '3');
  await Promise.all([runs('low'), runs('medium')]);
  const { metadata } = await make('high', 'high', '4');
  await runs('high');
  expect(await phases()).toEqual(['high Running', 'medium Running']);
  await expect
    .poll(() => eventsOf('low'))
    .toContain(`Normal Preempted Preempted by pod ${metadata.uid} on node node-1 (default-scheduler)`);
  expect(await eventsOf('high')).toContain(
    'Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu. (default-scheduler)',
  );
});

it('keeps the place for the pod until the others have ended', async () => {
  const nodeFor = (name: string) => eventually(`${core}/pods/${name}`, ({ status }) => status?.nominatedNodeName);
  await makeStubborn();
  await make('medium', 'medium', '6');
  await nodeFor('medium').toBe('node-1');
  const { metadata, status } = await call('GET', `${core}/pods/stubborn`);
  expect(metadata.deletionTimestamp).toBeDefined();
  expect(status.conditions).toContainEqual(
    expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }),
  );
  // A pod of a higher priority gets the place, and others do not.
  await make('high', 'high', '6');
  await nodeFor('high').toBe('node-1');
  await nodeFor('medium').toBeUndefined();
  await make('low', 'low', '4');
  await eventually(`${core}/pods/low`, ({ status: { conditions } }) => conditions?.[0]?.reason).toBe('Unschedulable');
  await sent('DELETE', `${core}/pods/stubborn?gracePeriodSeconds=0`);
  await runs('high');
  expect(await isGone('stubborn')).toBe(true);
  for (const name of ['medium', 'low'])
    expect((await call('GET', `${core}/pods/${name}`)).spec.nodeName).toBeUndefined();
});

it('keeps no place on a node that is cordoned meanwhile', async () => {
  await makeStubborn();
  await make('high', 'high', '6');
  const high = `${core}/pods/high`;
  await eventually(high, ({ status }) => status?.nominatedNodeName).toBe('node-1');
  await change('/api/v1/nodes/node-1', ({ spec }) => {
    spec.unschedulable = true;
  });
  await sent('DELETE', `${core}/pods/stubborn?gracePeriodSeconds=0`);
  await eventually(high, ({ status }) => status?.nominatedNodeName).toBeUndefined();
  await change('/api/v1/nodes/node-1', ({ spec }) => {
    delete spec.unschedulable;
  });
  await runs('high');
});

it('deletes nothing for a pod that takes no places, nor for one that would have no room', async () => {
  await make('low', 'low', '6');
  await runs('low');
  await make('polite', 'polite', '4');
  await make('large', 'high', '9');
  for (const name of ['polite', 'large']) {
    await eventually(`${core}/pods/${name}`, ({ status }) => status.conditions?.[0]?.reason).toBe('Unschedulable');
  }
  expect(await phases()).toEqual(['large Pending', 'low Running', 'polite Pending']);
});

it('spares the pod that a disruption budget keeps', async () => {
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  await make('kept', 'low', '4');
  await runs('kept');
  await make('free', 'medium', '4');
  await runs('free');
  const spec = { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } };
  await call('POST', budgets, { metadata: { name: 'kept' }, spec });
  await eventually(`${budgets}/kept`, ({ status }) => status?.currentHealthy).toBe(1);
  await make('high', 'high', '4');
  await runs('high');
  expect(await phases()).toEqual(['high Running', 'kept Running']);
});
