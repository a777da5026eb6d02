// Tests that objects of one form share the set of what a create adds, and that no other object gets that set.
import { expect, it } from 'vitest';
import type { KubeObject } from '../../schema/object.js';
import { doAll } from '../../turns.js';
import { changedPaths, compare } from './compare.js';
import { addedBy } from './created.js';
import { pathsOf as paths } from './fieldSet.js';
import { shapeOfKind } from './fieldTable.js';
import { type ObjectShape, wholeObject } from './shape.js';
import { BadItem, pathText } from './steps.js';
import { emptyObject } from './update.js';

const shapeOf = (apiVersion: string, kind: string): ObjectShape => {
  const shape = shapeOfKind(apiVersion, kind);
  if (shape === undefined) throw new Error(`no shape of ${kind}`);
  return wholeObject(shape);
};
const pod = shapeOf('v1', 'Pod');
const deployment = shapeOf('apps/v1', 'Deployment');

const added = (shape: ObjectShape, object: object) => doAll(addedBy(shape, emptyObject(shape), object as KubeObject));
const compared = (shape: ObjectShape, object: object) =>
  changedPaths(doAll(compare(shape, emptyObject(shape), object as KubeObject)));

const named = (name: string, more: object = {}) => ({ metadata: { name, ...more } });
const container = (more: object = {}) => ({ spec: { containers: [{ name: 'c', image: 'i', ...more }] } });

it.each([
  [pod, { ...named('a'), ...container() }, { ...named('b'), ...container({ image: 'other' }) }],
  [pod, named('a', { labels: { app: 'x' } }), named('b', { labels: { app: 'y' } })],
  [pod, { ...named('a'), ...container() }, { kind: 'Pod', ...named('b', { uid: 'c' }), ...container() }],
  [pod, { spec: { nodeSelector: { a: 'b' } } }, { spec: { nodeSelector: { c: 'd', e: 'f' } } }],
  [pod, container({ env: [{ name: 'A', value: '1' }] }), container({ env: [{ name: 'A', value: '2' }] })],
])('objects of one form share a set (%#)', (shape, one, other) => {
  expect(added(shape, other)).toBe(added(shape, one));
  expect(added(shape, one)).toEqual(compared(shape, one));
});

const variants: readonly object[] = [
  {},
  named('a'),
  named('a', { labels: {} }),
  named('a', { labels: null }),
  named('a', { labels: { app: 'x' } }),
  named('a', { labels: { 'app1:x': 'x' } }),
  named('a', { labels: { app: 'x', 'app{}': 'y' } }),
  named('a', { labels: 'text' }),
  named('a', { labels: undefined }),
  named('a', { finalizers: ['a/b'] }),
  named('a', { finalizers: ['a/b', 'a/b'] }),
  named('a', { finalizers: ['a/c'] }),
  named('a', { finalizers: [] }),
  named('a', { finalizers: null }),
  container(),
  container({ env: [] }),
  container({ env: null }),
  container({ env: [{ name: 'A' }] }),
  container({ env: [{ name: 'B' }] }),
  container({ env: [{ name: 'A' }, { name: 'A', value: '1' }] }),
  container({ env: [{ name: 'A', value: '1' }, { name: 'A' }] }),
  container({ ports: [{ containerPort: 1 }] }),
  container({ ports: [{ containerPort: 1, protocol: 'UDP' }] }),
  container({ ports: [{ containerPort: 9007199254740993n }] }),
  { spec: { containers: null } },
  { spec: null },
  { spec: [] },
  { spec: 1 },
  { status: {} },
  { status: { conditions: [] } },
];

it('objects of other forms have sets of their own', () => {
  // Twice: the second time each set is known.
  for (const shape of [pod, deployment, pod, deployment])
    for (const object of variants) expect([object, added(shape, object)]).toEqual([object, compared(shape, object)]);
});

it('nobody owns the zeros that servers write for absent fields, but those in new items', () => {
  const zeros = { firstTimestamp: null, eventTime: null, reportingComponent: '', reportingInstance: '' };
  const event = shapeOf('v1', 'Event');
  const pathsOf = (shape: ObjectShape, object: object) => [...paths(added(shape, object))].map(pathText);
  expect(pathsOf(event, { ...zeros, reason: 'r' })).toEqual(['.reason']);
  expect(pathsOf(event, { ...zeros, reportingComponent: 'c', reason: 'r' })).toEqual([
    '.reason',
    '.reportingComponent',
  ]);
  const condition = { type: 'Ready', lastProbeTime: null };
  expect(pathsOf(pod, { status: { conditions: [condition] } })).toContain(
    '.status.conditions[type="Ready"].lastProbeTime',
  );
});

it.each<[string, string, object, readonly string[]]>([
  ['v1', 'Service', { spec: { ports: [{ port: 80 }] } }, ['.spec.ports']],
  ['v1', 'Pod', container(), []],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
    ['.spec.policyTypes'],
  ],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }, []],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { spec: { podSelector: { matchLabels: { a: 'b' } } } },
    ['.spec.podSelector'],
  ],
  ['v1', 'Event', { involvedObject: {}, reason: 'r' }, ['.reason']],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { spec: { group: 'g', names: { kind: 'A', plural: 'as' } } },
    ['.spec.group', '.spec.names.kind', '.spec.names.plural'],
  ],
  ['apps/v1', 'ControllerRevision', { data: { a: { b: 1 } }, revision: 1 }, ['.data', '.revision']],
])('%s %s: who creates it owns what an empty one has not', (apiVersion, kind, object, expected) => {
  const owned = [...paths(added(shapeOf(apiVersion, kind), object))].map(pathText);
  expect(owned.filter((path) => !path.includes('['))).toEqual(expected);
});

it('large objects are compared each time, and an item without a key is refused each time', () => {
  const large = named('a', { labels: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`l${at}`, 'x'])) });
  expect(added(pod, large)).not.toBe(added(pod, large));
  expect(added(pod, large)).toEqual(compared(pod, large));
  for (let times = 0; times < 2; times += 1) expect(() => added(pod, container({ env: [{}] }))).toThrow(BadItem);
});
