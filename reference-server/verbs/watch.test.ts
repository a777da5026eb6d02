// Tests watches: the initial state, changes, selectors, and the end.
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import { type Direct, startDirect } from '../testing/direct.js';

const maps = '/api/v1/namespaces/default/configmaps';
let server: Direct;

beforeEach(async () => {
  const bookmarkTiming = { periodMillis: 20, beforeEndMillis: 900 };
  server = await startDirect(new MemoryStorage({ history: 50 }), { bookmarkTiming });
  return server.stop;
});

const put = async (name: string, labels: Record<string, string> = {}, data = {}) => {
  const body = { metadata: { name, labels }, data };
  const replaced = await server.call('PUT', `${maps}/${name}`, { body });
  return replaced.status === 404 ? (await server.call('POST', maps, { body })).body : replaced.body;
};
const remove = (name: string) => server.call('DELETE', `${maps}/${name}`);
const merge = async (name: string, body: object) =>
  (await server.call('PATCH', `${maps}/${name}`, { body, mediaType: 'application/merge-patch+json' })).body;
const newest = async () => (await server.call('GET', maps)).body.metadata.resourceVersion;
type Events = Awaited<ReturnType<Direct['watch']>>;
const seen = (events: Events) => events.map(({ type, object }) => `${type} ${object.metadata.name}`);

test.each([maps, '/api/v1/watch/configmaps', '/api/v1/watch/namespaces/default/configmaps', '/api/v1/configmaps'])(
  '%s without a revision: existing objects, then every change',
  async (path) => {
    await put('a');
    await put('b');
    const watching = await server.open(`${path}?watch=true`);
    await watching.until(2);
    await put('a', {}, { k: 'v' });
    await remove('b');
    await put('c');
    await watching.until(5);
    const got = await watching.stop();
    expect(seen(got)).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b', 'ADDED c']);
    expect(got[0]?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  },
);

test('from a revision: exactly the later changes', async () => {
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

test('what is deleted at once is shown in its last state, without the marks of its deletion', async () => {
  await put('a', {}, { k: 'v' });
  const before = await newest();
  await remove('a');
  const [event] = await server.watch(`${maps}?watch=1&resourceVersion=${before}`, 1);
  expect(event?.object).toMatchObject({ data: { k: 'v' } });
  expect(Object.keys(event?.object.metadata ?? {}).filter((name) => name.startsWith('deletion'))).toEqual([]);
});

test('an object whose last finalizer an update takes is shown as it was stored, and answered as it is updated', async () => {
  await put('a', {}, { k: 'v' });
  await merge('a', { metadata: { finalizers: ['example.com/a'] } });
  await remove('a');
  const before = await newest();
  const answer = await merge('a', { metadata: { finalizers: null, labels: { last: 'yes' } } });
  expect(answer.metadata.finalizers).toBeUndefined();
  expect(answer.metadata).toMatchObject({ labels: { last: 'yes' }, resourceVersion: before });
  const [event] = await server.watch(`${maps}?watch=1&resourceVersion=${before}`, 1);
  expect(event).toMatchObject({ type: 'DELETED', object: { metadata: { finalizers: ['example.com/a'] } } });
  expect(event?.object.metadata.labels?.last).toBeUndefined();
});

test('an object that begins to match is ADDED, and one that stops is DELETED in its last matching state', async () => {
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

test('of one object, by its path and by its field', async () => {
  await put('a');
  await put('b');
  for (const path of [
    `/api/v1/watch/namespaces/default/configmaps/b?x=1`,
    `${maps}?watch=1&fieldSelector=metadata.name%3Db`,
  ]) {
    expect(seen(await server.watch(path, 1))).toEqual(['ADDED b']);
  }
});

test('a shared object is watched in both versions', async () => {
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

describe('bookmarks', () => {
  const versionOf = (event: Events[number] | undefined) => event?.object.metadata.resourceVersion;

  test('are sent on request, with the revision of the last sent change', async () => {
    const revision = await newest();
    const watching = await server.open(`${maps}?watch=1&allowWatchBookmarks=true&resourceVersion=${revision}`);
    await watching.until(1);
    expect(watching.events[0]).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: revision, creationTimestamp: null },
      },
    });
    await put('a');
    // A change of another resource moves the bookmark too.
    await server.create('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    const last = String(Number(revision) + 2);
    for (let count = 2; versionOf(watching.events.at(-1)) !== last; count++) await watching.until(count);
    const events = await watching.stop();
    const revisions = events.map((event) => Number(versionOf(event)));
    expect(revisions).toEqual([...revisions].sort((one, other) => one - other));
    expect(seen(events).filter((line) => !line.startsWith('BOOKMARK'))).toEqual(['ADDED a']);
  });

  test('are sent shortly before the end, in the watched version', async () => {
    const own = await startDirect(new MemoryStorage(), {
      bookmarkTiming: { periodMillis: 60_000, beforeEndMillis: 900 },
    });
    const autoscalers = '/apis/extensions/v1beta1/watch/horizontalpodautoscalers';
    const events = await own.watch(`${autoscalers}?timeoutSeconds=1&allowWatchBookmarks=true`, 9);
    expect(events).toMatchObject([{ type: 'BOOKMARK', object: { apiVersion: 'extensions/v1beta1' } }]);
    await own.stop();
  });

  test('are not sent without a request, or at a future revision', async () => {
    const future = Number(await newest()) + 5;
    expect(await server.watch(`${maps}?watch=1&timeoutSeconds=1`, 1)).toEqual([]);
    const path = `${maps}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=${future}`;
    expect(await server.watch(path, 1)).toEqual([]);
  });
});

describe('sendInitialEvents', () => {
  const options = 'watch=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

  test('true: existing objects, a bookmark, then changes', async () => {
    await put('a');
    const revision = await newest();
    const watching = await server.open(`${maps}?${options}&sendInitialEvents=true&resourceVersion=${revision}`);
    await watching.until(2);
    await put('b');
    for (let count = 3; !seen(watching.events).includes('ADDED b'); count++) await watching.until(count);
    const [first, end, ...later] = await watching.stop();
    expect(first).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    expect(end).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: revision, annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    expect(seen(later.filter(({ type }) => type !== 'BOOKMARK'))).toEqual(['ADDED b']);
    expect(JSON.stringify(later)).not.toContain('initial-events-end');
  });

  test('true without bookmarks: existing objects, then changes', async () => {
    await put('a');
    const watching = await server.open(`${maps}?watch=1&resourceVersionMatch=NotOlderThan&sendInitialEvents=true`);
    await watching.until(1);
    await put('b');
    await watching.until(2);
    expect(seen(await watching.stop())).toEqual(['ADDED a', 'ADDED b']);
  });

  test('true with a future revision ends with an ERROR event', async () => {
    const [event] = await server.watch(`${maps}?${options}&sendInitialEvents=true&resourceVersion=99999`, 1);
    expect(event).toMatchObject({ type: 'ERROR', object: { code: 504, reason: 'Timeout' } });
  });

  test.each(['', '&resourceVersion=0'])('false%s: only later changes', async (version) => {
    await put('a');
    const watching = await server.open(`${maps}?${options}&sendInitialEvents=false${version}`);
    await watching.until(1);
    await put('b');
    for (let count = 2; !seen(watching.events).includes('ADDED b'); count++) await watching.until(count);
    const events = await watching.stop();
    expect(seen(events.filter(({ type }) => type !== 'BOOKMARK'))).toEqual(['ADDED b']);
  });
});

test('from a future revision: the later changes', async () => {
  const watching = await server.open(`${maps}?watch=1&resourceVersion=${Number(await newest()) + 2}`);
  for (const name of ['a', 'b', 'c']) await put(name);
  await watching.until(1);
  await put('d');
  await watching.until(2);
  expect(seen(await watching.stop())).toEqual(['ADDED c', 'ADDED d']);
});

test('changes of other objects do not make a watch too slow', async () => {
  const watching = await server.open(`${maps}?watch=1&labelSelector=app%3Dx&resourceVersion=${await newest()}`);
  for (let index = 0; index < 200; index++) {
    await put('other', {}, { index: String(index) });
    await new Promise(setImmediate);
  }
  await put('a', { app: 'x' });
  await watching.until(1);
  expect(seen(await watching.stop())).toEqual(['ADDED a']);
});

describe('ends', () => {
  const watchers = () => server.cluster.watchCache.users;

  test('without leaving listeners', async () => {
    const all = await Promise.all([1, 2, 3].map(() => server.open(`${maps}?watch=1`)));
    expect(watchers()).toBe(3);
    await put('a');
    for (const watching of all) await watching.until(1);
    for (const watching of all) await watching.stop();
    expect(watchers()).toBe(0);
  });

  test('at once with a timeout of 0', async () => {
    await put('a');
    expect(await server.watch(`${maps}?watch=1&timeoutSeconds=-1`, 1)).toEqual([]);
  });

  test('after its timeout', async () => {
    expect(await server.watch(`${maps}?watch=1&timeoutSeconds=1&resourceVersion=${await newest()}`, 1)).toEqual([]);
  });

  test('with its client', async () => {
    const client = new AbortController();
    setTimeout(() => client.abort(), 10);
    expect(await server.watch(`${maps}?watch=1`, 1, client.signal)).toEqual([]);
  });

  test('with 410 if the revision is too old', async () => {
    const revision = await newest();
    for (let index = 0; index < 80; index++) await put('a', {}, { index: String(index) });
    const [event] = await server.watch(`${maps}?watch=1&resourceVersion=${revision}`, 1);
    expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
  });
});

test.each([
  ['resourceVersion=abc', 400],
  ['resourceVersion=-1', 400],
  ['timeoutSeconds=abc', 400],
  ['labelSelector=,,', 400],
  ['fieldSelector=spec.nope%3D1', 400],
  ['resourceVersionMatch=NotOlderThan&resourceVersion=1', 422],
  ['resourceVersionMatch=Exact&sendInitialEvents=true', 422],
  ['sendInitialEvents=true', 422],
  ['sendInitialEvents=false', 422],
  ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x', 422],
])('?watch=true&%s is %i', async (query, status) => {
  expect((await server.call('GET', `${maps}?watch=true&${query}`)).status).toBe(status);
});

test.each([
  ['metadata.name%3Db', 400],
  ['metadata.namespace%3Ddefault', 400],
])('of one object, with the field selector %s is %i', async (selector, status) => {
  const path = `/api/v1/watch/namespaces/default/configmaps/a?fieldSelector=${selector}`;
  const { status: got, body } = await server.call('GET', path);
  expect([got, body.message]).toEqual([status, "fieldSelector metadata.name doesn't match requested name"]);
});
