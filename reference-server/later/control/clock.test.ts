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
  // The clock runs on meanwhile.
  expect(created).toEqual(['10', '20', '30'].map((at) => expect.stringMatching(`^2040-01-01T00:${at}:`)));
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

it('runs every timer of a working day, at its time', async () => {
  await controls.clock.set('2040-01-01T00:00:30Z');
  const spec = { schedule: '*/2 * * * *', concurrencyPolicy: 'Replace', jobTemplate: { spec: { template } } };
  await controls.load({ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'c' }, spec });
  await controls.settled();
  const { timers, until, complete } = await controls.clock.advance(8 * 60 * minute, { timeout: 600_000 });
  expect(timers).toBeGreaterThanOrEqual(240);
  // The clock runs on meanwhile.
  expect([complete, until.getTime() >= Date.parse('2040-01-01T08:00:30Z')]).toEqual([true, true]);
  const { lastScheduleTime } = (await controls.get('cronjobs', 'c'))?.status ?? {};
  expect(Date.parse(lastScheduleTime)).toBeGreaterThanOrEqual(Date.parse('2040-01-01T08:00:00Z'));
  expect(Math.abs(until.getTime() - controls.clock.now().getTime())).toBeLessThan(minute);
});

it.each([{ timers: 10 }, { timeout: 1 }])('says how far it came with %j', async (limit) => {
  await controls.clock.set('2040-01-01T00:00:30Z');
  const spec = { schedule: '* * * * *', concurrencyPolicy: 'Replace', jobTemplate: { spec: { template } } };
  await controls.load({ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'c' }, spec });
  await controls.settled();
  const { timers, until, complete } = await controls.clock.advance(60 * minute, limit);
  expect(complete).toBe(false);
  expect(timers).toBeLessThanOrEqual(10);
  expect(until.getTime()).toBeLessThan(Date.parse('2040-01-01T00:20:00Z'));
  expect(controls.clock.now().getTime()).toBeGreaterThanOrEqual(Date.parse('2040-01-01T01:00:30Z'));
});

it('says the same when it is set', async () => {
  await controls.clock.set('2040-01-01T00:00:30Z');
  expect(await controls.clock.set('2040-01-01T00:00:00Z')).toMatchObject({ timers: 0, complete: true });
  expect(await controls.clock.set('2040-01-01T02:00:00Z')).toMatchObject({ complete: true });
});

const milliseconds = 'clock.advance: give milliseconds from 0; set goes back in time';
it.each<[unknown[], string]>([
  [[-1], milliseconds],
  [[Number.NaN], milliseconds],
  [[Number.POSITIVE_INFINITY], milliseconds],
  [['1000'], milliseconds],
  [[], milliseconds],
  [[null], milliseconds],
  [[1e15], 'clock.advance: 1000000000000000 milliseconds lead beyond the year 9000: give fewer'],
  [[8e15], 'clock.advance: 8000000000000000 milliseconds lead beyond the year 9000: give fewer'],
  [[1, { timer: 1 }], 'clock.advance: unknown field timer; did you mean timers?'],
  [[1, { timers: 0 }], 'clock.advance: timers: give a whole number from 1'],
  [[1, { timeout: '5' }], 'clock.advance: timeout: give a number from 1 to 2147483647'],
  [[1, 5], 'clock.advance: give an object'],
])('refuses to advance by %j', (args, message) => {
  expect(() => controls.clock.advance(...(args as [number]))).toThrow(message);
});

it('refuses moves that lead too far together', async () => {
  const far = 2e14;
  const moves = [controls.clock.advance(far)];
  expect(() => controls.clock.advance(far)).toThrow('lead beyond the year 9000');
  await Promise.all(moves);
  expect(() => controls.clock.advance(far)).toThrow('lead beyond the year 9000');
  // objects can be written, and set leads back
  expect((await send('POST', configMaps, { metadata: { name: 'far' } })).body.metadata.creationTimestamp).toMatch(
    /^8\d{3}-/,
  );
  await controls.clock.set('2040-02-03T04:05:06Z');
  expect((await send('POST', configMaps, { metadata: { name: 'm' } })).body.metadata.creationTimestamp).toMatch(
    /^2040-/,
  );
});

const noTime = 'clock.set: give a Date, or a text such as 2030-01-31T12:00:00Z';
it.each<[unknown[], string]>([
  [['tomorrow'], 'clock.set: tomorrow is not a time; write it as 2030-01-31T12:00:00Z'],
  [['5'], 'clock.set: 5 is not a time; write it as 2030-01-31T12:00:00Z'],
  [['2030-01-31T12:00:00'], 'clock.set: 2030-01-31T12:00:00 is not a time; write it as 2030-01-31T12:00:00Z'],
  [['2030-13-31T12:00:00Z'], 'clock.set: 2030-13-31T12:00:00Z is not a time'],
  [[''], 'clock.set:  is not a time'],
  [[new Date(Number.NaN)], 'clock.set: Invalid Date is not a time'],
  [[null], noTime],
  [[5], noTime],
  [[], noTime],
  [[{}], noTime],
  [['1969-12-31T23:59:59Z'], 'clock.set: 1969-12-31T23:59:59.000Z is too far away: give a time from 1970 to the year'],
  [[new Date(8.64e15)], 'clock.set: +275760-09-13T00:00:00.000Z is too far away: give a time from 1970 to the year'],
  [['2030-01-31T12:00:00Z', { timers: 0 }], 'clock.set: timers: give a whole number from 1'],
])('refuses to set %j', (args, message) => {
  expect(() => controls.clock.set(...(args as [string]))).toThrow(message);
});

it.each(['2030-01-31', '2030-01-31T12:00Z', '2030-01-31T12:00:00.5Z', '2030-01-31T12:00:00+02:00'])(
  'is set to %s',
  async (time) => {
    await controls.clock.set(time);
    expect(Math.abs(controls.clock.now().getTime() - Date.parse(time))).toBeLessThan(minute);
  },
);
