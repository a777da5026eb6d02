// Tests the cells of pods: the status in one word, what is ready, and restarts.
import { describe, expect, it } from 'vitest';
import { podColumns } from './pods.js';

const now = Date.parse('2026-01-01T01:00:00Z');
const running = { running: {} };
const waiting = (reason: string) => ({ waiting: { reason } });
const ended = (exitCode: number, more: object = {}) => ({
  terminated: { exitCode, finishedAt: '2026-01-01T00:55:00Z', ...more },
});
const two = { containers: [{ name: 'a' }, { name: 'b' }] };
const withInit = { ...two, initContainers: [{ name: 'i' }, { name: 'j' }] };
const sidecar = { ...two, initContainers: [{ name: 'i', restartPolicy: 'Always' }] };

const row = (spec: object, status: object, metadata: object = {}) => {
  const cells = podColumns.cells({ metadata: { name: 'p', ...metadata }, spec, status }, now);
  return Object.fromEntries(podColumns.definitions.map(({ name }, index) => [name, cells[index]]));
};
const seen = (spec: object, status: object, metadata?: object) => {
  const { Ready, Status, Restarts } = row(spec, status, metadata);
  return `${Ready} ${Status} ${Restarts}`;
};
const containers = (...states: readonly object[]) => ({
  phase: 'Running',
  containerStatuses: states.map((state, index) => ({ restartCount: index, ...state })),
});
const ready = { ready: true, state: running };

describe('a pod shows', () => {
  it.each([
    ['its phase', two, { phase: 'Pending' }, '0/2 Pending 0'],
    ['its reason', two, { phase: 'Failed', reason: 'Evicted' }, '0/2 Evicted 0'],
    ['what is ready', two, containers(ready, ready), '2/2 Running 1'],
    ['the reason of a wait', two, containers(ready, { state: waiting('CrashLoopBackOff') }), '1/2 CrashLoopBackOff 1'],
    ['the reason of an end', two, containers(ready, { state: ended(1, { reason: 'Error' }) }), '1/2 Error 1'],
    ['an exit code', two, containers(ready, { state: ended(3) }), '1/2 ExitCode:3 1'],
    ['a signal', two, containers(ready, { state: ended(0, { signal: 9 }) }), '1/2 Signal:9 1'],
    ['one that is done', two, containers({ state: ended(0, { reason: 'Completed' }) }, ready), '1/2 NotReady 1'],
    [
      'one that is done in a ready pod',
      two,
      {
        ...containers({ state: ended(0, { reason: 'Completed' }) }, ready),
        conditions: [{ type: 'Ready', status: 'True' }],
      },
      '1/2 Running 1',
    ],
    [
      'the time since a restart',
      two,
      containers(ready, { ...ready, restartCount: 2, lastState: ended(1) }),
      '2/2 Running 2 (5m ago)',
    ],
    [
      'a gate of the scheduler',
      two,
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
      '0/2 SchedulingGated 0',
    ],
    ['nothing, as in a bookmark', {}, {}, '0/0  0'],
  ])('%s', (_, spec, status, expected) => expect(seen(spec, status)).toBe(expected));
});

describe('init containers', () => {
  it.each([
    ['run', withInit, [{ name: 'i', state: running }, { name: 'j' }], '0/2 Init:0/2 0'],
    ['are prepared', withInit, [{ name: 'i', state: waiting('PodInitializing') }], '0/2 Init:0/2 0'],
    ['are done in part', withInit, [{ name: 'i', state: ended(0) }, { name: 'j' }], '0/2 Init:1/2 0'],
    ['wait', withInit, [{ name: 'i', restartCount: 4, state: waiting('ErrImagePull') }], '0/2 Init:ErrImagePull 4'],
    ['fail', withInit, [{ name: 'i', state: ended(1, { reason: 'Error' }) }], '0/2 Init:Error 0'],
    ['fail without a reason', withInit, [{ name: 'i', state: ended(2) }], '0/2 Init:ExitCode:2 0'],
    ['die by a signal', withInit, [{ name: 'i', state: ended(2, { signal: 11 }) }], '0/2 Init:Signal:11 0'],
    [
      'are done',
      withInit,
      [
        { name: 'i', state: ended(0) },
        { name: 'j', state: ended(0) },
      ],
      '0/2 Pending 0',
    ],
    [
      'keep running',
      sidecar,
      [{ name: 'i', ready: true, started: true, restartCount: 1, state: running }],
      '1/3 Pending 1',
    ],
  ])('%s', (_, spec, initContainerStatuses, expected) => {
    expect(seen(spec, { phase: 'Pending', initContainerStatuses })).toBe(expected);
  });
});

it('a pod that is being deleted says so, unless it has ended or its node is lost', () => {
  const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  expect(seen(two, containers(ready, ready), deleted)).toBe('2/2 Terminating 1');
  expect(seen(two, { phase: 'Succeeded' }, deleted)).toBe('0/2 Succeeded 0');
  expect(seen(two, { phase: 'Running', reason: 'NodeLost' }, deleted)).toBe('0/2 Unknown 0');
});

it('the wide columns', () => {
  const gates = [{ conditionType: 'a' }, { conditionType: 'b' }];
  const conditions = [
    { type: 'a', status: 'True' },
    { type: 'b', status: 'False' },
  ];
  expect(
    row({ nodeName: 'n', readinessGates: gates }, { podIP: '10.1.1.1', nominatedNodeName: 'm', conditions }),
  ).toMatchObject({ IP: '10.1.1.1', Node: 'n', 'Nominated Node': 'm', 'Readiness Gates': '1/2' });
  expect(row({}, {})).toMatchObject({
    IP: '<none>',
    Node: '<none>',
    'Nominated Node': '<none>',
    'Readiness Gates': '<none>',
  });
  expect(podColumns.definitions.filter(({ priority }) => priority === 1).map(({ name }) => name)).toEqual([
    'IP',
    'Node',
    'Nominated Node',
    'Readiness Gates',
  ]);
});

it('a pod that has ended has a condition', () => {
  const conditions = (phase: string) => podColumns.conditions?.({ metadata: {}, status: { phase } }) ?? [];
  expect(conditions('Succeeded')).toMatchObject([{ type: 'Completed', status: 'True', reason: 'Succeeded' }]);
  expect(conditions('Failed')).toMatchObject([{ type: 'Completed', status: 'True', reason: 'Failed' }]);
  expect([conditions('Running'), conditions('toString'), conditions('')]).toEqual([[], [], []]);
});
