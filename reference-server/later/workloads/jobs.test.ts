// Tests how Jobs end, and what their status says on the way: on servers of several ages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

const core = '/api/v1/namespaces/default';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const merge = 'application/merge-patch+json';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const pod = (restartPolicy = 'Never') => ({
  spec: { restartPolicy, containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 },
});
async function make(name: string, spec: object): Promise<AnyShape> {
  const { status, body } = await send('POST', jobs, { metadata: { name }, spec: { template: pod(), ...spec } });
  expect([status, body.message]).toEqual([expect.toSatisfy((code) => code < 300), undefined]);
  return body;
}
const podsOf = async (job: string): Promise<readonly AnyShape[]> =>
  (await read(`${core}/pods?labelSelector=job-name%3D${job}`)).items;
const indexOf = ({ metadata }: AnyShape) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
const isActive = ({ status, metadata }: AnyShape) =>
  !['Succeeded', 'Failed'].includes(status.phase) && metadata.deletionTimestamp === undefined;
const activePods = async (job: string) => (await podsOf(job)).filter(isActive);
const exit = (exitCode: number) => [{ name: 'c', state: { terminated: { exitCode } } }];

/** Ends an active pod, of an index if one is given. */
async function end(job: string, exitCode: number, index?: number, more: object = {}): Promise<void> {
  const found = async () =>
    (await activePods(job)).find((each) => index === undefined || indexOf(each) === String(index));
  await expect.poll(found).toBeDefined();
  const { metadata } = (await found()) as AnyShape;
  const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
  const status = { phase, containerStatuses: exit(exitCode), ...more };
  expect((await send('PATCH', `${core}/pods/${metadata.name}/status`, { status }, merge)).status).toBe(200);
}
const statusOf = async (job: string) => (await read(`${jobs}/${job}`)).status;
const conditionsOf = async (job: string) =>
  ((await statusOf(job)).conditions ?? []).map(({ type, status, reason }: AnyShape) => `${type} ${status} ${reason}`);
const failed = (reason: string) => [`FailureTarget True ${reason}`, `Failed True ${reason}`];
const complete = (reason: string) => [`SuccessCriteriaMet True ${reason}`, `Complete True ${reason}`];
const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };

interface Case {
  readonly spec: object;
  /** The exit code and the index of each pod that ends, and more of its status. */
  readonly ends: readonly (readonly [number, (number | undefined)?, object?])[];
  readonly conditions: readonly string[];
  readonly status: object;
}
const exitCodes = (action: string, values: readonly number[], operator = 'In') => ({
  rules: [{ action, onExitCodes: { containerName: 'c', operator, values } }],
});
const disrupted = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] };
const target = { conditions: [{ type: 'DisruptionTarget', status: 'True' }] };

it.each<[string, Case]>([
  [
    'enough-successes',
    {
      spec: { completions: 2, parallelism: 2 },
      ends: [[0], [0]],
      conditions: complete('CompletionsReached'),
      status: { succeeded: 2, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
    },
  ],
  [
    'any-success',
    {
      spec: { parallelism: 2 },
      ends: [[0], [0]],
      conditions: complete('CompletionsReached'),
      status: { succeeded: 2, completionTime: expect.any(String) },
    },
  ],
  [
    'too-many-failures',
    { spec: { backoffLimit: 1 }, ends: [[1], [1]], conditions: failed('BackoffLimitExceeded'), status: { failed: 2 } },
  ],
  [
    'fatal-exit',
    {
      spec: { podFailurePolicy: exitCodes('FailJob', [42]), parallelism: 2, completions: 2 },
      ends: [[42]],
      conditions: failed('PodFailurePolicy'),
      // The other pod is deleted, which counts.
      status: { failed: 2 },
    },
  ],
  [
    'other-exit',
    {
      spec: { podFailurePolicy: exitCodes('FailJob', [42], 'NotIn'), backoffLimit: 1 },
      ends: [[42], [41]],
      conditions: failed('PodFailurePolicy'),
      status: { failed: 2 },
    },
  ],
  [
    'ignored',
    {
      spec: { podFailurePolicy: disrupted, backoffLimit: 0 },
      ends: [[1, undefined, target], [1, undefined, target], [0]],
      conditions: complete('CompletionsReached'),
      status: { succeeded: 1 },
    },
  ],
  [
    'not-ignored',
    {
      spec: { podFailurePolicy: disrupted, backoffLimit: 0 },
      ends: [[1, undefined, target], [1]],
      conditions: failed('BackoffLimitExceeded'),
      status: { failed: 1 },
    },
  ],
  [
    'failed-index',
    {
      spec: { ...indexed, backoffLimitPerIndex: 1 },
      ends: [
        [0, 0],
        [1, 1],
        [1, 1],
        [0, 2],
      ],
      conditions: failed('FailedIndexes'),
      status: { completedIndexes: '0,2', failedIndexes: '1', failed: 2, succeeded: 2 },
    },
  ],
  [
    'index-of-policy',
    {
      spec: {
        ...indexed,
        backoffLimitPerIndex: 5,
        maxFailedIndexes: 0,
        podFailurePolicy: exitCodes('FailIndex', [3]),
      },
      ends: [
        [1, 1],
        [3, 1],
      ],
      conditions: failed('MaxFailedIndexesExceeded'),
      status: { failedIndexes: '1', failed: 4 },
    },
  ],
  [
    'leaders',
    {
      spec: { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2', succeededCount: 1 }] } },
      ends: [
        [0, 1],
        [0, 2],
      ],
      conditions: complete('SuccessPolicy'),
      status: { completedIndexes: '1,2', succeeded: 2 },
    },
  ],
])('the Job %s', async (name, { spec, ends, conditions, status }) => {
  await make(name, spec);
  for (const [exitCode, index, more] of ends) await end(name, exitCode, index, more);
  await expect.poll(() => conditionsOf(name)).toEqual(conditions);
  const { active, ...rest } = await statusOf(name);
  expect([active, rest]).toEqual([undefined, expect.objectContaining(status)]);
  expect(await activePods(name)).toEqual([]);
});

/** Gives a pod a node, without which it goes at once. */
async function bind(name: string): Promise<void> {
  const binding = { metadata: { name }, target: { kind: 'Node', name: 'none' } };
  expect((await send('POST', `${core}/pods/${name}/binding`, binding)).status).toBeLessThan(300);
}

it('a Job says why it fails before its last pod is gone', async () => {
  const template = pod();
  template.spec.terminationGracePeriodSeconds = 600;
  await make('slow', { template, backoffLimit: 0, parallelism: 2, completions: 2 });
  await expect.poll(async () => (await activePods('slow')).length).toBe(2);
  const [first, second] = await activePods('slow');
  await bind(second?.metadata.name);
  const status = { phase: 'Failed', containerStatuses: exit(1) };
  await send('PATCH', `${core}/pods/${first?.metadata.name}/status`, { status }, merge);
  await expect.poll(() => conditionsOf('slow')).toEqual(['FailureTarget True BackoffLimitExceeded']);
  await expect.poll(async () => (await statusOf('slow')).terminating).toBe(1);
  await send('DELETE', `${core}/pods/${second?.metadata.name}`, { gracePeriodSeconds: 0 });
  await expect.poll(() => conditionsOf('slow')).toEqual(failed('BackoffLimitExceeded'));
  expect(await statusOf('slow')).toMatchObject({ terminating: 0, failed: 2 });
});

it('a Job that is suspended has no pods, and begins anew later', async () => {
  await make('halting', { suspend: true });
  await expect.poll(() => conditionsOf('halting')).toEqual(['Suspended True JobSuspended']);
  expect((await statusOf('halting')).startTime).toBeUndefined();
  const suspend = (is: boolean) => send('PATCH', `${jobs}/halting`, { spec: { suspend: is } }, merge);
  await suspend(false);
  await expect.poll(() => conditionsOf('halting')).toEqual(['Suspended False JobResumed']);
  await expect.poll(async () => (await activePods('halting')).length).toBe(1);
  expect((await statusOf('halting')).startTime).toBeDefined();
  await suspend(true);
  await expect.poll(async () => (await activePods('halting')).length).toBe(0);
  await suspend(false);
  await end('halting', 0);
  await expect
    .poll(() => conditionsOf('halting'))
    .toEqual(['Suspended False JobResumed', ...complete('CompletionsReached')]);
  const { items } = await read(`${core}/events?fieldSelector=involvedObject.name%3Dhalting`);
  const reasons = new Set(items.map(({ reason }: AnyShape) => reason));
  for (const reason of ['Suspended', 'Resumed', 'SuccessfulCreate', 'SuccessfulDelete', 'Completed']) {
    expect(reasons).toContain(reason);
  }
});

it('a pod is replaced once it has ended, if a Job asks for that', async () => {
  const template = pod();
  template.spec.terminationGracePeriodSeconds = 600;
  for (const [name, podReplacementPolicy, most] of [
    ['at-once', 'TerminatingOrFailed', 2],
    ['in-turn', 'Failed', 1],
  ] as const) {
    await make(name, { template, podReplacementPolicy });
    await expect.poll(async () => (await activePods(name)).length).toBe(1);
    const [first] = await activePods(name);
    await bind(first?.metadata.name);
    await send('DELETE', `${core}/pods/${first?.metadata.name}`);
    await expect.poll(async () => (await statusOf(name)).terminating).toBe(1);
    await expect.poll(async () => (await podsOf(name)).length).toBe(most);
    await send('PATCH', `${core}/pods/${first?.metadata.name}/status`, { status: { phase: 'Failed' } }, merge);
    await expect.poll(async () => (await activePods(name)).length).toBe(1);
  }
});

describe('each pod counts once', () => {
  const finalizer = 'batch.kubernetes.io/job-tracking';
  const podOf = async (job: string) => {
    await expect.poll(async () => (await activePods(job)).length).toBe(1);
    return (await activePods(job))[0] as AnyShape;
  };
  const remove = (path: string, options: object = {}) => send('DELETE', path, { gracePeriodSeconds: 0, ...options });
  const removePod = async (job: string) => remove(`${core}/pods/${(await podOf(job)).metadata.name}`);
  const noPods = (job: string) => expect.poll(() => podsOf(job)).toEqual([]);

  it.each([
    ['failures', 1, { backoffLimit: 2 }, failed('BackoffLimitExceeded'), { failed: 3 }],
    ['successes', 0, { completions: 3, parallelism: 1 }, complete('CompletionsReached'), { succeeded: 3 }],
    [
      'failures-of-an-index',
      1,
      { completionMode: 'Indexed', completions: 1, backoffLimitPerIndex: 2 },
      failed('FailedIndexes'),
      { failed: 3, failedIndexes: '0' },
    ],
  ])('also %s that are deleted', async (name, exitCode, spec, conditions, status) => {
    await make(name, spec);
    for (let count = 0; count < 3; count += 1) {
      const { metadata } = await podOf(name);
      expect(metadata.finalizers).toEqual([finalizer]);
      await end(name, exitCode);
      await remove(`${core}/pods/${metadata.name}`);
    }
    await expect.poll(() => conditionsOf(name)).toEqual(conditions);
    expect(await statusOf(name)).toMatchObject({ ...status, uncountedTerminatedPods: {} });
    await noPods(name);
  });

  it('one that is deleted while it runs has failed', async () => {
    await make('deleted', { backoffLimit: 1 });
    await removePod('deleted');
    await expect.poll(async () => (await statusOf('deleted')).failed).toBe(1);
    await removePod('deleted');
    await expect.poll(() => conditionsOf('deleted')).toEqual(failed('BackoffLimitExceeded'));
    expect((await statusOf('deleted')).failed).toBe(2);
    await noPods('deleted');
  });

  it('those that a Job does not want any more count for nothing', async () => {
    await make('fewer', { parallelism: 3, completions: 5 });
    const change = (spec: object) => send('PATCH', `${jobs}/fewer`, { spec }, merge);
    await expect.poll(async () => (await activePods('fewer')).length).toBe(3);
    await change({ parallelism: 1 });
    await expect.poll(async () => (await podsOf('fewer')).length).toBe(1);
    await change({ suspend: true });
    await noPods('fewer');
    expect((await statusOf('fewer')).failed).toBeUndefined();
  });

  it.each(['Background', 'Foreground'])('a Job that is deleted in the %s takes its pods with it', async (policy) => {
    const name = policy.toLowerCase();
    await make(name, { parallelism: 2, completions: 2 });
    await expect.poll(async () => (await activePods(name)).length).toBe(2);
    await remove(`${jobs}/${name}`, { propagationPolicy: policy });
    await noPods(name);
    await expect.poll(async () => (await send('GET', `${jobs}/${name}`)).status).toBe(404);
  });

  it('pods that lose their Job lose its finalizer', async () => {
    const finalizersOf = async (name: string) => (await read(`${core}/pods/${name}`)).metadata.finalizers;
    await make('leaving', {});
    const orphan = (await podOf('leaving')).metadata.name;
    await remove(`${jobs}/leaving`, { propagationPolicy: 'Orphan' });
    await expect.poll(() => finalizersOf(orphan)).toBeUndefined();
    await make('releasing', {});
    const released = (await podOf('releasing')).metadata.name;
    const labels = { 'job-name': 'other', 'batch.kubernetes.io/job-name': 'other' };
    const uid = { 'batch.kubernetes.io/controller-uid': 'other', 'controller-uid': 'other' };
    await send('PATCH', `${core}/pods/${released}`, { metadata: { labels: { ...labels, ...uid } } }, merge);
    await expect.poll(() => finalizersOf(released)).toBeUndefined();
    expect((await podOf('releasing')).metadata.finalizers).toEqual([finalizer]);
  });
});

it('a Job of another controller is left to it', async () => {
  await make('foreign', { managedBy: 'example.com/controller' });
  await make('own', {});
  await expect.poll(async () => (await activePods('own')).length).toBe(1);
  expect([await podsOf('foreign'), await statusOf('foreign')]).toEqual([[], {}]);
});

describe('an earlier server', () => {
  let earlier: RunningServer;
  beforeAll(async () => {
    earlier = await startFullServer({ kubeVersion: '1.20' });
  });
  afterAll(() => earlier.close());

  it('has neither the conditions nor the fields that came later', async () => {
    const { send, read } = sendingTo(() => earlier);
    await send('POST', jobs, { metadata: { name: 'j' }, spec: { template: pod() } });
    const pods = async (): Promise<readonly AnyShape[]> => (await read(`${core}/pods`)).items;
    await expect.poll(async () => (await pods()).length).toBe(1);
    const [{ metadata }] = (await pods()) as [AnyShape];
    expect(metadata.finalizers).toBeUndefined();
    await send('PATCH', `${core}/pods/${metadata.name}/status`, { status: { phase: 'Succeeded' } }, merge);
    await expect.poll(async () => (await read(`${jobs}/j`)).status.completionTime).toBeDefined();
    const { status } = await read(`${jobs}/j`);
    expect(status.conditions).toEqual([
      {
        type: 'Complete',
        status: 'True',
        lastProbeTime: status.completionTime,
        lastTransitionTime: status.completionTime,
      },
    ]);
    expect(Object.keys(status).sort()).toEqual(['completionTime', 'conditions', 'startTime', 'succeeded']);
  });
});
