// Integers beyond 2⁵³ where the server counts or calculates: objects go on to be deleted, and no controller fails.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { AnyShape } from '../testing/anyShape.js';
import { type ControlledServer, startControlled } from './testing/controlled.js';
import { sendExactly } from './testing/exactRequests.js';
import { kindSamples } from './testing/kindSamples.js';

const longest = 2n ** 63n - 1n;
const core = '/api/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';

let server: ControlledServer;
let log = '';
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    log += text;
    return true;
  });
  server = await startControlled();
});
afterAll(async () => {
  await server.server.close();
  vi.restoreAllMocks();
});
afterEach(() => {
  expect(log).not.toContain('internal error');
  log = '';
});

const send = (method: string, path: string, body?: unknown) => sendExactly(server.server, method, path, body);
const made = async (path: string, body: AnyShape) => {
  const { status, text } = await send('POST', path, body);
  expect([status, text]).toEqual([expect.toBeOneOf([200, 201]), text]);
};

/** Those whose smallest object this version, or this name, does not allow. */
const others = ['apiservices', 'horizontalpodautoscalers'];
const kinds = Object.entries(kindSamples).flatMap(([path, { smallest }]) =>
  smallest === undefined || others.includes(path.split('/').at(-1) ?? '') ? [] : [[path, smallest] as const],
);
it.each(kinds)('an object whose generation a client chose is deleted: %s', async (path, smallest) => {
  await made(path, { ...smallest, metadata: { ...smallest.metadata, name: 'long', generation: longest } });
  expect((await send('DELETE', `${path}/long`)).status).toBe(200);
});

it('a generation is counted exactly, and after the last comes the first', async () => {
  const path = `${core}/configmaps/counted`;
  for (const [generation, next] of [
    [2n ** 53n, 2n ** 53n + 1n],
    [longest, -(2n ** 63n)],
  ]) {
    await made(`${core}/configmaps`, { metadata: { name: 'counted', generation, finalizers: ['example.com/f'] } });
    expect((await send('DELETE', path)).body.metadata.generation).toBe(next);
    await send('PUT', path, { metadata: { name: 'counted' } });
  }
});

it('a CronJob whose jobs may start ever so late starts them', async () => {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
  const jobTemplate = { spec: { template: { spec } } };
  await made(`${batch}/cronjobs`, {
    metadata: { name: 'late' },
    spec: { schedule: '* * * * *', startingDeadlineSeconds: longest, jobTemplate },
  });
  await server.controls.settled();
  await server.controls.clock.advance(61_000);
  expect((await send('GET', `${batch}/jobs`)).body.items).toHaveLength(1);
});

it('a pod that tolerates a taint for ever so long stays', async () => {
  const pod = (name: string, more: object) => ({
    metadata: { name },
    spec: { nodeName: 'tainted', containers: [{ name: 'c', image: 'i' }], ...more },
  });
  await made('/api/v1/nodes', { metadata: { name: 'tainted' }, spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } });
  const tolerations = [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: longest }];
  await made(`${core}/pods`, pod('stays', { tolerations }));
  await made(`${core}/pods`, pod('goes', {}));
  const goes = async () => (await send('GET', `${core}/pods/goes`)).body.metadata.deletionTimestamp;
  await expect.poll(goes).toBeDefined();
  expect((await send('GET', `${core}/pods/stays`)).body.metadata.deletionTimestamp).toBeUndefined();
});
