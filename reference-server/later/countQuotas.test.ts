// Tests quotas that count the objects of any resource, by each of its names.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import { sendingTo } from '../testing/sending.js';
import { startFullServer } from './index.js';

const core = '/api/v1/namespaces/default';
const quotas = `${core}/resourcequotas`;
const merge = 'application/merge-patch+json';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({ without: ['replicaset-controller'] });
});
afterAll(() => server.close());

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const replicaSet = (name: string) => ({
  metadata: { name },
  spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
});
const lease = (name: string) => ({ metadata: { name }, spec: {} });
const map = (name: string) => ({ metadata: { name } });

it.each([
  ['count/replicasets.apps', '/apis/apps/v1/namespaces/default/replicasets', replicaSet],
  ['count/leases.coordination.k8s.io', '/apis/coordination.k8s.io/v1/namespaces/default/leases', lease],
  ['count/configmaps', `${core}/configmaps`, map],
])('%s', async (name, path, object) => {
  const used = async () => (await read(`${quotas}/q`)).status?.used?.[name];
  const there = (await read(path)).items.length;
  await send('POST', quotas, { metadata: { name: 'q' }, spec: { hard: { [name]: String(there + 2) } } });
  await expect.poll(used).toBe(String(there));
  for (const each of ['one', 'two']) expect((await send('POST', path, object(each))).status).toBeLessThan(300);
  await expect.poll(used).toBe(String(there + 2));
  const { status, body } = await send('POST', path, object('three'));
  expect([status, body.message]).toEqual([403, expect.stringContaining(`exceeded quota: q, requested: ${name}=1`)]);
  await send('DELETE', `${path}/one`);
  await expect.poll(used).toBe(String(there + 1));
  expect((await send('PATCH', `${path}/two`, { metadata: { labels: { c: 'd' } } }, merge)).status).toBe(200);
  expect((await send('POST', path, object('three'))).status).toBeLessThan(300);
  await send('DELETE', `${quotas}/q`);
});

it('objects that are counted by another name are measured as before', async () => {
  const hard = { pods: '5', 'count/pods': '5', 'requests.cpu': '2' };
  await send('POST', quotas, { metadata: { name: 'both' }, spec: { hard } });
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: '1' } } };
  await send('POST', `${core}/pods`, { metadata: { name: 'p' }, spec: { containers: [container] } });
  await expect
    .poll(async () => (await read(`${quotas}/both`)).status?.used)
    .toEqual({ pods: '1', 'count/pods': '1', 'requests.cpu': '1' });
});
