// What a status of a job may become, as kube-apiserver 1.36 says. `AGAINST` names a real one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { sendingTo } from '../../../testing/sending.js';
import { realServerOr } from '../../testing/customResources.js';

const place = '/apis/batch/v1/namespaces/default/jobs';
let server: RunningServer;
const { send, create } = sendingTo(() => server);
beforeAll(async () => {
  server = await realServerOr({ without: ['service-account-admission'] });
});
afterAll(() => server.close());

const start = '2026-01-02T03:04:05Z';
const end = '2026-01-02T03:05:05Z';
const set = (...types: readonly string[]): AnyShape => ({
  conditions: types.map((type) => ({ type, status: 'True' })),
});
const complete = { ...set('SuccessCriteriaMet', 'Complete'), startTime: start, completionTime: end };
const failed = { ...set('FailureTarget', 'Failed'), startTime: start };
/** A manager of its own keeps the controller away. */
const plain = { managedBy: 'example.com/m' };
const indexed = { ...plain, completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1 };

it.each<[AnyShape, AnyShape, AnyShape, readonly string[]]>([
  [plain, {}, complete, []],
  [plain, {}, failed, []],
  [plain, {}, { ready: 2, active: 1 }, ['ready: Invalid value: 2: cannot set more ready pods than active']],
  [plain, { failed: 2 }, { failed: 1 }, ['failed: Invalid value: 1: cannot decrease the failed counter']],
  [plain, { succeeded: 2 }, { succeeded: 1 }, ['succeeded: Invalid value: 1: cannot decrease the succeeded counter']],
  [
    plain,
    {},
    { uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
    [
      'uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
      'uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
    ],
  ],
  [
    plain,
    {},
    { ...complete, ...set('Complete') },
    ['conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition'],
  ],
  [
    plain,
    {},
    { ...failed, ...set('Failed') },
    ['conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition'],
  ],
  [
    plain,
    {},
    { ...complete, ...set('Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet') },
    [
      'conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
      'conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
      'conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    ],
  ],
  [
    plain,
    failed,
    { startTime: start },
    [
      'conditions: Invalid value: cannot disable the terminal Failed=True condition',
      'conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
    ],
  ],
  [
    plain,
    {},
    { ...complete, startTime: end, completionTime: start },
    ['completionTime: Invalid value: "2026-01-02T03:04:05Z": must be equal to or after `startTime`'],
  ],
  [
    plain,
    {},
    { startTime: start, completionTime: end },
    ['completionTime: Invalid value: "2026-01-02T03:05:05Z": cannot set completionTime when there is no Complete=True'],
  ],
  [
    plain,
    {},
    set('SuccessCriteriaMet', 'Complete'),
    [
      'completionTime: Required value: completionTime is required for Complete jobs',
      'startTime: Required value: startTime is required for finished job',
    ],
  ],
  [
    plain,
    { startTime: start },
    { startTime: end },
    ['startTime: Invalid value: "2026-01-02T03:05:05Z": field is immutable for unsuspended job once set'],
  ],
  [
    plain,
    {},
    { ...failed, active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['a'] } },
    [
      'active: Invalid value: 1: active>0 is invalid for finished job',
      'terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      'uncountedTerminatedPods: Invalid value: {',
    ],
  ],
  [
    plain,
    {},
    { completedIndexes: '0', failedIndexes: '1' },
    [
      'completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
      'failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    ],
  ],
  [indexed, {}, { completedIndexes: '0-1', failedIndexes: '2' }, []],
  [
    indexed,
    {},
    { completedIndexes: '3', failedIndexes: 'x' },
    [
      'completedIndexes: Invalid value: "3": error parsing completedIndexes: too large index: "3"',
      'failedIndexes: Invalid value: "x": error parsing failedIndexes: cannot convert string to integer for index: "x"',
    ],
  ],
])('of %j, from %j to %j', async (spec, before, after, expected) => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const { body } = await create(place, { metadata: { generateName: 'status-' }, spec: { ...spec, template } });
  const path = `${place}/${body.metadata.name}`;
  const put = async (status: AnyShape) =>
    send('PUT', `${path}/status`, { ...body, metadata: { name: body.metadata.name }, status });
  expect((await put(before)).status).toBe(200);
  const answer = await put(after);
  const causes: { field: string; message: string }[] = answer.body.details?.causes ?? [];
  const texts = causes.map(({ field, message }) => `${field}: ${message}`.replace('status.', ''));
  const seen = texts.map((text) => expected.find((beginning) => text.startsWith(beginning)) ?? text);
  expect(seen.sort()).toEqual([...expected].sort());
  await send('DELETE', `${path}?propagationPolicy=Background`);
});
