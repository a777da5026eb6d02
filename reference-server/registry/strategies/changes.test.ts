// Tests immutable fields, and the allocated values of services.
import { beforeEach, describe, expect, test } from 'vitest';
import type { AnyShape } from '../../testing/anyShape.js';
import { type Direct, startDirect } from '../../testing/direct.js';

const core = '/api/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const podSpec = { containers: [{ name: 'c', image: 'i:1' }] };
const claims = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const named = (more: object) => ({ metadata: { name: 'x' }, ...more });
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return server.stop;
});

describe('fixed fields', () => {
  test.each([
    [`${core}/secrets`, { type: 'a' }, { type: 'b' }, 'type'],
    [
      `${core}/persistentvolumeclaims`,
      { spec: claims },
      { spec: { ...claims, accessModes: ['ReadWriteMany'] } },
      'spec',
    ],
    [`${core}/pods`, { spec: podSpec }, { spec: { ...podSpec, nodeName: 'n9' } }, 'spec'],
    [
      `${core}/pods`,
      { spec: podSpec },
      { spec: { containers: [...podSpec.containers, { name: 'd', image: 'i' }] } },
      'spec.containers',
    ],
    [
      `${core}/pods`,
      { spec: podSpec },
      { spec: { ...podSpec, schedulingGates: [{ name: 'new' }] } },
      'spec.schedulingGates[0].name',
    ],
    [
      `${core}/pods`,
      { spec: { ...podSpec, tolerations: [{ key: 'a', operator: 'Exists' }] } },
      { spec: { ...podSpec, tolerations: [{ key: 'b', operator: 'Exists' }] } },
      'spec.tolerations',
    ],
    [
      `${core}/services`,
      { spec: { clusterIP: '10.0.0.8', ports: [{ port: 1 }] } },
      { spec: { clusterIP: '10.0.0.9', ports: [{ port: 1 }] } },
      'spec.clusterIP',
    ],
    [
      `${batch}/jobs`,
      { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
      { spec: { completions: 7, template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
      'spec.completions',
    ],
  ])('of %s %j to %j', async (path, given, changed, field) => {
    const before = await server.create(path, named(given));
    const { status, body } = await server.call('PUT', `${path}/x`, { body: named(changed) });
    expect(status).toBe(422);
    expect(body.details.causes.map((cause: { field: string }) => cause.field)).toContain(field);
    expect((await server.call('GET', `${path}/x`)).body).toEqual(before);
  });

  test('a pod may lose gates, and get tolerations', async () => {
    const gates = { spec: { ...podSpec, schedulingGates: [{ name: 'a' }, { name: 'b' }] } };
    const pod = await server.create(`${core}/pods`, named(gates));
    expect(pod.status.conditions).toEqual([expect.objectContaining({ reason: 'SchedulingGated', status: 'False' })]);
    const target = { metadata: { name: 'x' }, target: { kind: 'Node', name: 'n' } };
    const refused = await server.call('POST', `${core}/pods/x/binding`, { body: target });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('pod x has non-empty .spec.schedulingGates'),
    ]);
    const tolerations = [{ key: 'a', operator: 'Exists' }];
    const body = { ...pod, spec: { ...pod.spec, schedulingGates: [{ name: 'b' }], tolerations } };
    const changed = await server.call('PUT', `${core}/pods/x`, { body });
    expect([changed.status, changed.body.spec]).toEqual([200, expect.objectContaining(body.spec)]);
  });

  test('a pod’s image may change', async () => {
    const pod = await server.create(`${core}/pods`, named({ spec: podSpec }));
    const body = {
      ...pod,
      spec: { ...pod.spec, containers: [{ ...pod.spec.containers[0], image: 'i:2' }], activeDeadlineSeconds: 9 },
    };
    expect((await server.call('PUT', `${core}/pods/x`, { body })).status).toBe(200);
  });
});

test('a pod’s deadline may only become earlier', async () => {
  const pod = await server.create(`${core}/pods`, named({ spec: { ...podSpec, activeDeadlineSeconds: 60 } }));
  const put = (activeDeadlineSeconds: number | undefined) =>
    server.call('PUT', `${core}/pods/x`, { body: { ...pod, spec: { ...pod.spec, activeDeadlineSeconds } } });
  for (const refused of [61, undefined]) {
    expect((await put(refused)).body.details.causes[0].field).toBe('spec.activeDeadlineSeconds');
  }
  expect((await put(59)).status).toBe(200);
});

test('the generation of a deployment changes with its annotations, and not with its labels', async () => {
  const path = '/apis/extensions/v1beta1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
  const made = await server.create(path, named({ spec: { template } }));
  const put = async (metadata: object) =>
    (await server.call('PUT', `${path}/x`, { body: { ...made, metadata: { name: 'x', ...metadata } } })).body.metadata;
  expect((await put({ labels: { c: 'd' } })).generation).toBe(1);
  expect((await put({ annotations: { c: 'd' } })).generation).toBe(2);
});

describe('a service', () => {
  const ports = [{ port: 80 }];
  const service = (name: string, spec: object) => ({ metadata: { name }, spec: { ports, ...spec } });

  test('has its own address, which is released on deletion', async () => {
    const { spec } = await server.create(`${core}/services`, service('s', {}));
    expect(spec).toEqual({
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      clusterIP: expect.stringMatching(/^10\.0\.\d+\.\d+$/),
      type: 'ClusterIP',
      sessionAffinity: 'None',
    });
    const same = service('t', { clusterIP: spec.clusterIP });
    expect((await server.call('POST', `${core}/services`, { body: same })).body.details.causes[0].field).toBe(
      'spec.clusterIP',
    );
    await server.call('DELETE', `${core}/services/s`);
    expect((await server.create(`${core}/services`, same)).spec.clusterIP).toBe(spec.clusterIP);
  });

  test('allocates no address if it is refused or a dry run', async () => {
    const body = service('s', { clusterIP: '10.0.0.7' });
    await server.call('POST', `${core}/services?dryRun=All`, { body });
    await server.create(`${core}/services`, body);
    const taken = service('s', { clusterIP: '10.0.0.8' });
    expect((await server.call('POST', `${core}/services`, { body: taken })).status).toBe(409);
    await server.create(`${core}/services`, service('t', { clusterIP: '10.0.0.8' }));
  });

  test('has node ports or no address, by its type', async () => {
    const exposed = await server.create(`${core}/services`, service('n', { type: 'NodePort' }));
    expect(exposed.spec.ports[0].nodePort).toBeGreaterThanOrEqual(30000);
    expect((await server.create(`${core}/services`, service('h', { clusterIP: 'None' }))).spec.clusterIP).toBe('None');
    const named = { metadata: { name: 'e' }, spec: { type: 'ExternalName', externalName: 'x.com' } };
    expect((await server.create(`${core}/services`, named)).spec.clusterIP).toBeUndefined();
    const changed = { ...exposed, spec: { ...exposed.spec, type: 'ClusterIP', ports } };
    const { spec } = (await server.call('PUT', `${core}/services/n`, { body: changed })).body;
    expect([spec.clusterIP, spec.ports[0].nodePort]).toEqual([exposed.spec.clusterIP, undefined]);
    const { nodePort } = exposed.spec.ports[0];
    const again = service('m', { type: 'NodePort', ports: [{ port: 1, nodePort }] });
    expect((await server.create(`${core}/services`, again)).spec.ports[0].nodePort).toBe(nodePort);
  });

  const both = (port: number, tcp?: number, udp?: number, other = port) => [
    { name: 't', port, protocol: 'TCP', ...(tcp && { nodePort: tcp }) },
    { name: 'u', port: other, protocol: 'UDP', ...(udp && { nodePort: udp }) },
  ];
  const ofBoth = (name: string, ports: readonly object[]) => service(name, { type: 'NodePort', ports });
  const portsOf = (object: AnyShape): number[] => object.spec.ports.map(({ nodePort }: AnyShape) => nodePort);

  test.each([
    ['given', both(53, 31_053, 31_053), 31_053],
    ['given to the second', both(53, undefined, 31_054), 31_054],
    ['free', both(53), undefined],
  ])('has one node port for two protocols of a port: %s', async (_, ports, expected) => {
    const made = await server.create(`${core}/services`, ofBoth('two', ports));
    const [tcp = 0, udp] = portsOf(made);
    expect([udp, expected ?? tcp]).toEqual([tcp, tcp]);
    const one = { ...made, spec: { ...made.spec, ports: made.spec.ports.slice(0, 1) } };
    expect(portsOf((await server.call('PUT', `${core}/services/two`, { body: one })).body)).toEqual([tcp]);
    const other = ofBoth('other', both(1, tcp).slice(0, 1));
    expect((await server.call('POST', `${core}/services`, { body: other })).status).toBe(422);
    await server.call('DELETE', `${core}/services/two`);
    await server.create(`${core}/services`, other);
  });

  test.each([
    ['for two ports', both(53, 31_053, 31_053, 54), 'spec.ports[1].nodePort: Invalid value: 31053: provided port is'],
    [
      'that is taken',
      both(53, undefined, 31_060, 54),
      'spec.ports[1].nodePort: Invalid value: 31060: provided port is',
    ],
    ['out of range', both(53, 30_001, 80, 54), 'spec.ports[1].nodePort: Invalid value: 80: provided port is not in'],
    [
      'of another of the same protocol',
      both(53, 31_053, 31_053, 54).map((port) => ({ ...port, protocol: 'TCP' })),
      'spec.ports[1].nodePort: Duplicate value: 31053',
    ],
  ])('has no node port %s', async (_, ports, message) => {
    await server.create(
      `${core}/services`,
      service('taken', { type: 'NodePort', ports: [{ port: 1, nodePort: 31_060 }] }),
    );
    const { status, body } = await server.call('POST', `${core}/services`, { body: ofBoth('two', ports) });
    expect([status, body.message]).toEqual([422, expect.stringContaining(message)]);
  });
});
