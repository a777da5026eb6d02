// The clock of a server, seen by clients and controllers.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ask } from '../../testing/standIn.js';
import { type ControlledServer, OpenWatch, startControlled } from '../testing/controlled.js';
import type { TestObject } from './surface.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const map = (name: string): TestObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };

let started: ControlledServer;
let { controls, send } = {} as ControlledServer;
beforeAll(async () => {
  started = await startControlled();
  ({ controls, send } = started);
});
afterEach(() => controls.reset());
afterAll(() => started.server.close());

const minute = 60_000;

it('is the time of objects', async () => {
  await controls.clock.set('2040-02-03T04:05:06Z');
  const { body } = await send('POST', configMaps, { metadata: { name: 'm' } });
  expect(body.metadata.creationTimestamp).toMatch(/^2040-02-03T04:05:/);
});

it('ends tokens', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
  const { body } = await send('POST', path, { spec: { expirationSeconds: 3600 } });
  const client = { ...started.server, token: body.status.token };
  expect((await ask(client, '/api/v1/namespaces')).status).toBe(200);
  await controls.clock.advance(59 * minute);
  expect((await ask(client, '/api/v1/namespaces')).status).toBe(200);
  await controls.clock.advance(2 * minute);
  expect((await ask(client, '/api/v1/namespaces')).status).toBe(401);
});

it('runs cron jobs at their times', async () => {
  await controls.clock.set('2040-01-01T00:00:30Z');
  const spec = { schedule: '*/10 * * * *', jobTemplate: { spec: { template } } };
  await controls.load({ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'c' }, spec });
  await controls.settled();
  await controls.clock.advance(30 * minute);
  const created = (await controls.objects('jobs')).map(({ metadata }) => metadata.creationTimestamp);
  expect(created).toEqual(['2040-01-01T00:10:00Z', '2040-01-01T00:20:00Z', '2040-01-01T00:30:00Z']);
});

it('ends jobs after their deadline, and removes them after their time to live', async () => {
  const spec = { activeDeadlineSeconds: 600, ttlSecondsAfterFinished: 600, template };
  await controls.load({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec });
  await controls.settled();
  const conditions = async () =>
    (await controls.get('jobs', 'j'))?.status.conditions?.map(({ reason }: { reason: string }) => reason);
  expect(await conditions()).toBeUndefined();
  await controls.clock.advance(9 * minute);
  expect(await conditions()).toBeUndefined();
  await controls.clock.advance(2 * minute);
  expect(await conditions()).toContain('DeadlineExceeded');
  await controls.clock.advance(11 * minute);
  expect(await controls.get('jobs', 'j')).toBeUndefined();
});

it('forgets events an hour after they were last written', async () => {
  const events = '/api/v1/namespaces/default/events';
  const event = (name: string) => ({ metadata: { name }, involvedObject: { namespace: 'default', name: 'x' } });
  for (const name of ['quiet', 'busy']) await send('POST', events, event(name));
  const present = async () => {
    await controls.settled();
    const { body } = await send('GET', events);
    return body.items.map(({ metadata }: TestObject) => metadata.name).sort();
  };
  await controls.clock.advance(50 * minute);
  await send('PUT', `${events}/busy`, { ...event('busy'), count: 2 });
  expect(await present()).toEqual(['busy', 'quiet']);
  await controls.clock.advance(11 * minute);
  expect(await present()).toEqual(['busy']);
  await controls.clock.advance(50 * minute);
  expect(await present()).toEqual([]);
});

it('exceeds the progress deadline of deployments', async () => {
  const spec = {
    progressDeadlineSeconds: 600,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  };
  await controls.load({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec });
  await controls.settled();
  const reasons = async () =>
    (await controls.get('deployments', 'd'))?.status.conditions?.map(({ reason }: { reason: string }) => reason);
  expect(await reasons()).toContain('ReplicaSetUpdated');
  await controls.clock.advance(11 * minute);
  expect(await reasons()).toContain('ProgressDeadlineExceeded');
});

it('sends bookmarks and ends watches', async () => {
  const watch = new OpenWatch(started, '/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=600');
  await controls.requests.waitFor({ verb: 'watch', resource: 'pods' });
  await controls.clock.advance(5 * minute);
  await controls.clock.advance(6 * minute);
  expect(await watch.ended).toBeUndefined();
  expect(watch.events.filter(({ type }) => type === 'BOOKMARK').length).toBeGreaterThanOrEqual(4);
});

it('shows ages', async () => {
  await controls.load(map('m'));
  await controls.clock.advance(3 * 24 * 60 * minute);
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const { text } = await ask(started.server, `${configMaps}/m`, { headers: { accept } });
  expect(JSON.parse(text).rows[0].cells).toContain('3d');
});

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to advance by %s', (milliseconds) => {
  expect(() => controls.clock.advance(milliseconds)).toThrow('clock.advance: give milliseconds from 0');
});

it('refuses what is not a time', () => {
  expect(() => controls.clock.set('tomorrow')).toThrow('clock.set: tomorrow is not a time; write it as 2030-01-31');
});
