// Tests refused bodies of each kind, and the fields in the causes.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Direct, startDirect } from '../../testing/direct.js';

const core = '/api/v1/namespaces/default';
const extensions = '/apis/extensions/v1beta1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const autoscaling = '/apis/autoscaling/v1/namespaces/default';
const podSpec = { containers: [{ name: 'c', image: 'i:1' }] };
const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
const target = { kind: 'Deployment', name: 'd' };
const named = (more: object) => ({ metadata: { name: 'x' }, ...more });
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return server.stop;
});

describe('invalid', () => {
  test.each([
    ['pods', { spec: {} }, ['spec.containers']],
    [
      'pods',
      { spec: { containers: [{ name: 'a' }, { name: 'a', image: 'x' }], restartPolicy: 'Foo' } },
      ['spec.containers[0].image', 'spec.containers[1].name', 'spec.restartPolicy'],
    ],
    [
      'pods',
      {
        spec: {
          containers: [
            {
              name: 'C',
              image: 'i',
              ports: [{}, { containerPort: 1, name: 'a' }, { containerPort: 2, name: 'a', protocol: 'x' }],
            },
          ],
        },
      },
      [
        'spec.containers[0].name',
        'spec.containers[0].ports[0].containerPort',
        'spec.containers[0].ports[2].name',
        'spec.containers[0].ports[2].protocol',
      ],
    ],
    [
      'pods',
      {
        spec: {
          containers: [
            {
              name: 'c',
              image: 'i',
              env: [{}, { name: '1 a' }],
              volumeMounts: [{ name: 'zz' }],
              imagePullPolicy: 'x',
              livenessProbe: { periodSeconds: -1 },
            },
          ],
        },
      },
      [
        'spec.containers[0].livenessProbe',
        'spec.containers[0].livenessProbe.periodSeconds',
        'spec.containers[0].env[0].name',
        'spec.containers[0].env[1].name',
        'spec.containers[0].volumeMounts[0].name',
        'spec.containers[0].volumeMounts[0].mountPath',
        'spec.containers[0].imagePullPolicy',
      ],
    ],
    [
      'pods',
      {
        spec: {
          ...podSpec,
          volumes: [
            { name: 'V' },
            { name: 'b', hostPath: {} },
            { name: 'a', hostPath: { path: '/x' } },
            { name: 'a', emptyDir: {}, nfs: { server: 's', path: '/' } },
          ],
          dnsPolicy: 'x',
          hostname: 'A_',
        },
      },
      [
        'spec.volumes[0].name',
        'spec.volumes[1].hostPath.path',
        'spec.volumes[3].name',
        'spec.volumes[3].nfs',
        'spec.dnsPolicy',
        'spec.hostname',
      ],
    ],
    [
      'pods',
      {
        spec: {
          containers: [
            { name: 'c', image: 'i', resources: { limits: { cpu: '1' }, requests: { cpu: '2', memory: '-1' } } },
          ],
        },
      },
      ['spec.containers[0].resources.requests[memory]', 'spec.containers[0].resources.requests'],
    ],
    [
      'services',
      { metadata: { name: '1bad' }, spec: { ports: [{ port: 70000 }] } },
      ['metadata.name', 'spec.ports[0].port', 'spec.ports[0].targetPort'],
    ],
    ['services', { spec: { ports: [] } }, ['spec.ports']],
    [
      'services',
      {
        spec: {
          type: 'X',
          sessionAffinity: 'Y',
          clusterIP: '1',
          ports: [
            { port: 80, protocol: 'Z' },
            { port: 81, name: 'A_' },
          ],
          externalIPs: ['x'],
          selector: { 'a b': 'c' },
        },
      },
      [
        'spec.ports[0].name',
        'spec.ports[0].protocol',
        'spec.ports[1].name',
        'spec.selector',
        'spec.sessionAffinity',
        'spec.clusterIP',
        'spec.externalIPs[0]',
        'spec.type',
      ],
    ],
    ['services', { spec: { clusterIP: '10.1.2.3', ports: [{ port: 1 }] } }, ['spec.clusterIP']],
    [
      'endpoints',
      { subsets: [{ addresses: [{ ip: '127.0.0.1' }, { ip: 'x' }], ports: [{ port: 0 }, { port: 80 }] }, {}] },
      [
        'subsets[0].addresses[0].ip',
        'subsets[0].addresses[1].ip',
        'subsets[0].addresses[1].ip',
        'subsets[0].ports[0].name',
        'subsets[0].ports[0].port',
        'subsets[0].ports[1].name',
        'subsets[1]',
      ],
    ],
    ['events', { involvedObject: { kind: 'Pod', name: 'x', namespace: 'other' } }, ['involvedObject.namespace']],
    [
      'limitranges',
      { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] } },
      ['spec.limits[0].min[cpu]', 'spec.limits[0].defaultRequest[cpu]', 'spec.limits[0].default[cpu]'],
    ],
    [
      'resourcequotas',
      { spec: { hard: { pods: '1.5', zz: '1', cpu: '-1' }, scopes: ['x'] } },
      ['spec.hard[cpu]', 'spec.hard[pods]', 'spec.hard[zz]', 'spec.hard[zz]', 'spec.scopes'],
    ],
    ['persistentvolumeclaims', { spec: { resources: {} } }, ['spec.accessModes', 'spec.resources[storage]']],
    ['secrets', { type: 'kubernetes.io/tls' }, ['data[tls.crt]', 'data[tls.key]']],
    [
      'secrets',
      { type: 'kubernetes.io/service-account-token' },
      ['metadata.annotations[kubernetes.io/service-account.name]'],
    ],
    ['secrets', { data: { 'bad key': '' } }, ['data[bad key]']],
    ['secrets', { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': 'bm8=' } }, ['data[.dockercfg]']],
    [
      'limitranges',
      { spec: { limits: [{ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }] } },
      ['spec.limits[0].maxLimitRequestRatio[cpu]'],
    ],
    ['podtemplates', { template: { ...template, metadata: { labels: { a: 'b c' } } } }, ['template.labels']],
    [
      'replicationcontrollers',
      { spec: { replicas: -1, selector: { a: 'c' }, template } },
      ['spec.replicas', 'spec.template.metadata.labels'],
    ],
    ['podtemplates', {}, ['template.spec.containers']],
  ])('core %s %j', async (plural, given, fields) => {
    const reply = await server.call('POST', `${core}/${plural}`, { body: named(given) });
    expect([reply.status, reply.body.reason]).toEqual([422, 'Invalid']);
    expect(reply.body.details.causes.map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  test.each([
    ['/api/v1/persistentvolumes', { spec: {} }, ['spec.accessModes', 'spec.capacity', 'spec.capacity', 'spec']],
    [
      `${extensions}/deployments`,
      { spec: {} },
      ['spec.selector', 'spec.template.metadata.labels', 'spec.template.spec.containers'],
    ],
    [
      `${extensions}/deployments`,
      { spec: { selector: { matchLabels: { z: 'z' } }, template } },
      ['spec.template.metadata.labels'],
    ],
    [
      `${extensions}/deployments`,
      { spec: { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } }, template } },
      ['spec.strategy.rollingUpdate'],
    ],
    [
      `${extensions}/deployments`,
      { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }, template } },
      ['spec.strategy.rollingUpdate.maxUnavailable'],
    ],
    [
      `${extensions}/deployments`,
      {
        spec: {
          replicas: -1,
          minReadySeconds: -1,
          revisionHistoryLimit: -1,
          template: { ...template, spec: { ...podSpec, restartPolicy: 'Never' } },
        },
      },
      ['spec.replicas', 'spec.minReadySeconds', 'spec.template.spec.restartPolicy', 'spec.revisionHistoryLimit'],
    ],
    [`${extensions}/ingresses`, { spec: {} }, ['spec']],
    [
      `${extensions}/ingresses`,
      {
        spec: {
          rules: [
            { host: '1.2.3.4', http: { paths: [] } },
            { host: 'A_', http: { paths: [{ path: 'x', backend: {} }] } },
          ],
        },
      },
      [
        'spec.rules[0].host',
        'spec.rules[0].http.paths',
        'spec.rules[1].host',
        'spec.rules[1].http.paths[0].path',
        'spec.rules[1].http.paths[0].backend.serviceName',
        'spec.rules[1].http.paths[0].backend.servicePort',
      ],
    ],
    [
      `${extensions}/networkpolicies`,
      { spec: { podSelector: {}, ingress: [{ ports: [{ protocol: 'x', port: 0 }], from: [{}] }] } },
      ['spec.ingress[0].ports[0].protocol', 'spec.ingress[0].ports[0].port', 'spec.ingress[0].from[0]'],
    ],
    ['/apis/extensions/v1beta1/thirdpartyresources', { metadata: { name: 'bad' } }, ['metadata.name']],
    [
      `${autoscaling}/horizontalpodautoscalers`,
      { spec: { scaleTargetRef: target } },
      ['spec.maxReplicas', 'spec.maxReplicas'],
    ],
    [
      `${autoscaling}/horizontalpodautoscalers`,
      { spec: { minReplicas: 0, maxReplicas: 1, targetCPUUtilizationPercentage: 0 } },
      [
        'spec.minReplicas',
        'spec.scaleTargetRef.kind',
        'spec.scaleTargetRef.name',
        'spec.targetCPUUtilizationPercentage',
      ],
    ],
    [`${batch}/jobs`, { spec: { template } }, ['spec.template.spec.restartPolicy']],
    [
      `${batch}/jobs`,
      {
        spec: {
          parallelism: -1,
          selector: { matchLabels: { z: 'z' } },
          template: { spec: { ...podSpec, restartPolicy: 'Never' } },
        },
      },
      ['spec.selector', 'spec.parallelism', 'spec.template.metadata.labels'],
    ],
  ])('%s %j', async (path, given, fields) => {
    const { status, body } = await server.call('POST', path, { body: named(given) });
    expect(status).toBe(422);
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
});

describe('a response stays short', () => {
  const many = <Item>(item: (index: number) => Item, count = 2000) =>
    Array.from({ length: count }, (_, at) => item(at));

  test.each([
    ['a list that is wrong in each item', 'resourcequotas', { spec: { scopes: many((index) => `scope-${index}`) } }],
    ['items that lack everything', 'pods', { spec: { containers: many(() => ({ ports: [{}], env: [{}] })) } }],
    ['a value that is long', 'pods', { spec: { ...podSpec, restartPolicy: 'x'.repeat(100_000) } }],
    ['a key that is long', 'configmaps', { data: { [`${'x'.repeat(100_000)}/`]: '1' } }],
    ['keys that are wrong', 'configmaps', { data: Object.fromEntries(many((index) => [`/${index}`, ''])) }],
    ['a name that is long', 'configmaps', { metadata: { name: '/'.repeat(100_000) } }],
    [
      'controllers that are many',
      'configmaps',
      { metadata: { name: 'x', ownerReferences: many(() => ({ controller: true })) } },
    ],
    ['a quantity that is long', 'resourcequotas', { spec: { hard: { pods: '9'.repeat(100_000) } } }],
    ['a time that is long', 'pods', { metadata: { name: 'x', creationTimestamp: 'x'.repeat(100_000) } }],
    ['a field that is long', 'configmaps', { data: { ['x'.repeat(100_000)]: {} } }],
    ['a kind that is long', 'configmaps', { kind: 'x'.repeat(100_000) }],
  ])('for %s', async (_, plural, given) => {
    const { status, body } = await server.call('POST', `${core}/${plural}`, { body: { ...named({}), ...given } });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
    expect(body.details?.causes?.length ?? 0).toBeLessThanOrEqual(100);
  });
});
