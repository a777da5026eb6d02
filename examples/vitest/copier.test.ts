// Tests the controller against a real API in this process, on good days and on bad ones.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { type Snapshot, type StartedServer, startServer } from 'kube-api-conformance';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { Copier } from './copier.js';

let server: StartedServer;
let fixtures: Snapshot;
let core: CoreV1Api;
let copier: Copier;

beforeAll(async () => {
  server = await startServer();
  await server.load(new URL('fixtures', import.meta.url));
  fixtures = await server.snapshot();
});
beforeEach(() => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(server.kubeconfig);
  core = kubeConfig.makeApiClient(CoreV1Api);
  copier = new Copier(kubeConfig);
});
// Faster than a new server, and the objects have the same uids again.
afterEach(async () => {
  await copier.stop();
  await server.reset();
  await server.restore(fixtures);
});
afterAll(() => server.close());

const color = async (): Promise<string | undefined> => (await server.get('configmaps', 'settings', 'team'))?.data.color;

async function paint(wanted: string): Promise<void> {
  const settings = await core.readNamespacedConfigMap({ name: 'settings', namespace: 'default' });
  const body = { ...settings, data: { color: wanted } };
  await core.replaceNamespacedConfigMap({ name: 'settings', namespace: 'default', body });
}

it('copies what exists, and what changes', async () => {
  await copier.start();
  await expect.poll(color).toBe('blue');
  await paint('red');
  await expect.poll(color).toBe('red');
});

it.each([409, 429, 500, 503])('tries again after %d', async (status) => {
  const failure = server.fail({ verb: 'create', resource: 'configmaps', namespace: 'team', status, times: 3 });
  await copier.start();
  await expect.poll(color).toBe('blue');
  expect(failure.calls).toBe(3);
});

it('does not write twice when the response of a write is lost', async () => {
  server.fail({ verb: 'create', namespace: 'team', reset: true, afterWrite: true, times: 1 });
  await copier.start();
  await server.requests.waitFor({ verb: 'get', namespace: 'team', status: 200 });
  expect(await color()).toBe('blue');
  expect(server.requests.list({ verb: 'create', namespace: 'team' })).toHaveLength(1);
});

it('misses nothing while its watch is gone and history is compacted', async () => {
  await copier.start();
  await expect.poll(color).toBe('blue');
  await server.requests.waitFor({ verb: 'watch', resource: 'configmaps' });
  // The watch cannot begin again before the change is forgotten.
  using outage = server.fail({ verb: 'watch', status: 503 });
  server.cutWatches({ resource: 'configmaps', reset: true });
  await paint('green');
  await server.compact();
  outage.remove();
  await expect.poll(color, { timeout: 10_000 }).toBe('green');
});

it('begins a watch again that has reached its end', async () => {
  await copier.start();
  await server.requests.waitFor({ verb: 'watch' });
  // Servers end watches after an hour at the latest.
  await server.clock.advance(60 * 60 * 1000);
  await server.requests.waitFor({ verb: 'watch' }, { times: 2 });
  await paint('green');
  await expect.poll(color).toBe('green');
});
