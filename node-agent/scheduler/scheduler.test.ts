// The rules by which a pod fits on a node.
import { describe, expect, test } from 'vitest';
import type { Node, Pod, PodSpec } from '../api/types.js';
import { parseQuantity, requestsOf } from '../pods/requests.js';
import { selectsNode } from './nodeSelection.js';
import { NodeState } from './nodeState.js';

const podWith = (spec: Partial<PodSpec>, uid = 'one'): Pod => ({
  metadata: { name: uid, uid },
  spec: { containers: [{ name: 'a' }], ...spec },
});
const asking = (requests: Readonly<Record<string, string>>, uid?: string) =>
  podWith({ containers: [{ name: 'a', resources: { requests } }] }, uid);

const labels = { zone: 'a', cores: '8' };
const nodeWith = (more: Partial<Node> = {}): NodeState => {
  const state = new NodeState('node-1');
  const allocatable = { cpu: '2', memory: '1Gi', pods: '3' };
  state.set({ metadata: { name: 'node-1', labels }, status: { allocatable }, ...more });
  return state;
};

test.each([
  ['2', 2],
  ['500m', 0.5],
  ['1.5', 1.5],
  ['2Gi', 2_147_483_648],
  ['3M', 3_000_000],
  ['1e3', 1000],
  ['12E', 12e18],
  ['', 0],
  ['many', 0],
  [7, 7],
])('a quantity of %s is %d', (quantity, value) => {
  expect(parseQuantity(quantity)).toBe(value);
});

test('a pod requests the sum of its containers and sidecars, or what an init container needs while it runs', () => {
  const of = (cpu: string) => ({ resources: { requests: { cpu } } });
  const pod = podWith({
    containers: [
      { name: 'a', ...of('1') },
      { name: 'b', resources: { limits: { cpu: '500m', memory: '1Mi' } } },
    ],
    initContainers: [
      { name: 'sidecar', restartPolicy: 'Always', ...of('250m') },
      { name: 'large', ...of('3') },
    ],
    overhead: { cpu: '10m' },
  });
  expect(Object.fromEntries(requestsOf(pod))).toEqual({ cpu: 3.26, memory: 1_048_576, pods: 1 });
});

const term = (key: string, operator: string, ...values: string[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
      },
    },
  },
});

test.each<[string, Partial<PodSpec>, boolean]>([
  ['nothing asked', {}, true],
  ['nodeSelector', { nodeSelector: { zone: 'a' } }, true],
  ['nodeSelector of another zone', { nodeSelector: { zone: 'b' } }, false],
  ['In', term('zone', 'In', 'a', 'b'), true],
  ['In, without the label', term('absent', 'In', 'a'), false],
  ['NotIn', term('zone', 'NotIn', 'a'), false],
  ['NotIn, without the label', term('absent', 'NotIn', 'a'), true],
  ['Exists', term('zone', 'Exists'), true],
  ['DoesNotExist', term('zone', 'DoesNotExist'), false],
  ['Gt', term('cores', 'Gt', '4'), true],
  ['Gt of a word', term('zone', 'Gt', '4'), false],
  ['Lt', term('cores', 'Lt', '4'), false],
  [
    'the name of the node',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
          },
        },
      },
    },
    true,
  ],
  [
    'a term without requirements',
    {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] } } },
    },
    false,
  ],
])('node affinity: %s', (_, spec, expected) => {
  expect(selectsNode(podWith(spec), { name: 'node-1', labels })).toBe(expected);
});

describe('a node refuses', () => {
  const cordoned = { spec: { unschedulable: true } };
  const tainted = (effect: string) => ({ spec: { taints: [{ key: 'gpu', value: 'yes', effect }] } });
  const tolerating = (toleration: object) => podWith({ tolerations: [toleration] });
  const untolerated = ['node(s) had untolerated taint {gpu: yes}'];

  test.each<[string, Partial<Node>, Pod, readonly string[]]>([
    ['no pod that fits', {}, podWith({}), []],
    ['all pods when it is cordoned', cordoned, podWith({}), ['node(s) were unschedulable']],
    [
      'no pod that tolerates that',
      cordoned,
      tolerating({ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }),
      [],
    ],
    ['pods by a taint', tainted('NoSchedule'), podWith({}), untolerated],
    ['pods by a taint that evicts', tainted('NoExecute'), podWith({}), untolerated],
    ['no pod by a preference', tainted('PreferNoSchedule'), podWith({}), []],
    ['no pod with the same key and value', tainted('NoSchedule'), tolerating({ key: 'gpu', value: 'yes' }), []],
    ['a pod with another value', tainted('NoSchedule'), tolerating({ key: 'gpu', value: 'no' }), untolerated],
    [
      'a pod that tolerates another effect',
      tainted('NoSchedule'),
      tolerating({ operator: 'Exists', effect: 'NoExecute' }),
      untolerated,
    ],
    ['no pod that tolerates everything', tainted('NoExecute'), tolerating({ operator: 'Exists' }), []],
    [
      'a pod for another zone',
      {},
      podWith({ nodeSelector: { zone: 'b' } }),
      ["node(s) didn't match Pod's node affinity/selector"],
    ],
    ['a pod that is too large', {}, asking({ cpu: '3', memory: '2Gi' }), ['Insufficient cpu', 'Insufficient memory']],
    ['a pod with a resource that it lacks', {}, asking({ 'example.com/gpu': '1' }), ['Insufficient example.com/gpu']],
  ])('%s', (_, node, pod, reasons) => {
    expect(nodeWith(node).reasonsAgainst(pod)).toEqual(reasons);
  });

  test('a pod when others have taken the CPUs, until they end or leave', () => {
    const node = nodeWith();
    const other = asking({ cpu: '1500m' }, 'other');
    node.add(other);
    node.add(other);
    expect(node.reasonsAgainst(asking({ cpu: '500m' }))).toEqual([]);
    expect(node.reasonsAgainst(asking({ cpu: '501m' }))).toEqual(['Insufficient cpu']);
    node.add({ ...other, status: { phase: 'Succeeded' } });
    expect(node.reasonsAgainst(asking({ cpu: '2' }))).toEqual([]);
    node.add(other);
    expect([node.remove('other'), node.remove('other')]).toEqual([true, false]);
    expect(node.reasonsAgainst(asking({ cpu: '2' }))).toEqual([]);
  });

  test('a fourth pod, and a second one with the same port of the node', () => {
    const node = nodeWith();
    const onPort = (uid: string) =>
      podWith({ containers: [{ name: 'a', ports: [{ containerPort: 80, hostPort: 8080 }] }] }, uid);
    node.add(onPort('first'));
    expect(node.reasonsAgainst(onPort('second'))).toEqual([
      "node(s) didn't have free ports for the requested pod ports",
    ]);
    node.add(podWith({}, 'second'));
    node.add(podWith({}, 'third'));
    expect(node.reasonsAgainst(podWith({}, 'fourth'))).toEqual(['Too many pods']);
  });

  test('all pods when it does not exist', () => {
    expect(new NodeState('node-2').reasonsAgainst(podWith({}))).toEqual(['node(s) did not exist']);
  });
});
