// Tests the subresource `ephemeralcontainers` of pods: what may be added, and that nothing else changes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { type Sent, sendingTo } from '../../../testing/sending.js';
import { startFullServer } from '../../index.js';

const pods = '/api/v1/namespaces/default/pods';
const strategicMerge = 'application/strategic-merge-patch+json';
const helper = { name: 'helper', image: 'busybox' };

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const { send, read } = sendingTo(() => server);
const causesOf = ({ status, body }: Sent) => [
  status,
  body.details?.causes.map(({ field, message }: AnyShape) => `${field}: ${message}`),
];
const add = (name: string, ...containers: object[]) =>
  send('PATCH', `${pods}/${name}/ephemeralcontainers`, { spec: { ephemeralContainers: containers } }, strategicMerge);
const createPod = (name: string, more: object = {}) =>
  send('POST', pods, {
    metadata: { name, labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...more },
  });

it('adds containers, and changes nothing else', async () => {
  const { body: pod } = await createPod('one');
  expect((await add('one', helper)).status).toBe(200);
  const second = { name: 'second', image: 'busybox', targetContainerName: 'web', stdin: true, tty: true };
  const changed = { ...pod, metadata: { ...pod.metadata, resourceVersion: '', labels: { app: 'other' } } };
  changed.spec = { ...pod.spec, restartPolicy: 'Never', ephemeralContainers: [helper, second] };
  const { status, body } = await send('PUT', `${pods}/one/ephemeralcontainers`, changed);
  expect([status, body.metadata.labels, body.spec.restartPolicy]).toEqual([200, { app: 'web' }, 'Always']);
  expect(body.spec.ephemeralContainers).toMatchObject([helper, second]);
  expect(await read(`${pods}/one/ephemeralcontainers`)).toEqual(body);
});

it.each([
  ['a name that is taken', [{ name: 'web', image: 'i' }], 'spec.ephemeralContainers[0].name: Duplicate value: "web"'],
  ['no image', [{ name: 'a' }], 'spec.ephemeralContainers[0].image: Required value'],
  [
    'a target that is not there',
    [{ name: 'a', image: 'i', targetContainerName: 'b' }],
    'spec.ephemeralContainers[0].targetContainerName: Not found: "b"',
  ],
  [
    'a port',
    [{ name: 'a', image: 'i', ports: [{ containerPort: 1 }] }],
    'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
  ],
  [
    'another image of a container that is there',
    [{ ...helper, image: 'debian' }],
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "helper" may not be changed',
  ],
])('refuses %s', async (what, containers, cause) => {
  const name = what.replaceAll(' ', '-');
  await createPod(name);
  await add(name, helper);
  expect(causesOf(await add(name, ...containers))).toEqual([422, [cause]]);
});

it('refuses to remove one', async () => {
  const { body: pod } = await createPod('kept');
  await add('kept', helper);
  const answer = await send('PUT', `${pods}/kept/ephemeralcontainers`, {
    ...pod,
    metadata: { ...pod.metadata, resourceVersion: '' },
  });
  const cause = 'spec.ephemeralContainers: Forbidden: existing ephemeral containers "helper" may not be removed';
  expect(causesOf(answer)).toEqual([422, [cause]]);
});

it('is the only way to add one', async () => {
  const field = 'spec.ephemeralContainers';
  const created = await createPod('new', { ephemeralContainers: [helper] });
  expect(causesOf(created)).toEqual([422, [`${field}: Forbidden: cannot be set on create`]]);
  await createPod('old');
  const patch = { spec: { ephemeralContainers: [helper] } };
  expect((await send('PATCH', `${pods}/old`, patch, strategicMerge)).status).toBe(422);
});

it('get no token mount', async () => {
  await createPod('unmounted');
  expect((await add('unmounted', helper)).status).toBe(200);
  const { spec } = await read(`${pods}/unmounted`);
  expect(spec.containers[0].volumeMounts).toHaveLength(1);
  expect(spec.ephemeralContainers).toMatchObject([helper]);
  expect(spec.ephemeralContainers[0]).not.toHaveProperty('volumeMounts');
});
