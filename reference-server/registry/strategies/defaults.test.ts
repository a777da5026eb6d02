// Tests the defaults of each kind.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Direct, startDirect } from '../../testing/direct.js';

const core = '/api/v1/namespaces/default';
const extensions = '/apis/extensions/v1beta1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const autoscaling = '/apis/autoscaling/v1/namespaces/default';
const podSpec = { containers: [{ name: 'c', image: 'i:1' }] };
const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
const named = (more: object) => ({ metadata: { name: 'x' }, ...more });
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return server.stop;
});

test('names of JavaScript object properties are names like any other', async () => {
  const quantities = { constructor: '1', toString: '2' };
  const container = { name: 'c', image: 'i', resources: { limits: {}, requests: quantities } };
  const limits = [{ type: 'Container', max: { cpu: '1' }, defaultRequest: quantities }];
  const odd = JSON.parse('{"__proto__":"x","constructor":"y"}');
  await server.create(`${core}/pods`, named({ spec: { containers: [container] } }));
  await server.create(`${core}/limitranges`, named({ spec: { limits } }));
  await server.create(`${core}/secrets`, named({ type: 'constructor', stringData: odd }));
  const { data } = await server.create(`${core}/configmaps`, named({ data: odd }));
  expect(JSON.stringify(data)).toBe('{"__proto__":"x","constructor":"y"}');
});

describe('defaults', () => {
  test.each([
    [`${core}/secrets`, { stringData: { a: 'hello' } }, { data: { a: 'aGVsbG8=' }, type: 'Opaque' }],
    [
      `${core}/secrets`,
      { data: { a: 'aGk=' }, stringData: { a: 'o' }, type: 't/x' },
      { data: { a: 'bw==' }, type: 't/x' },
    ],
    [
      `${core}/persistentvolumeclaims`,
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } } },
      { spec: { resources: { requests: { storage: '1Gi' } } }, status: { phase: 'Pending' } },
    ],
    [
      '/api/v1/persistentvolumes',
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      { spec: { persistentVolumeReclaimPolicy: 'Retain' }, status: { phase: 'Pending' } },
    ],
    [
      '/api/v1/nodes',
      {},
      {
        spec: { externalID: 'x' },
        status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: { machineID: '' } },
      },
    ],
    [
      `${core}/limitranges`,
      { spec: { limits: [{ type: 'Container', max: { cpu: '8' } }] } },
      {
        spec: {
          limits: [{ type: 'Container', max: { cpu: '8' }, default: { cpu: '8' }, defaultRequest: { cpu: '8' } }],
        },
      },
    ],
    [
      `${core}/replicationcontrollers`,
      { spec: { template } },
      {
        metadata: { labels: { a: 'b' }, generation: 1 },
        spec: { replicas: 1, selector: { a: 'b' } },
        status: { replicas: 0 },
      },
    ],
    [
      `${extensions}/replicasets`,
      { spec: { template } },
      {
        metadata: { labels: { a: 'b' }, generation: 1 },
        spec: { replicas: 1, selector: { matchLabels: { a: 'b' } } },
        status: { replicas: 0 },
      },
    ],
    [
      `${extensions}/daemonsets`,
      { spec: { template } },
      {
        metadata: { labels: { a: 'b' }, generation: 1 },
        spec: { selector: { matchLabels: { a: 'b' } } },
        status: { numberReady: 0 },
      },
    ],
    [
      `${extensions}/deployments`,
      { spec: { template } },
      {
        metadata: { generation: 1 },
        spec: {
          replicas: 1,
          selector: { matchLabels: { a: 'b' } },
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        },
        status: {},
      },
    ],
    [
      `${extensions}/ingresses`,
      { spec: { backend: { serviceName: 's', servicePort: 80 } } },
      { metadata: { generation: 1 }, status: { loadBalancer: {} } },
    ],
    [`${extensions}/networkpolicies`, { spec: {} }, { metadata: { generation: 1 }, spec: { podSelector: {} } }],
    [
      `${autoscaling}/horizontalpodautoscalers`,
      { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } } },
      { spec: { minReplicas: 1 }, status: { currentReplicas: 0, desiredReplicas: 0 } },
    ],
    [`${core}/events`, { involvedObject: { kind: 'Pod', namespace: 'default', name: 'x' } }, { source: {} }],
    [
      `${core}/pods`,
      {
        spec: {
          ...podSpec,
          volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 's' } }],
          serviceAccountName: 'default',
        },
      },
      {
        spec: {
          volumes: [
            { name: 'v', emptyDir: {} },
            { name: 's', secret: { secretName: 's', defaultMode: 420 } },
            { secret: { defaultMode: 420 } },
          ],
          serviceAccount: 'default',
        },
      },
    ],
    [
      `${core}/pods`,
      {
        spec: {
          containers: [
            {
              name: 'c',
              image: 'i',
              resources: { limits: { cpu: '1000m' } },
              livenessProbe: { httpGet: { port: 80 } },
            },
          ],
        },
      },
      {
        spec: {
          containers: [
            {
              resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
              livenessProbe: {
                httpGet: { path: '/', port: 80, scheme: 'HTTP' },
                timeoutSeconds: 1,
                periodSeconds: 10,
                successThreshold: 1,
                failureThreshold: 3,
              },
            },
          ],
        },
      },
    ],
  ])('%s %j', async (path, given, expected) => expect(await server.create(path, named(given))).toMatchObject(expected));

  test('a job selects its pods by its own uid', async () => {
    const { metadata, spec } = await server.create(
      `${batch}/jobs`,
      named({ spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } }),
    );
    const own = { 'controller-uid': metadata.uid };
    expect(spec).toMatchObject({ parallelism: 1, completions: 1, backoffLimit: 6, selector: { matchLabels: own } });
    expect(spec.template.metadata.labels).toEqual({ ...own, 'job-name': 'x' });
    expect(metadata.labels).toEqual({ ...own, 'job-name': 'x' });
  });
});
