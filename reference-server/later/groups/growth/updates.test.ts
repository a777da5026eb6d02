// What updates of core kinds a server of 1.36 takes and refuses, as kube-apiserver 1.36.2 does. `AGAINST` names a real one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { sendingTo } from '../../../testing/sending.js';
import { realServerOr } from '../../testing/customResources.js';

let server: RunningServer;
const { create, send } = sendingTo(() => server);
beforeAll(async () => {
  server = await realServerOr({ without: ['service-account-admission', 'service-account-controller'] });
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const merge = 'application/merge-patch+json';
let count = 0;

/** Creates an object, and asks what its update, or that of a part, would be. Then the object is deleted. */
async function updated(collection: string, body: AnyShape, patch: object, part = ''): Promise<AnyShape> {
  count += 1;
  const name = `updated-${Date.now() % 1_000_000}-${count}`;
  const made = await create(collection, { ...body, metadata: { name, ...body.metadata } });
  expect([200, 201], made.body.message).toContain(made.status);
  const path = `${collection}/${name}`;
  const answer = await send('PATCH', `${path}${part}?dryRun=All`, patch, merge);
  await send('PATCH', path, { metadata: { finalizers: null } }, merge);
  await send('DELETE', path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
  return answer;
}

const causesOf = ({ body }: AnyShape): readonly string[] => [
  ...new Set<string>((body.details?.causes ?? []).map(({ field }: AnyShape) => field)),
];

const container = { name: 'c', image: 'i:1' };
const required = (...expressions: readonly object[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: expressions }] },
  },
});
const [one, two] = [
  { key: 'a', operator: 'Exists' },
  { key: 'b', operator: 'Exists' },
] as const;
const gates = { schedulingGates: [{ name: 'example.com/g' }] };
const pod = (more: object) => ({ spec: { containers: [container], ...more } });
const gated = (more: object = {}) => pod({ ...gates, nodeSelector: { x: 'y' }, ...more });
const template = (more: object) => ({ metadata: { labels: { a: 'b' } }, spec: { containers: [container], ...more } });
const ephemeral = { ephemeralContainers: [{ name: 'e', image: 'i' }] };
const service = { spec: { ports: [{ port: 80 }], selector: { a: 'b' } } };
const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
const volume = {
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
};
const nodes = '/api/v1/nodes';
const placed = { spec: { podCIDR: '10.1.0.0/24', providerID: 'a' } };
const event = { involvedObject: { kind: 'Pod', namespace: 'default', name: 'x' }, reason: 'r', type: 'Normal' };
const pods = `${core}/pods`;
const services = `${core}/services`;
const claims = `${core}/persistentvolumeclaims`;
const nodeTerms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

describe('an update', () => {
  it.each<[string, AnyShape, object, readonly string[]]>([
    [
      `${core}/configmaps`,
      {},
      { metadata: { deletionGracePeriodSeconds: 4 } },
      ['metadata.deletionGracePeriodSeconds'],
    ],
    [pods, gated(), { spec: { nodeSelector: { x: 'w' } } }, ['spec.nodeSelector']],
    [pods, gated(), { spec: { nodeSelector: null } }, ['spec.nodeSelector']],
    [pods, pod({ nodeSelector: { x: 'y' } }), { spec: { nodeSelector: { z: 'w' } } }, ['spec']],
    [pods, gated({ affinity: required(one) }), { spec: { affinity: required(two) } }, [`${nodeTerms}[0]`]],
    [pods, gated({ affinity: required(one) }), { spec: { affinity: null } }, [nodeTerms]],
    [
      pods,
      gated(),
      {
        spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k' }] } } },
      },
      ['spec'],
    ],
    [services, service, { spec: { loadBalancerClass: 'a/b' } }, ['spec.loadBalancerClass']],
    [services, service, { spec: { type: 'LoadBalancer', loadBalancerClass: 'Bad Class' } }, ['spec.loadBalancerClass']],
    [services, service, { spec: { allocateLoadBalancerNodePorts: true } }, ['spec.allocateLoadBalancerNodePorts']],
    [services, service, { spec: { trafficDistribution: 'Bad' } }, ['spec.trafficDistribution']],
    ['/api/v1/persistentvolumes', volume, { spec: { volumeMode: 'Block' } }, ['volumeMode']],
    ['/api/v1/persistentvolumes', volume, { spec: { volumeAttributesClassName: 'v' } }, ['spec.csi']],
    [nodes, placed, { spec: { podCIDR: '10.2.0.0/24' } }, ['spec.podCIDRs']],
    [nodes, placed, { spec: { providerID: 'b' } }, ['spec.providerID']],
    [nodes, placed, { spec: { providerID: null } }, ['spec.providerID']],
    [nodes, placed, { spec: { externalID: 'z' } }, ['spec.externalID']],
    [nodes, {}, { spec: { podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] } }, ['spec.podCIDRs']],
    [nodes, {}, { spec: { taints: [{ key: 'a', effect: 'Bad' }] } }, ['metadata.taints[0].effect']],
    [
      `${core}/replicationcontrollers`,
      { spec: { replicas: 0, template: template({}) } },
      { spec: { template: { spec: ephemeral } } },
      ['spec.template.spec.ephemeralContainers'],
    ],
    [
      `${core}/podtemplates`,
      { template: template({}) },
      { template: { spec: ephemeral } },
      ['template.spec.ephemeralContainers'],
    ],
    [
      `${core}/events`,
      event,
      { eventTime: '2026-01-01T00:00:00.000000Z' },
      ['reportingComponent', 'reportingInstance', 'action'],
    ],
    [
      `${core}/resourcequotas`,
      {},
      { spec: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } } },
      ['spec.scopeSelector.matchExpressions.values'],
    ],
  ])('of %s %j by %j is refused for %j', async (collection, body, patch, fields) => {
    const answer = await updated(collection, body, patch);
    expect([answer.status, causesOf(answer)]).toEqual([422, fields]);
  });

  it.each<[string, AnyShape, object, AnyShape]>([
    [pods, gated(), { spec: { nodeSelector: { z: 'w' } } }, { spec: { nodeSelector: { x: 'y', z: 'w' } } }],
    [pods, gated(), { spec: { affinity: required(one) } }, { spec: { affinity: required(one) } }],
    [
      pods,
      gated({ affinity: required(one) }),
      { spec: { affinity: required(one, two) } },
      { spec: { affinity: required(one, two) } },
    ],
    [pods, pod({ terminationGracePeriodSeconds: -5 }), {}, { spec: { terminationGracePeriodSeconds: 1 } }],
    [
      pods,
      gated(),
      {},
      { status: { conditions: [{ reason: 'SchedulingGated', lastTransitionTime: expect.any(String) }] } },
    ],
    [services, service, { spec: { clusterIP: null } }, { spec: { clusterIP: expect.stringMatching(/^10\./) } }],
    [services, service, { spec: { clusterIP: '' } }, { spec: { clusterIP: expect.stringMatching(/^10\./) } }],
    [claims, claim, { spec: { storageClassName: 'x' } }, { spec: { storageClassName: 'x' } }],
    [nodes, {}, { spec: { providerID: 'a' } }, { spec: { providerID: 'a' } }],
    [
      `${core}/podtemplates`,
      { template: template({}) },
      { template: { metadata: { labels: { c: 'd' } } } },
      { metadata: { generation: 2 } },
    ],
    [
      '/apis/batch/v1/namespaces/default/jobs',
      { spec: { suspend: true, template: template({ restartPolicy: 'Never' }) } },
      { spec: { suspend: false } },
      { metadata: { generation: 2 } },
    ],
  ])('of %s %j by %j is taken', async (collection, body, patch, shown) => {
    const answer = await updated(collection, body, patch);
    expect(answer.status, answer.body.message).toBe(200);
    expect(answer.body).toMatchObject(shown);
  });

  it('to a load balancer that wants no ports of nodes gives it none', async () => {
    const spec = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };
    const { body } = await updated(`${core}/services`, service, { spec });
    expect(body.spec.ports[0].nodePort).toBeUndefined();
  });
});

describe('a status', () => {
  const balancer = { spec: { ports: [{ port: 80 }], type: 'LoadBalancer' } };
  const addressed = (ingress: object) => ({ status: { loadBalancer: { ingress: [ingress] } } });
  const quota = { spec: { hard: { pods: '5' } } };
  const quotas = `${core}/resourcequotas`;

  it.each<[string, AnyShape, object, readonly string[]]>([
    [pods, pod({}), { status: { qosClass: 'Guaranteed' } }, ['status.qosClass']],
    [pods, pod({}), { status: { resourceClaimStatuses: [{ name: 'x' }] } }, ['status.resourceClaimStatuses[0].name']],
    [services, service, addressed({ ip: '1.2.3.4' }), ['status.loadBalancer.ingress']],
    [services, balancer, addressed({ hostname: 'a.b', ipMode: 'Proxy' }), ['status.loadBalancer.ingress[0].ipMode']],
    [services, balancer, addressed({ ip: '1.2.3.4', ipMode: 'Bad' }), ['status.loadBalancer.ingress[0].ipMode']],
    [
      claims,
      claim,
      { status: { allocatedResourceStatuses: { storage: 'Bad' } } },
      ['status.allocatedResourceStatuses'],
    ],
    [claims, claim, { status: { capacity: { storage: '-1' } } }, ['status.capacity[storage]']],
    [quotas, quota, { status: { used: { pods: '-1' } } }, ['status.used[pods]']],
    [quotas, quota, { status: { hard: { bad_name: '1' } } }, ['status.hard[bad_name]']],
  ])('of %s %j by %j is refused for %j', async (collection, body, patch, fields) => {
    const answer = await updated(collection, body, patch, '/status');
    expect([answer.status, causesOf(answer)]).toEqual([422, fields]);
  });

  it('of a pod keeps its class and its owners', async () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' };
    const patch = { metadata: { ownerReferences: [owner] }, status: { qosClass: null } };
    const { body } = await updated(pods, pod({}), patch, '/status');
    expect([body.metadata.ownerReferences, body.status.qosClass]).toEqual([undefined, 'BestEffort']);
  });

  it('of a load balancer says how its address is reached', async () => {
    const { body } = await updated(services, balancer, addressed({ ip: '1.2.3.4' }), '/status');
    expect(body.status.loadBalancer.ingress).toEqual([{ ip: '1.2.3.4', ipMode: 'VIP' }]);
  });
});

describe('an ephemeral container', () => {
  const added = (more: object = {}) => ({ spec: { ephemeralContainers: [{ name: 'e', image: 'i', ...more }] } });
  const part = '/ephemeralcontainers';

  it('has the defaults of a container', async () => {
    const { body } = await updated(pods, pod({}), added(), part);
    expect(body.spec.ephemeralContainers).toEqual([
      {
        ...{ name: 'e', image: 'i', resources: {}, imagePullPolicy: 'Always' },
        ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
      },
    ]);
  });

  it('asks for no resources', async () => {
    const answer = await updated(pods, pod({}), added({ resources: { limits: { cpu: '1' } } }), part);
    expect([answer.status, causesOf(answer)]).toEqual([422, ['spec.ephemeralContainers[0].resources']]);
  });
});

it('a replace creates a Service that is absent', async () => {
  const path = `${services}/replaced-${Date.now() % 1_000_000}`;
  const { status } = await send('PUT', path, { metadata: { name: path.split('/').at(-1) }, ...service });
  expect([200, 201]).toContain(status);
  expect((await send('DELETE', path)).status).toBe(200);
});
