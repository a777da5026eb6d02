// Tests that the pods of a workload get what its template says, and that the template stays as the client wrote it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({});
  await send('POST', '/api/v1/nodes', { metadata: { name: 'node' } });
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const limits = { cpu: '1', memory: '1Gi' };
const limited = { image: 'i', resources: { limits } };

it.each([
  ['replicationcontrollers', core],
  ['replicasets', apps],
  ['deployments', apps],
  ['statefulsets', apps],
  ['daemonsets', apps],
  ['jobs', '/apis/batch/v1/namespaces/default'],
])('%s', async (plural, path) => {
  const labels = { of: plural };
  const spec = {
    ...{ containers: [{ name: 'c', ...limited }], initContainers: [{ name: 'i', ...limited }] },
    ...(plural === 'jobs' && { restartPolicy: 'Never' }),
  };
  const selector = plural === 'replicationcontrollers' ? labels : { matchLabels: labels };
  const body = {
    metadata: { name: 'limited' },
    spec: { ...(plural !== 'jobs' && { selector }), template: { metadata: { labels }, spec } },
  };
  const made = await send('POST', `${path}/${plural}`, body);
  expect([made.status < 300, made.status < 300 || made.body.message]).toEqual([true, true]);
  const pods = async () => (await read(`${core}/pods?labelSelector=of%3D${plural}`)).items;
  await expect.poll(async () => (await pods()).length).toBeGreaterThan(0);
  const [pod] = await pods();
  for (const [container] of [pod.spec.containers, pod.spec.initContainers])
    expect(container.resources).toEqual({ limits, requests: limits });
  expect((await read(`${path}/${plural}/limited`)).spec.template).toEqual(made.body.spec.template);
});
