// Tests what a Job may say with completionMode, when it is created and later.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({ without: ['job-controller'] });
});
afterAll(() => server.close());

const { create, read, send } = sendingTo(() => server);
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const job = (name: string, spec: object) => ({
  metadata: { name },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }, ...spec },
});
const indexed = (more: object) => ({ completionMode: 'Indexed', ...more });
const long = 'j'.repeat(61);

it.each<[string, object, string[]]>([
  ['a', indexed({ completions: 4, parallelism: 100_000 }), []],
  ['a', indexed({ completions: 0 }), []],
  ['a', { completionMode: 'NonIndexed' }, []],
  [long, indexed({ completions: 10 }), []],
  [long, { completions: 11 }, []],
  ['a.b', { completions: 1 }, []],
  ['a', { completionMode: 'Ordered' }, ['spec.completionMode: Unsupported value: "Ordered"']],
  ['a', indexed({ parallelism: 2 }), ['spec.completions: Required value: when completion mode is Indexed']],
  [
    'a',
    indexed({ completions: 4, parallelism: 100_001 }),
    ['spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed'],
  ],
  [
    long,
    indexed({ completions: 11 }),
    [`metadata.name: Invalid value: "${long}": will not able to create pod with invalid DNS label: ${long}-10`],
  ],
  [
    'a.b',
    indexed({ completions: 1 }),
    ['metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-0'],
  ],
])('the Job %s with %j', async (name, spec, problems) => {
  const { status, body } = await create(`${jobs}?dryRun=All`, job(name, spec));
  expect([status, status === 200 ? undefined : body.message]).toEqual(
    problems.length === 0 ? [200, undefined] : [422, expect.stringContaining(problems.join())],
  );
});

it.each<[object, object, number]>([
  [indexed({ completions: 4 }), { completions: 3, parallelism: 3 }, 200],
  [indexed({ completions: 4 }), { completions: 3 }, 422],
  [{ completions: 4 }, { completions: 3, parallelism: 3 }, 422],
  [{ completions: 4 }, { completionMode: 'Indexed' }, 422],
  [indexed({ completions: 4 }), { completionMode: 'NonIndexed' }, 422],
])('the Job with %j is changed to %j: %i', async (before, after, status) => {
  const { body } = await create(jobs, job('changed', before));
  expect(body.metadata.name).toBe('changed');
  const there = await read(`${jobs}/changed`);
  // The controller writes the status meanwhile, so the version is left out.
  const metadata = { ...there.metadata, resourceVersion: undefined };
  const changed = await send('PUT', `${jobs}/changed`, { ...there, metadata, spec: { ...there.spec, ...after } });
  await send('DELETE', `${jobs}/changed`);
  expect(changed.status).toBe(status);
});
