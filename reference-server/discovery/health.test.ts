// The pages of health, as kube-apiserver 1.36.2 answers them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiRequest } from '../request.js';
import type { RunningServer } from '../server.js';
import { ask, startStandIn } from '../testing/standIn.js';
import { healthPaths, withHealth } from './health.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startStandIn();
});
afterAll(() => server.close());

test.each([
  ['/readyz', 'ok'],
  ['/readyz?exclude=none', 'ok'],
  ['/readyz?verbose', '[+]ping ok\n[+]etcd ok\n[+]shutdown ok\nreadyz check passed\n'],
  ['/livez?verbose=false', '[+]ping ok\nlivez check passed\n'],
  ['/healthz?verbose=1', '[+]ping ok\n[+]etcd ok\nhealthz check passed\n'],
  ['/healthz?verbose&exclude=ping', '[+]ping excluded: ok\n[+]etcd ok\nhealthz check passed\n'],
  [
    '/livez?verbose&exclude=a&exclude=ping&exclude=b',
    '[+]ping excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a","b"\nlivez check passed\n',
  ],
  ['/readyz/ping?verbose', 'ok'],
  ['/healthz/etcd', 'ok'],
  ['/readyz/shutdown', 'ok'],
])('%s', async (path, body) => {
  const { status, text, headers } = await ask(server, path);
  expect([status, text, headers['content-type']]).toEqual([200, body, 'text/plain; charset=utf-8']);
});

test.each(['/readyz/none', '/livez/shutdown'])('%s is not there', async (path) => {
  expect((await ask(server, path)).status).toBe(404);
});

test('the list of paths has the pages', async () => {
  const { paths } = JSON.parse((await ask(server, '/')).text);
  expect(paths).toEqual(expect.arrayContaining([...healthPaths]));
});

test.each([
  ['/readyz', '', 500, '[+]ping ok\n[-]etcd failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n'],
  ['/healthz', '', 500, '[+]ping ok\n[-]etcd failed: reason withheld\nhealthz check failed\n'],
  ['/readyz', 'exclude=etcd', 200, 'ok'],
  ['/livez', '', 200, 'ok'],
  ['/readyz/etcd', '', 500, 'internal server error: away\n'],
  ['/readyz/ping', '', 200, 'ok'],
])('%s?%s while the storage is away', async (path, query, status, raw) => {
  const handler = withHealth(
    () => Promise.reject(new Error('away')),
    () => expect.unreachable(),
  );
  const request = { operation: { path }, query: new URLSearchParams(query) } as unknown as ApiRequest;
  expect(await handler(request)).toMatchObject({ status, raw });
});
