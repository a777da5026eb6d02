// Watches: what is there, what changes, what is selected, and when it ends.
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import { type Direct, startDirect } from '../testing/direct.js';

const maps = '/api/v1/namespaces/default/configmaps';
let server: Direct;

beforeEach(async () => {
  server = await startDirect(new MemoryStorage({ history: 50 }));
  return server.stop;
});

const put = async (name: string, labels: Record<string, string> = {}, data = {}) => {
  const body = { metadata: { name, labels }, data };
  const replaced = await server.call('PUT', `${maps}/${name}`, { body });
  return replaced.status === 404 ? (await server.call('POST', maps, { body })).body : replaced.body;
};
const remove = (name: string) => server.call('DELETE', `${maps}/${name}`);
const newest = async () => (await server.call('GET', maps)).body.metadata.resourceVersion;
type Events = Awaited<ReturnType<Direct['watch']>>;
const seen = (events: Events) => events.map(({ type, object }) => `${type} ${object.metadata.name}`);

test.each([maps, '/api/v1/watch/configmaps', '/api/v1/watch/namespaces/default/configmaps', '/api/v1/configmaps'])(
  '%s without a revision: what is there, then every change',
  async (path) => {
    await put('a');
    await put('b');
    const events = server.watch(`${path}?watch=true`, 5);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await put('a', {}, { k: 'v' });
    await remove('b');
    await put('c');
    const got = await events;
    expect(seen(got)).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b', 'ADDED c']);
    expect(got[0]?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  },
);

test('from a revision: exactly the changes after it', async () => {
  await put('a');
  const revision = await newest();
  await put('b');
  await put('a', { x: '1' });
  await remove('a');
  const got = await server.watch(`${maps}?watch=1&resourceVersion=${revision}`, 3);
  expect(seen(got)).toEqual(['ADDED b', 'MODIFIED a', 'DELETED a']);
  const revisions = got.map(({ object }) => Number(object.metadata.resourceVersion));
  expect(revisions).toEqual([1, 2, 3].map((step) => Number(revision) + step));
});

test('what starts to match is added, what stops is deleted as it was, at the revision of the change', async () => {
  const revision = await newest();
  await put('a', { app: 'x' });
  await put('a', { app: 'y' });
  const left = await newest();
  await put('a', { app: 'x' });
  await put('other', { app: 'y' });
  await put('a', { app: 'x' }, { k: 'v' });
  const got = await server.watch(`${maps}?watch=1&labelSelector=app%3Dx&resourceVersion=${revision}`, 4);
  expect(seen(got)).toEqual(['ADDED a', 'DELETED a', 'ADDED a', 'MODIFIED a']);
  expect(got[1]?.object.metadata).toMatchObject({ resourceVersion: left, labels: { app: 'x' } });
});

test('of one object, and of one by its field', async () => {
  await put('a');
  await put('b');
  for (const path of [
    `/api/v1/watch/namespaces/default/configmaps/b?x=1`,
    `${maps}?watch=1&fieldSelector=metadata.name%3Db`,
  ]) {
    expect(seen(await server.watch(path, 1))).toEqual(['ADDED b']);
  }
});

test('both versions of a shared object are watched, each in its own form', async () => {
  const body = { metadata: { name: 'h' }, spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } } };
  await server.call('POST', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', { body });
  const at = (group: string) => server.watch(`/apis/${group}/watch/horizontalpodautoscalers`, 1);
  const [[stored], [other]] = await Promise.all([at('autoscaling/v1'), at('extensions/v1beta1')]);
  expect(stored?.object.spec.scaleTargetRef).toEqual({ kind: 'Deployment', name: 'd' });
  expect(other?.object).toMatchObject({
    apiVersion: 'extensions/v1beta1',
    spec: { scaleRef: { kind: 'Deployment', name: 'd', subresource: 'scale' } },
  });
});

describe('ends', () => {
  test('when its time is up', async () => {
    const start = Date.now();
    expect(await server.watch(`${maps}?watch=1&timeoutSeconds=1&resourceVersion=${await newest()}`, 1)).toEqual([]);
    expect(Date.now() - start).toBeLessThan(2000);
  });

  test('with its client', async () => {
    const client = new AbortController();
    setTimeout(() => client.abort(), 10);
    expect(await server.watch(`${maps}?watch=1`, 1, client.signal)).toEqual([]);
  });

  test('with 410 when the revision is too old', async () => {
    const revision = await newest();
    for (let index = 0; index < 80; index++) await put('a', {}, { index: String(index) });
    const [event] = await server.watch(`${maps}?watch=1&resourceVersion=${revision}`, 1);
    expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
  });
});

test.each([
  ['resourceVersion=abc', 400],
  ['timeoutSeconds=abc', 400],
  ['labelSelector=,,', 400],
  ['fieldSelector=spec.nope%3D1', 400],
])('?watch=true&%s is %i', async (query, status) => {
  expect((await server.call('GET', `${maps}?watch=true&${query}`)).status).toBe(status);
});
