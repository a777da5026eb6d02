// What the admission plug-ins of kube-apiserver make of pods, claims and ingresses, as 1.20 does. `AGAINST` names a real
// one, to see that it does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { type Sent, sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';
import { realServerOr } from '../testing/customResources.js';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await realServerOr({ kubeVersion: '1.20', without: ['service-account-admission'] });
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const [pods, claims] = [`${core}/pods`, `${core}/persistentvolumeclaims`];
const classes = {
  priority: '/apis/scheduling.k8s.io/v1/priorityclasses',
  runtime: '/apis/node.k8s.io/v1/runtimeclasses',
  storage: '/apis/storage.k8s.io/v1/storageclasses',
  ingress: '/apis/networking.k8s.io/v1/ingressclasses',
};

/** Each test has names of its own: deleted claims stay on a server without controllers. */
let count = 0;
const unique = (): string => {
  count += 1;
  return `built-in-${Date.now().toString(36)}-${count}`;
};
const made = ({ status, body }: Sent): AnyShape => {
  expect({ status, body }).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
  return body;
};
const refusal = async (sent: Promise<Sent>): Promise<unknown> => {
  const { status, body } = await sent;
  return [status, (body.message ?? '').replace(/^\S+ "[^"]*" is forbidden: /, '')];
};
const define = async (path: string, body: AnyShape, annotations?: AnyShape): Promise<string> =>
  made(await send('POST', path, { ...body, metadata: { name: unique(), annotations } })).metadata.name;
const pod = (spec: AnyShape) =>
  send('POST', pods, { metadata: { name: unique() }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
const claim = (spec: AnyShape = {}) => {
  const size = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return send('POST', claims, { metadata: { name: unique() }, spec: { ...size, ...spec } });
};
const backend = { service: { name: 's', port: { number: 1 } } };
const ingress = (spec: AnyShape = {}, annotations?: AnyShape) =>
  send('POST', ingresses, { metadata: { name: unique(), annotations }, spec: { defaultBackend: backend, ...spec } });
/** A real server learns of a class a moment after it is there. */
const known = (isKnown: () => Promise<boolean>) => expect.poll(isKnown).toBe(true);
const dry = async (path: string, body: AnyShape): Promise<AnyShape> =>
  (await send('POST', `${path}?dryRun=All`, body)).body;

it('a pod has the priority of its class', async () => {
  const name = await define(classes.priority, { value: 7, preemptionPolicy: 'Never' });
  await known(async () => (await pod({ priorityClassName: name })).status < 300);
  const computed = (what: string, is: unknown) =>
    `the ${what} must not be provided in pod spec; priority admission controller computed ${is} from the given PriorityClass name`;
  expect(made(await pod({ priorityClassName: name, priority: 7 })).spec).toMatchObject({
    ...{ priorityClassName: name, priority: 7, preemptionPolicy: 'Never' },
  });
  expect(await refusal(pod({ priorityClassName: name, priority: 8 }))).toEqual([
    403,
    computed('integer value of priority (8)', 7),
  ]);
  expect(await refusal(pod({ priorityClassName: name, preemptionPolicy: 'PreemptLowerPriority' }))).toEqual([
    403,
    computed('string value of PreemptionPolicy (PreemptLowerPriority)', 'Never'),
  ]);
  expect(await refusal(pod({ priorityClassName: 'absent' }))).toEqual([
    403,
    'no PriorityClass with name absent was found',
  ]);
  expect(made(await pod({})).spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
});

it('a pod without a class has the default one, of which there is one', async () => {
  const name = await define(classes.priority, { value: 9, globalDefault: true });
  await known(async () => made(await pod({})).spec.priorityClassName === name);
  const other = send('POST', classes.priority, { metadata: { name: unique() }, value: 1, globalDefault: true });
  const why = `PriorityClass ${name} is already marked as default. Only one default can exist`;
  expect(await refusal(other)).toEqual([403, why]);
  made(await send('PATCH', `${classes.priority}/${name}`, { description: 'd' }, 'application/merge-patch+json'));
  await send('DELETE', `${classes.priority}/${name}`);
  await known(async () => made(await pod({})).spec.priorityClassName === undefined);
});

it('a pod has the overhead and the nodes of its RuntimeClass', async () => {
  const overhead = { cpu: '10m', memory: '1Mi' };
  const scheduling = { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] };
  const whole = await define(classes.runtime, { handler: 'h', overhead: { podFixed: overhead }, scheduling });
  const plain = await define(classes.runtime, { handler: 'h' });
  const of = (name: string, spec: AnyShape = {}) => pod({ runtimeClassName: name, ...spec });
  await known(async () => (await of(plain)).status < 300 && (await of(whole)).status < 300);
  const [own, ofClass] = [{ key: 'z', operator: 'Exists' }, scheduling.tolerations[0]];
  const { spec } = made(await of(whole, { nodeSelector: { a: 'b', c: 'd' }, tolerations: [own, ofClass] }));
  expect(spec).toMatchObject({ overhead, nodeSelector: { a: 'b', c: 'd' } });
  expect(spec.tolerations.filter(({ key }: AnyShape) => ['z', 'k'].includes(key))).toEqual([own, ofClass]);
  expect(made(await of(whole, { overhead })).spec.tolerations).toContainEqual(ofClass);
  const without = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  for (const [refused, why] of [
    [of('absent'), 'pod rejected: RuntimeClass "absent" not found'],
    [
      of(whole, { overhead: { cpu: '11m' } }),
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [of(plain, { overhead }), without],
    [pod({ overhead }), without],
    [
      of(whole, { nodeSelector: { a: 'c' } }),
      'conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c',
    ],
  ] as const) {
    expect(await refusal(refused)).toEqual([403, why]);
  }
});

const isDefault = (kind: string) => ({ [`${kind}.kubernetes.io/is-default-class`]: 'true' });

it('a claim without a class has the default one', async () => {
  expect(made(await claim()).spec.storageClassName).toBeUndefined();
  const name = await define(classes.storage, { provisioner: 'p' }, isDefault('storageclass'));
  await known(async () => made(await claim()).spec.storageClassName === name);
  expect(made(await claim({ storageClassName: '' })).spec.storageClassName).toBe('');
  const beta = { metadata: { name: unique(), annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } } };
  const size = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  expect((await dry(claims, { ...beta, spec: size })).spec.storageClassName).toBeUndefined();
  const other = await define(classes.storage, { provisioner: 'p' }, isDefault('storageclass.beta'));
  await known(async () => (await claim()).status === 403);
  expect(await refusal(claim())).toEqual([403, 'Internal error occurred: 2 default StorageClasses were found']);
  for (const one of [name, other]) await send('DELETE', `${classes.storage}/${one}`);
});

it('an ingress without a class has the default one', async () => {
  const name = await define(classes.ingress, { spec: { controller: 'a.b/c' } }, isDefault('ingressclass'));
  await known(async () => made(await ingress()).spec.ingressClassName === name);
  const annotated = { 'kubernetes.io/ingress.class': 'q' };
  expect(made(await ingress({}, annotated)).spec.ingressClassName).toBeUndefined();
  const other = await define(classes.ingress, { spec: { controller: 'a.b/c' } }, isDefault('ingressclass'));
  await known(async () => (await ingress()).status === 403);
  const why = 'Internal error occurred: 2 default IngressClasses were found, only 1 allowed';
  expect(await refusal(ingress())).toEqual([403, why]);
  for (const one of [name, other]) await send('DELETE', `${classes.ingress}/${one}`);
});

it('a bound claim grows if its class allows it', async () => {
  const grows = await define(classes.storage, { provisioner: 'p', allowVolumeExpansion: true });
  const stays = await define(classes.storage, { provisioner: 'p' });
  const bound = async (spec: AnyShape): Promise<string> => {
    const path = `${claims}/${made(await claim(spec)).metadata.name}`;
    const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
    made(await send('PATCH', `${path}/status`, { status }, 'application/merge-patch+json'));
    return path;
  };
  const resize = (path: string, storage: string) =>
    send('PATCH', path, { spec: { resources: { requests: { storage } } } }, 'application/merge-patch+json');
  const good = await bound({ storageClassName: grows });
  await known(async () => (await resize(good, '2Gi')).status === 200);
  expect((await read(good)).spec.resources.requests.storage).toBe('2Gi');
  expect((await resize(good, '1Gi')).body.details.causes).toMatchObject([
    {
      field: 'spec.resources.requests.storage',
      message: 'Forbidden: field can not be less than previous value',
    },
  ]);
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  for (const spec of [{ storageClassName: stays }, { storageClassName: '' }, { storageClassName: 'absent' }, {}]) {
    expect(await refusal(resize(await bound(spec), '2Gi'))).toEqual([403, why]);
  }
  const unbound = `${claims}/${made(await claim({ storageClassName: grows })).metadata.name}`;
  expect((await resize(unbound, '2Gi')).body.details.causes).toMatchObject([{ field: 'spec' }]);
});

it('a later server takes the newest of several defaults', async () => {
  const later = await startFullServer({ requests: true });
  const client = sendingTo(() => later);
  for (const name of ['old', 'new']) {
    const metadata = { name, annotations: isDefault('storageclass') };
    await client.create(classes.storage, { metadata, provisioner: 'p' });
    await later.controls?.clock.advance(60_000);
  }
  const size = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const { body } = await client.create(claims, { metadata: { name: 'a' }, spec: size });
  expect(body.spec.storageClassName).toBe('new');
  const change = (part: string, body: object) =>
    client.send('PATCH', `${claims}/a${part}`, body, 'application/merge-patch+json');
  await change('/status', { status: { phase: 'Bound', capacity: { storage: '1Gi' } } });
  await client.send('PATCH', `${classes.storage}/new`, { allowVolumeExpansion: true }, 'application/merge-patch+json');
  const resize = (storage: string) => change('', { spec: { resources: { requests: { storage } } } });
  // whoever asked for too much asks for less, but for more than there is
  for (const [size, status] of [
    ['3Gi', 200],
    ['2Gi', 200],
    ['1Gi', 422],
  ] as const) {
    expect([size, (await resize(size)).status]).toEqual([size, status]);
  }
  expect((await change('', { spec: { volumeAttributesClassName: 'fast' } })).status).toBe(200);
  await later.close();
});
