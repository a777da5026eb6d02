// What each kind says of a status that a client writes, as kube-apiserver 1.20 does. `AGAINST` names a real one, to see
// that it does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { sendingTo } from '../../../testing/sending.js';
import { realServerOr } from '../../testing/customResources.js';
import { kindSamples } from '../../testing/kindSamples.js';

let server: RunningServer;
const { send } = sendingTo(() => server);
const controllers = ['daemonset', 'deployment', 'replicaset', 'replication', 'statefulset'];
beforeAll(async () => {
  const without = ['service-account-admission', ...controllers.map((name) => `${name}-controller`)];
  server = await realServerOr({ kubeVersion: '1.20', without });
});
afterAll(() => server.close());

const place = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const replicas = { replicas: 3, readyReplicas: 2 };
const addressed = (...ips: readonly string[]) => ({ podIPs: ips.map((ip) => ({ ip })) });
const conditions = (...types: readonly string[]) => ({ conditions: types.map((type) => ({ type, status: 'True' })) });
const ingress = (one: AnyShape) => ({ loadBalancer: { ingress: [one] } });

/** A status, and the fields that are refused. */
const refused: Readonly<Record<string, readonly (readonly [AnyShape, readonly string[]])[]>> = {
  [`${place}/pods`]: [
    [conditions('Ready', '', 'a b'), ['metadata.conditions[1].Type', 'metadata.conditions[2].Type']],
    [{ nominatedNodeName: 'A_node' }, ['status.nominatedNodeName']],
    [{ podIP: 'x' }, ['status.podIPs[0]']],
    [addressed('10.0.0.1', '10.0.0.2'), ['status.podIPs']],
    [addressed('10.0.0.1', '10.0.0.1'), ['status.podIPs', 'status.podIPs[1]']],
    [addressed('10.0.0.1', 'fd00::1', 'fd00::2'), ['status.podIPs']],
  ],
  '/api/v1/nodes': [
    [{ addresses: ['a', 'a'].map((address) => ({ type: 'Hostname', address })) }, ['status.addresses[1]']],
    [{ capacity: { cpu: '-1' }, allocatable: { cpu: '1' } }, ['status.capacity.cpu']],
  ],
  [`${place}/services`]: [
    [ingress({ ip: '10.0.0.999' }), ['status.loadBalancer.ingress[0].ip']],
    [ingress({ hostname: 'A_b' }), ['status.loadBalancer.ingress[0].hostname']],
    [ingress({ hostname: '10.0.0.1' }), ['status.loadBalancer.ingress[0].hostname']],
  ],
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses': [
    [ingress({ ip: 'x' }), ['status.loadBalancer.ingress[0].ip']],
    [ingress({ hostname: '10.0.0.1' }), ['status.loadBalancer.ingress[0].hostname']],
  ],
  [`${place}/replicationcontrollers`]: [
    [{ replicas: 1, fullyLabeledReplicas: 2 }, ['status.fullyLabeledReplicas']],
    [{ replicas: 1, readyReplicas: 2, availableReplicas: 3 }, ['status.availableReplicas', 'status.readyReplicas']],
  ],
  [`${apps}/replicasets`]: [[{ ...replicas, availableReplicas: 3 }, ['status.availableReplicas']]],
  [`${apps}/deployments`]: [
    [{ ...replicas, updatedReplicas: 4 }, ['status.updatedReplicas']],
    [{ ...replicas, availableReplicas: 3 }, ['status.availableReplicas']],
    [{ readyReplicas: 1 }, ['status.readyReplicas']],
    [{ observedGeneration: -1 }, ['status.observedGeneration']],
  ],
  [`${apps}/statefulsets`]: [
    [{ ...replicas, currentReplicas: 4, updatedReplicas: 5 }, ['status.currentReplicas', 'status.updatedReplicas']],
    [{ collisionCount: -1 }, ['status.collisionCount']],
  ],
  [`${apps}/daemonsets`]: [[{ numberReady: -1 }, ['status.numberReady']]],
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers': [
    [{ currentReplicas: -1, desiredReplicas: -2 }, ['status.currentReplicas', 'status.desiredReplicas']],
  ],
};

/** What a status holds that was written as null. */
const least: Readonly<Record<string, AnyShape>> = {
  [`${place}/pods`]: {},
  [`${place}/services`]: { loadBalancer: {} },
  [`${place}/replicationcontrollers`]: { replicas: 0 },
  [`${place}/resourcequotas`]: {},
  [`${apps}/deployments`]: {},
  [`${apps}/replicasets`]: { replicas: 0 },
  [`${apps}/statefulsets`]: { replicas: 0 },
  [`${apps}/daemonsets`]: {
    ...{ currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
  },
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses': { loadBalancer: {} },
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers': { currentReplicas: 0, desiredReplicas: 0 },
  '/apis/storage.k8s.io/v1/volumeattachments': { attached: false },
};

/** Creates a smallest object with a change of its spec; returns its path. */
async function made(path: string, spec: AnyShape = {}): Promise<string> {
  const smallest: AnyShape = kindSamples[path]?.smallest ?? {};
  const metadata = { ...smallest.metadata, name: undefined, generateName: 'status-' };
  const created = await send('POST', path, { ...smallest, metadata, spec: { ...smallest.spec, ...spec } });
  expect(created).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
  return `${path}/${created.body.metadata.name}`;
}

const write = (path: string, status: unknown) =>
  send('PATCH', `${path}/status`, { status }, 'application/merge-patch+json');
const gone = (path: string) => send('DELETE', path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
const fieldsOf = ({ body }: { readonly body: AnyShape }): readonly string[] => {
  const causes: readonly { readonly field: string }[] = body.details?.causes ?? [];
  return [...new Set(causes.map(({ field }) => field))].sort();
};

it.each(Object.entries(refused))('%s refuses', async (path, rows) => {
  const object = await made(path);
  for (const [status, fields] of rows) {
    const answer = await write(object, status);
    const seen = { status, code: answer.status, fields: fieldsOf(answer) };
    expect(seen).toEqual({ status, code: 422, fields: [...fields].sort() });
  }
  await gone(object);
});

it.each(Object.entries(least))('%s has at least', async (path, expected) => {
  const object = await made(path);
  const { status, body } = await write(object, null);
  expect({ status, shown: body.status }).toEqual({ status: 200, shown: expected });
  await gone(object);
});

it.each([
  ['Never', 0, false],
  ['Never', 1, false],
  ['OnFailure', 0, false],
  ['OnFailure', 1, true],
  ['Always', 0, true],
])('a container of a pod that restarts %s, after it has ended with %i, runs again: %s', async (policy, code, runs) => {
  const pod = await made(`${place}/pods`, { restartPolicy: policy });
  const container = (state: AnyShape) => ({
    containerStatuses: [
      { ...{ name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, lastState: {} }, state },
    ],
  });
  const ended = await write(pod, container({ terminated: { exitCode: code } }));
  expect(ended.status).toBe(200);
  const again = await write(pod, container({ running: {} }));
  expect([again.status, fieldsOf(again)]).toEqual(runs ? [200, []] : [422, ['status.containerStatuses[0].state']]);
  await gone(pod);
});

const [probed, changed, updated, beaten] = [
  'lastProbeTime',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastHeartbeatTime',
];
const replicaless = { replicas: 0 };
const empty = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };

/** The times of a condition of each kind, and what else its status must have. */
it.each([
  [`${place}/pods`, [probed, changed], {}],
  ['/api/v1/nodes', [beaten, changed], {}],
  [`${place}/persistentvolumeclaims`, [probed, changed], {}],
  [`${place}/replicationcontrollers`, [changed], replicaless],
  [`${apps}/deployments`, [updated, changed], {}],
  [`${apps}/replicasets`, [changed], replicaless],
  [`${apps}/statefulsets`, [changed], replicaless],
  [`${apps}/daemonsets`, [changed], empty],
])('%s writes null for the absent times of a condition: %j', async (path, times, rest) => {
  const object = await made(path);
  const condition = { type: 'Lit', status: 'True' };
  const { body } = await write(object, { ...rest, conditions: [condition] });
  const absent = Object.fromEntries(times.map((time) => [time, null]));
  const ofType = (one: AnyShape) => one.type === 'Lit';
  expect(body.status.conditions.filter(ofType)).toEqual([{ ...condition, ...absent }]);
  // a null is no time that somebody wrote
  const [time = ''] = times;
  const written = { ...condition, [time]: '2026-01-02T03:04:05Z' };
  const next = await write(object, { ...rest, conditions: [written] });
  expect(next.body.status.conditions.filter(ofType)).toEqual([{ ...condition, ...absent, ...written }]);
  await gone(object);
});

it('containers without times, and an event without times, have null for each', async () => {
  const pod = await made(`${place}/pods`);
  const states = { state: { running: {} }, lastState: { terminated: { exitCode: 1 } } };
  const status = { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, ...states };
  const { body } = await write(pod, { containerStatuses: [status] });
  expect(body.status.containerStatuses[0]).toMatchObject({
    state: { running: { startedAt: null } },
    lastState: { terminated: { exitCode: 1, startedAt: null, finishedAt: null } },
  });
  const event = await send('POST', `${place}/events`, {
    metadata: { name: `timeless-${Date.now()}` },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  });
  expect(event.body).toMatchObject({ firstTimestamp: null, lastTimestamp: null, eventTime: null });
  await gone(pod);
});

it('a load balancer has the addresses of a LoadBalancer', async () => {
  const service = await made(`${place}/services`, { type: 'LoadBalancer' });
  const answer = await write(service, ingress({ ip: '10.9.8.7', hostname: 'a.example.com' }));
  expect([answer.status, answer.body.status]).toEqual([200, ingress({ ip: '10.9.8.7', hostname: 'a.example.com' })]);
  await gone(service);
});
