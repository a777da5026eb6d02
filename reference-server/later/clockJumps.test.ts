// The time of day of the machine jumps by a day, in both directions: the server goes on, and does once what is due.
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask } from '../testing/standIn.js';
import { type ControlledServer, OpenWatch, startControlled } from './testing/controlled.js';

const day = 24 * 3_600_000;
const api = '/api/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const everyMinute = { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: pod } } } };

let server: ControlledServer;
let send: ControlledServer['send'];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  server = await startControlled();
  ({ send } = server);
});
afterEach(async () => {
  vi.useRealTimers();
  await server.server.close();
});

const jump = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds);
const namesIn = async (path: string): Promise<string[]> =>
  (await send('GET', path)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
const newToken = async (): Promise<string> => {
  const { body } = await send('POST', `${api}/serviceaccounts/default/token`, { spec: { expirationSeconds: 3600 } });
  return body.status.token;
};
const statusWith = async (token: string): Promise<number> =>
  (await ask({ ...server.server, token }, '/api/v1/namespaces')).status;

describe.each([
  ['forward', day],
  ['back', -day],
])('%s', (_, by) => {
  it('the server serves, watches and controls', async () => {
    const watch = new OpenWatch(server, `${api}/configmaps?watch=true&timeoutSeconds=2&allowWatchBookmarks=true`);
    await server.controls.requests.waitFor({ verb: 'watch', resource: 'configmaps' });
    jump(by);
    const spec = { replicas: 3, selector: { matchLabels: { a: 'b' } }, template };
    for (const [path, body] of [
      [`${api}/configmaps`, { metadata: { name: 'm' } }],
      [`/apis/coordination.k8s.io/v1/namespaces/default/leases`, { metadata: { name: 'l' } }],
      [`${api}/events`, { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } }],
      ['/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'd' }, spec }],
      ['/api/v1/namespaces', { metadata: { name: 'n' } }],
    ] as const)
      expect([path, (await send('POST', path, body)).status]).toEqual([path, expect.toSatisfy((is) => is < 300)]);
    await expect.poll(async () => (await namesIn(`${api}/pods`)).length).toBe(3);
    expect((await send('DELETE', '/api/v1/namespaces/n')).status).toBe(200);
    await expect.poll(async () => (await send('GET', '/api/v1/namespaces/n')).status).toBe(404);
    // The end of a watch is a duration: it comes neither at once nor a day later.
    expect(await watch.ended).toBeUndefined();
    expect(watch.events.map(({ type }) => type)).toContain('ADDED');
    jump(-by);
    expect((await send('GET', '/readyz')).status).toBe(200);
    expect((await send('POST', `${api}/configmaps`, { metadata: { name: 'after' } })).status).toBe(200);
  });

  it('a cron job starts one job at most', async () => {
    await send('POST', `${batch}/cronjobs`, { metadata: { name: 'c' }, spec: everyMinute });
    await server.controls.settled();
    jump(by);
    const path = `${batch}/cronjobs/c`;
    const touched = { metadata: { annotations: { touched: '1' } } };
    expect((await send('PATCH', path, touched, 'application/merge-patch+json')).status).toBe(200);
    await server.controls.settled();
    expect((await namesIn(`${batch}/jobs`)).length).toBe(by > 0 ? 1 : 0);
  });

  it('tokens end with their time, and count again in it', async () => {
    const token = await newToken();
    expect(await statusWith(token)).toBe(200);
    jump(by);
    expect([await statusWith(token), await statusWith(await newToken())]).toEqual([401, 200]);
    jump(-by);
    expect(await statusWith(token)).toBe(200);
  });
});

it('the certificate of the server was valid a day before', () => {
  const { validFrom } = new X509Certificate(server.server.caCertificate);
  expect(Date.parse(validFrom)).toBeLessThan(Date.now() - day);
});

it('a day of a moved clock starts one job of a cron job that forbids more at a time', async () => {
  await send('POST', `${batch}/cronjobs`, {
    metadata: { name: 'c' },
    spec: { ...everyMinute, concurrencyPolicy: 'Forbid' },
  });
  await server.controls.settled();
  await server.controls.clock.advance(day);
  expect((await namesIn(`${batch}/jobs`)).length).toBe(1);
  expect((await send('GET', '/readyz')).status).toBe(200);
});
