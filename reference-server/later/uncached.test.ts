// What clients see without a watch cache, as kube-apiserver 1.20.2 with --watch-cache=false shows it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ControlledServer, OpenWatch, startControlled } from './testing/controlled.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

let servers: Readonly<Record<'cached' | 'uncached', ControlledServer>>;
beforeAll(async () => {
  const without = ['root-ca-configmap'];
  servers = {
    cached: await startControlled({ without }),
    uncached: await startControlled({ watchCache: false, without }),
  };
  for (const { controls } of Object.values(servers))
    await controls.load(['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })));
});
afterAll(() => Promise.all(Object.values(servers).map(({ server }) => server.close())));

it.each([
  ['cached', true],
  ['uncached', false],
] as const)('%s: bookmarks from time to time: %s', async (name, marks) => {
  const { controls } = servers[name];
  const watch = new OpenWatch(servers[name], `${configMaps}?watch=true&allowWatchBookmarks=true&timeoutSeconds=600`);
  await controls.requests.waitFor({ verb: 'watch' });
  await controls.clock.advance(700_000);
  await watch.ended;
  // Each watch has one that marks the end of the state with which it begins.
  const isTimed = ({ type, object }: (typeof watch.events)[number]) =>
    type === 'BOOKMARK' && !object.metadata.annotations;
  expect(watch.events.some(isTimed)).toBe(marks);
  expect(watch.events.slice(0, 2).map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
    'ADDED a',
    'ADDED b',
  ]);
});

it('ends initial events with a bookmark', async () => {
  const query = 'watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
  const watch = new OpenWatch(servers.uncached, `${configMaps}?${query}&timeoutSeconds=1`);
  await watch.ended;
  expect(watch.events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
});

it.each([
  ['cached', 1],
  ['uncached', undefined],
] as const)('%s: the time to retry for a future version: %s', async (name, seconds) => {
  for (const path of [configMaps, `${configMaps}/a`]) {
    const { status, body } = await servers[name].send('GET', `${path}?resourceVersion=999999`);
    expect([status, body.details.retryAfterSeconds]).toEqual([504, seconds]);
    expect(body.details.causes).toEqual([{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]);
  }
});

it('pages a list of resourceVersion 0', async () => {
  const { body } = await servers.uncached.send('GET', `${configMaps}?resourceVersion=0&limit=1`);
  expect(body.items).toHaveLength(1);
  expect(body.metadata.remainingItemCount).toBe(1);
});
