// Which pods make room for one of a higher priority, and on which node.
import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/types.js';
import { NodeState } from './nodeState.js';
import { type Budget, type Candidate, cheapest } from './preemption.js';

interface Given {
  readonly priority?: number;
  readonly cpu?: string;
  readonly started?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly hostPort?: number;
}

const podOf = (name: string, { priority, cpu = '1', started = '10', labels = {}, hostPort }: Given = {}): Pod => ({
  metadata: { name, uid: name, namespace: 'ns', labels },
  spec: {
    ...(priority !== undefined && { priority }),
    containers: [
      {
        name: 'a',
        resources: { requests: { cpu } },
        ...(hostPort !== undefined && { ports: [{ containerPort: 80, hostPort }] }),
      },
    ],
  },
  status: { startTime: `2030-01-01T00:00:${started}Z` },
});

const budgetOf = (disruptionsAllowed: number, selector: object, more: object = {}): Budget => ({
  metadata: { name: 'b', namespace: 'ns' },
  spec: { selector },
  status: { disruptionsAllowed, ...more },
});

/** A node with four CPUs. */
const nodeWith = (others: readonly Pod[], spec: object = {}): NodeState => {
  const node = new NodeState('node-1');
  node.set({ metadata: { name: 'node-1' }, spec, status: { allocatable: { cpu: '4', pods: '10' } } });
  for (const other of others) node.add(other);
  return node;
};

interface Case {
  readonly others: Readonly<Record<string, Given>>;
  readonly pod?: Given;
  readonly expected?: readonly Pod[];
  readonly budgets?: readonly Budget[];
  readonly spec?: object;
}

const victims = ({ others, pod = { priority: 10 }, expected = [], budgets = [], spec }: Case) => {
  const node = nodeWith(
    Object.entries(others).map(([name, given]) => podOf(name, given)),
    spec,
  );
  const found = node.victimsFor(podOf('new', pod), expected, budgets);
  return found && { ...found, victims: found.victims.map(({ metadata }) => metadata.name) };
};

describe('room for a pod is made by', () => {
  test.each<[string, Case, readonly string[] | undefined]>([
    [
      'the least important pod',
      { others: { a: { priority: 2 }, b: { priority: 1 }, c: { priority: 2 }, d: {} } },
      ['d'],
    ],
    ['the youngest of equal ones', { others: { a: {}, b: { started: '30' }, c: { started: '20' }, d: {} } }, ['b']],
    ['as few as possible', { others: { a: { cpu: '2' }, b: {}, c: {} }, pod: { priority: 1, cpu: '2' } }, ['c', 'b']],
    ['no pod of the same priority', { others: { a: { cpu: '4', priority: 10 } } }, undefined],
    ['no pod of a higher priority', { others: { a: { cpu: '4', priority: 11 } } }, undefined],
    [
      'no pod if that is not enough',
      { others: { a: { cpu: '3', priority: 11 }, b: {} }, pod: { priority: 10, cpu: '2' } },
      undefined,
    ],
    ['no pod of a node that is too small', { others: { a: { cpu: '4' } }, pod: { priority: 10, cpu: '5' } }, undefined],
    ['no pod of a node that refuses it', { others: { a: { cpu: '4' } }, spec: { unschedulable: true } }, undefined],
    ['the pod with its port', { others: { a: {}, b: { hostPort: 80 } }, pod: { priority: 1, hostPort: 80 } }, ['b']],
    [
      'more pods if others are expected',
      { others: { a: {}, b: {}, c: {}, d: {} }, expected: [podOf('expected', { priority: 10 })] },
      ['d', 'c'],
    ],
    ['a negative priority', { others: { a: { cpu: '4', priority: -1 } }, pod: {} }, ['a']],
  ])('%s', (_, given, expected) => {
    // Names tell equal pods apart only by their order.
    expect(victims(given)?.victims.toSorted()).toEqual(expected?.toSorted());
  });

  const keeps = (name: string) => ({ matchLabels: { app: name } });
  const web = { labels: { app: 'web' } };
  test.each<[string, Case, { victims: readonly string[]; violations: number }]>([
    [
      'a pod that no budget keeps',
      { others: { a: { cpu: '2', ...web }, b: { cpu: '2', priority: 5 } }, budgets: [budgetOf(0, keeps('web'))] },
      { victims: ['b'], violations: 0 },
    ],
    [
      'one that a budget keeps, if no other is there',
      { others: { a: { cpu: '4', ...web } }, budgets: [budgetOf(0, keeps('web'))] },
      { victims: ['a'], violations: 1 },
    ],
    [
      'as many as a budget allows',
      {
        others: { a: { cpu: '2', ...web }, b: { cpu: '2', started: '20', ...web } },
        pod: { priority: 1, cpu: '4' },
        budgets: [budgetOf(1, { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] })],
      },
      { victims: ['a', 'b'], violations: 1 },
    ],
    [
      'one that was evicted already',
      { others: { a: { cpu: '4', ...web } }, budgets: [budgetOf(0, keeps('web'), { disruptedPods: { a: '' } })] },
      { victims: ['a'], violations: 0 },
    ],
    [
      'one that only a budget without a selector keeps',
      { others: { a: { cpu: '4', ...web } }, budgets: [budgetOf(0, {})] },
      { victims: ['a'], violations: 0 },
    ],
  ])('%s', (_, given, expected) => {
    expect(victims(given)).toEqual(expected);
  });
});

test('pods that are expected on a node leave no room for others', () => {
  const node = nodeWith([podOf('a', { cpu: '2' })]);
  const pod = podOf('new', { cpu: '2' });
  expect(node.reasonsAgainst(pod)).toEqual([]);
  expect(node.reasonsAgainst(pod, [podOf('expected')])).toEqual(['Insufficient cpu']);
});

test.each<[string, Readonly<Record<string, Omit<Candidate<string>, 'node'>>>]>([
  [
    'whose budgets keep fewer pods',
    {
      best: { victims: [podOf('a', { priority: 9 })], violations: 0 },
      other: { victims: [podOf('b')], violations: 1 },
    },
  ],
  [
    'whose most important victim is less important',
    {
      best: { victims: [podOf('a', { priority: 1 }), podOf('b', { priority: 1 })], violations: 0 },
      other: { victims: [podOf('c', { priority: 2 })], violations: 0 },
    },
  ],
  [
    'whose victims are less important together',
    {
      best: { victims: [podOf('a', { priority: 2 }), podOf('b', { priority: 0 })], violations: 0 },
      other: { victims: [podOf('c', { priority: 2 }), podOf('d', { priority: 1 })], violations: 0 },
    },
  ],
  [
    'with fewer victims, also of a negative priority',
    {
      best: { victims: [podOf('a', { priority: -5 })], violations: 0 },
      other: { victims: [podOf('b', { priority: -5 }), podOf('c', { priority: -5 })], violations: 0 },
    },
  ],
  [
    'whose most important victims are younger',
    {
      best: { victims: [podOf('a', { priority: 1, started: '20' }), podOf('b', { started: '01' })], violations: 0 },
      other: { victims: [podOf('c', { priority: 1, started: '15' }), podOf('d', { started: '50' })], violations: 0 },
    },
  ],
])('a pod gets the node %s', (_, nodes) => {
  const candidates = Object.entries(nodes).map(([node, found]) => ({ node, ...found }));
  expect(cheapest(candidates)?.node).toBe('best');
  expect(cheapest(candidates.toReversed())?.node).toBe('best');
});
