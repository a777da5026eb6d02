// Loaded objects keep what they have, of every kind: status, metadata, generation. Invalid ones are refused by their path.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeSigningRequest } from '../../../test-certs/signingRequest.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { type ControlledServer, startControlled } from '../testing/controlled.js';
import { definition, version } from '../testing/customResources.js';

const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};
const schema = {
  spec: { type: 'object', properties: { replicas: { type: 'integer', minimum: 0 } } },
  status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
};
const definitions = [
  definition('boats', 'Boat', [version('v1', schema, { subresources })]),
  definition('rafts', 'Raft', [version('v1', schema)]),
];

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const request = Buffer.from(writeSigningRequest(key, 'somebody', [])).toString('base64');

const labels = { app: 'a' };
const pod = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels }, spec: pod };
const selector = { matchLabels: labels };
const stringTime = '2020-01-02T03:04:05Z';
const condition = (type: string, more: AnyShape = {}) => ({
  type,
  status: 'True',
  lastTransitionTime: stringTime,
  ...more,
});
const reasoned = { reason: 'Tested', message: 'by a test' };

let server: ControlledServer;
beforeAll(async () => {
  // Nothing acts on what is loaded.
  server = await startControlled({
    without: ['cronjob', 'daemonset', 'disruption', 'endpoints', 'job', 'statefulset', 'deployment', 'replicaset']
      .map((name) => `${name}-controller`)
      .concat('replication-controller', 'namespace-controller', 'quota-controller', 'certificate-signing'),
  });
});
afterEach(() => server.controls.reset());
afterAll(() => server.server.close());

const object = (apiVersion: string, kind: string, fields: AnyShape, metadata: AnyShape = {}): AnyShape => ({
  apiVersion,
  kind,
  metadata: { name: 'x', ...metadata },
  ...fields,
});
const boat = (fields: AnyShape = {}, metadata: AnyShape = {}) => object('example.com/v1', 'Boat', fields, metadata);

/** Loads the objects with the definitions. Returns the last one. */
async function loaded(...objects: AnyShape[]): Promise<AnyShape> {
  return (await server.controls.load([...definitions, ...objects])).at(-1) as AnyShape;
}

const storage = { resources: { requests: { storage: '1Gi' } }, accessModes: ['ReadWriteOnce'] };
const withStatus: readonly (readonly [apiVersion: string, kind: string, fields: AnyShape])[] = [
  ['v1', 'Pod', { spec: pod, status: { phase: 'Running', podIP: '10.0.0.1' } }],
  ['v1', 'Node', { status: { capacity: { cpu: '4' }, conditions: [condition('Ready', reasoned)] } }],
  ['v1', 'Namespace', { status: { phase: 'Active', conditions: [condition('Odd', reasoned)] } }],
  [
    'v1',
    'Service',
    {
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    },
  ],
  [
    'v1',
    'PersistentVolume',
    {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
      status: { phase: 'Bound' },
    },
  ],
  ['v1', 'PersistentVolumeClaim', { spec: storage, status: { phase: 'Bound', capacity: { storage: '1Gi' } } }],
  ['v1', 'ReplicationController', { spec: { selector: labels, template }, status: { replicas: 1, readyReplicas: 1 } }],
  ['v1', 'ResourceQuota', { spec: { hard: { pods: '3' } }, status: { hard: { pods: '3' }, used: { pods: '2' } } }],
  ['apps/v1', 'Deployment', { spec: { selector, template }, status: { replicas: 1, updatedReplicas: 1 } }],
  ['apps/v1', 'ReplicaSet', { spec: { selector, template }, status: { replicas: 1, readyReplicas: 1 } }],
  [
    'apps/v1',
    'StatefulSet',
    { spec: { selector, template, serviceName: 's' }, status: { replicas: 1, availableReplicas: 1, readyReplicas: 1 } },
  ],
  ['apps/v1', 'DaemonSet', { spec: { selector, template }, status: { numberReady: 1, desiredNumberScheduled: 1 } }],
  ['batch/v1', 'Job', { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } }, status: { active: 1 } }],
  [
    'batch/v1',
    'CronJob',
    {
      spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } } },
      status: { lastScheduleTime: stringTime },
    },
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
      status: { currentReplicas: 1, desiredReplicas: 2, conditions: [condition('AbleToScale', reasoned)] },
    },
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    { spec: { selector }, status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 } },
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    {
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    },
  ],
  [
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    {
      spec: { request, signerName: 'example.com/x', usages: ['client auth'] },
      status: { conditions: [condition('Approved', { ...reasoned, lastUpdateTime: stringTime })] },
    },
  ],
  ['example.com/v1', 'Boat', { spec: { replicas: 3 }, status: { phase: 'Afloat', replicas: 2 } }],
  ['example.com/v1', 'Raft', { spec: { replicas: 3 }, status: { phase: 'Afloat' } }],
];

describe.each(withStatus)('the status of %s %s', (apiVersion, kind, fields) => {
  it('is kept', async () => {
    expect((await loaded(object(apiVersion, kind, fields))).status).toMatchObject(fields.status);
  });

  it('replaces another', async () => {
    const { status: _status, ...bare } = fields;
    await loaded(object(apiVersion, kind, bare));
    expect((await loaded(object(apiVersion, kind, fields))).status).toMatchObject(fields.status);
  });

  it.skipIf(kind === 'Raft')('stays if none is given', async () => {
    const { status: _status, ...bare } = fields;
    await loaded(object(apiVersion, kind, fields));
    expect((await loaded(object(apiVersion, kind, bare))).status).toMatchObject(fields.status);
  });
});

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const entry = {
  manager: 'm',
  operation: 'Update',
  apiVersion: 'example.com/v1',
  time: stringTime,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
};

describe.each<[string, AnyShape]>([
  ['a built-in kind', object('apps/v1', 'Deployment', { spec: { selector, template } })],
  ['a custom resource with a status', boat()],
  ['a custom resource without', object('example.com/v1', 'Raft', {})],
])('the metadata of %s', (_, plain) => {
  const withMetadata = (more: AnyShape) => ({ ...plain, metadata: { ...plain.metadata, ...more } });

  it.each<[string, unknown]>([
    ['uid', 'given'],
    ['creationTimestamp', stringTime],
    ['generation', 7],
    ['labels', { a: 'b' }],
    ['annotations', { a: 'b' }],
    ['finalizers', ['example.com/keep']],
    ['ownerReferences', [owner]],
    ['managedFields', [{ ...entry, apiVersion: plain.apiVersion }]],
  ])('keeps %s', async (field, value) => {
    expect((await loaded(withMetadata({ [field]: value }))).metadata[field]).toEqual(value);
    // also over another object
    await loaded(plain);
    expect((await loaded(withMetadata({ [field]: value }))).metadata[field]).toEqual(value);
  });

  it('keeps the marks of a deletion that a finalizer holds back', async () => {
    const marks = { deletionTimestamp: stringTime, finalizers: ['example.com/keep'] };
    expect((await loaded(withMetadata(marks))).metadata).toMatchObject(marks);
    await expect(loaded(withMetadata({ deletionTimestamp: stringTime }))).rejects.toThrow(
      `metadata.deletionTimestamp: Invalid value: "${stringTime}": nothing holds the object back: add a finalizer`,
    );
  });

  it('has a resourceVersion of the server', async () => {
    const { resourceVersion } = (await loaded(withMetadata({ resourceVersion: '999999999' }))).metadata;
    expect(Number(resourceVersion)).toBeLessThan(999_999_999);
    expect(Number((await loaded(withMetadata({ labels: { a: 'b' } }))).metadata.resourceVersion)).toBeGreaterThan(
      Number(resourceVersion),
    );
  });

  it('counts a change of the spec, and no other', async () => {
    const first = await loaded(plain);
    expect(first.metadata.generation).toBe(1);
    expect((await loaded(withMetadata({ labels: { a: 'b' } }))).metadata.generation).toBe(1);
    const changed = await loaded({ ...plain, spec: { ...plain.spec, replicas: 5 } });
    expect([changed.metadata.generation, changed.metadata.uid]).toEqual([2, first.metadata.uid]);
  });
});

it('does not count a change of the status', async () => {
  await loaded(boat({ status: { phase: 'Afloat' } }));
  expect((await loaded(boat({ status: { phase: 'Sunk' } }))).metadata.generation).toBe(1);
});

it('is scaled as it was loaded', async () => {
  await loaded(boat({ spec: { replicas: 3 }, status: { replicas: 2 } }));
  const { body } = await server.send('GET', '/apis/example.com/v1/namespaces/default/boats/x/scale');
  expect([body.spec, body.status]).toEqual([{ replicas: 3 }, { replicas: 2 }]);
});

it('returns objects in the version that they were given in', async () => {
  const given = withStatus.map(([apiVersion, kind, fields]) => object(apiVersion, kind, fields));
  const stored = await server.controls.load([...definitions, ...given]);
  const names = (objects: readonly AnyShape[]) => objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(names(stored).slice(definitions.length)).toEqual(names(given));
});

it.each<[AnyShape, string]>([
  [boat({ status: { phase: 5 } }), 'load: objects[2]: Boat x: '],
  [
    boat({ status: { phase: 5 } }),
    'status.phase: Invalid value: "integer": status.phase in body must be of type string',
  ],
  [object('example.com/v1', 'Raft', { status: { phase: 5 } }), 'status.phase'],
  [boat({ spec: { replicas: -1 } }), 'spec.replicas'],
  [object('v1', 'Pod', { spec: pod, status: { phase: 5 } }), 'status.phase'],
  [object('apps/v1', 'Deployment', { spec: { selector, template }, status: { replicas: -1 } }), 'status.replicas'],
  [object('v1', 'Namespace', { status: { phase: 'Terminating' } }), 'status.Phase'],
  [boat({}, { creationTimestamp: 'yesterday' }), 'creationTimestamp'],
  [boat({ spec: { replica: 1 } }), 'strict decoding error: unknown field "spec.replica"'],
  [boat({ state: {} }), 'strict decoding error: unknown field "state"'],
  [boat({}, { managedFields: [{ manager: 'x' }] }), 'metadata.managedFields'],
])('refuses %j: %s', async (invalid, message) => {
  await expect(loaded(invalid)).rejects.toThrow(message);
});
