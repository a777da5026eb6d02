// Tests the subresource `resize` of pods: the amounts that may change, and that nothing else does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { sendingTo } from '../../../testing/sending.js';
import { startFullServer } from '../../index.js';

const pods = '/api/v1/namespaces/default/pods';
const given = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', 'ephemeral-storage': '1Gi' } };

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const { send, read } = sendingTo(() => server);

let count = 0;
async function createPod(): Promise<AnyShape> {
  count += 1;
  const spec = {
    containers: [
      { name: 'web', image: 'nginx', resources: given },
      { name: 'beside', image: 'nginx' },
    ],
  };
  const { status, body } = await send('POST', pods, { metadata: { name: `pod-${count}` }, spec });
  expect(status).toBe(200);
  return body;
}

const resize = (pod: AnyShape, resources: object, more: object = {}) =>
  send(
    'PATCH',
    `${pods}/${pod.metadata.name}/resize`,
    { spec: { containers: [{ name: 'web', resources, ...more }] } },
    'application/strategic-merge-patch+json',
  );

it('changes the amounts of cpu and memory, and nothing else', async () => {
  const pod = await createPod();
  const { status, body } = await resize(
    pod,
    { requests: { cpu: '500m' }, limits: { memory: '2Gi' } },
    { image: 'other' },
  );
  expect(status).toBe(200);
  const [web, beside] = pod.spec.containers;
  const resources = { requests: { ...given.requests, cpu: '500m', 'ephemeral-storage': '1Gi' } };
  expect(body.spec).toEqual({
    ...pod.spec,
    containers: [{ ...web, resources: { ...resources, limits: { ...given.limits, memory: '2Gi' } } }, beside],
  });
  expect(body.metadata.generation).toBe(pod.metadata.generation + 1);
  expect(await read(`${pods}/${pod.metadata.name}/resize`)).toEqual(await read(`${pods}/${pod.metadata.name}`));
});

it('is the only way to change them', async () => {
  const pod = await createPod();
  pod.spec.containers[0].resources.requests.cpu = '500m';
  expect((await send('PUT', `${pods}/${pod.metadata.name}`, pod)).status).toBe(422);
  const { status, body } = await send('PUT', `${pods}/${pod.metadata.name}/resize`, pod);
  expect([status, body.spec.containers[0].resources.requests.cpu]).toEqual([200, '500m']);
});

it.each([
  ['another kind of amount', { limits: { 'ephemeral-storage': '2Gi' } }, /only cpu and memory resources are mutable/],
  ['an amount that goes', { requests: { memory: null } }, /requests: Forbidden: resource requests cannot be removed/],
  ['a request above its limit', { requests: { cpu: '3' } }, /must be less than or equal to cpu limit of 2/],
  ['a negative amount', { requests: { cpu: '-1' } }, /must be greater than or equal to 0/],
])('refuses %s', async (_what, resources, message) => {
  const pod = await createPod();
  const { status, body } = await resize(pod, resources);
  expect([status, body.message]).toEqual([422, expect.stringMatching(message)]);
  expect(await read(`${pods}/${pod.metadata.name}`)).toEqual(pod);
});

it('refuses another class of service', async () => {
  const plain = { metadata: { name: 'plain' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
  const { body: pod } = await send('POST', pods, plain);
  const { status, body } = await resize(pod, { requests: { cpu: '1' } });
  expect([status, body.message]).toEqual([
    422,
    expect.stringMatching(/Pod QOS Class may not change as a result of resizing/),
  ]);
});

it.each([
  ['1.32', [404, []]],
  ['1.33', [200, ['pods/resize']]],
])('is served by version %s as %j', async (kubeVersion, expected) => {
  const other = await startFullServer({ kubeVersion });
  try {
    const { send, read } = sendingTo(() => other);
    await send('POST', pods, { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } });
    const { status } = await send('GET', `${pods}/web/resize`);
    const { resources } = await read('/api/v1');
    const names = resources.map(({ name }: AnyShape) => name).filter((name: string) => name.endsWith('/resize'));
    expect([status, names]).toEqual(expected);
  } finally {
    await other.close();
  }
});
