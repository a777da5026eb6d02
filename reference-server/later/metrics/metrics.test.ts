// The metrics of a server as Prometheus reads them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../testing/standIn.js';
import { type ControlledServer, OpenWatch, startControlled } from '../testing/controlled.js';
import { textOf } from './text.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

let started: ControlledServer;
beforeAll(async () => {
  started = await startControlled();
});
afterAll(() => started.server.close());

/** The samples of a family by their labels, without the given ones. */
async function samples(name: string, where = ''): Promise<Readonly<Record<string, number>>> {
  const { text } = await ask(started.server, '/metrics');
  const found = text.split('\n').flatMap((line): [string, number][] => {
    const [, metric, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return metric === name && labels.includes(where) ? [[labels, Number(value)]] : [];
  });
  return Object.fromEntries(found);
}

const labels = (code: string, verb: string, scope: string, more: Readonly<Record<string, string>> = {}): string => {
  const all = {
    code,
    component: 'apiserver',
    dry_run: '',
    group: '',
    resource: 'configmaps',
    scope,
    subresource: '',
    verb,
    version: 'v1',
  };
  return Object.entries({ ...all, ...more })
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');
};

it('counts requests by their labels and codes, with their durations', async () => {
  const { send } = started;
  await send('POST', configMaps, { metadata: { name: 'm' } });
  await send('POST', configMaps, { metadata: { name: 'm' } });
  await send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'n' } });
  for (let call = 0; call < 3; call += 1) await send('GET', `${configMaps}/m`);
  await send('GET', configMaps);
  await send('GET', '/api/v1/configmaps');
  await send('DELETE', configMaps);
  await expect
    .poll(() => samples('apiserver_request_total', 'resource="configmaps"'))
    .toEqual({
      [labels('200', 'POST', 'resource')]: 1,
      [labels('409', 'POST', 'resource')]: 1,
      [labels('200', 'POST', 'resource', { dry_run: 'All' })]: 1,
      [labels('200', 'GET', 'resource')]: 3,
      [labels('200', 'LIST', 'namespace')]: 1,
      [labels('200', 'LIST', 'cluster')]: 1,
      [labels('200', 'DELETECOLLECTION', 'namespace')]: 1,
    });
  const where = 'dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="GET"';
  expect(Object.values(await samples('apiserver_request_duration_seconds_count', where))).toEqual([3]);
  const buckets = Object.entries(await samples('apiserver_request_duration_seconds_bucket', where));
  expect(buckets.map(([key]) => /le="(.*)"/.exec(key)?.[1]).slice(0, 3)).toEqual(['0.005', '0.025', '0.05']);
  expect(buckets.at(-1)).toEqual([expect.stringContaining('le="+Inf"'), 3]);
  const counts = buckets.map(([, count]) => count);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
});

it('counts paths that do not exist together, and those of the server by themselves', async () => {
  for (let call = 0; call < 5; call += 1) await started.send('GET', `/nowhere/${call}`);
  await started.send('GET', '/healthz');
  const total = () => samples('apiserver_request_total', 'component=""');
  await expect.poll(async () => Object.entries(await total()).find(([key]) => key.includes('code="404"'))?.[1]).toBe(5);
  expect(Object.keys(await total()).filter((key) => key.includes('nowhere'))).toEqual([]);
  expect(Object.keys(await total()).some((key) => key.includes('subresource="/healthz",verb="GET"'))).toBe(true);
});

it('counts watches while they are open, and their events', async () => {
  const watch = new OpenWatch(started, '/api/v1/namespaces?watch=true');
  await started.controls.requests.waitFor({ verb: 'watch', resource: 'namespaces' });
  const long = () => samples('apiserver_longrunning_requests');
  expect(await long()).toEqual({
    'component="apiserver",group="",resource="namespaces",scope="cluster",subresource="",verb="WATCH",version="v1"': 1,
  });
  const inflight = await samples('apiserver_current_inflight_requests');
  expect(inflight).toEqual({ 'request_kind="mutating"': 0, 'request_kind="readOnly"': 1 });
  await expect
    .poll(() => samples('apiserver_watch_events_total', 'namespaces'))
    .toEqual({ 'group="",resource="namespaces",version="v1"': 4 });
  started.controls.cutWatches();
  await watch.ended;
  await expect.poll(long).toEqual({});
});

it('counts stored objects under the names of present groups, and shows the process', async () => {
  const objects = await samples('apiserver_storage_objects');
  expect(objects['resource="namespaces"']).toBe(4);
  expect(objects['resource="deployments.apps"']).toBe(0);
  expect(Object.values(await samples('process_cpu_seconds_total'))[0]).toBeGreaterThan(0);
  expect(Object.values(await samples('process_resident_memory_bytes'))[0]).toBeGreaterThan(1024 * 1024);
  const [start = 0] = Object.values(await samples('process_start_time_seconds'));
  expect(Math.abs(start - performance.timeOrigin / 1000)).toBeLessThan(2);
});

it('is a page of its own type, which clients find in the list of paths', async () => {
  const { headers, status } = await ask(started.server, '/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect((await started.send('GET', '/')).body.paths).toContain('/metrics');
  expect((await ask(started.server, '/metrics', { anonymous: true })).status).toBe(401);
  await using old = await startControlled({ modern: false });
  expect((await old.send('GET', '/metrics')).status).toBe(404);
});

it('is only for administrators with the roles of a new cluster', async () => {
  const users = ['system:masters', 'devs'].map((group) => ({ token: group, user: { name: group, groups: [group] } }));
  await using own = await startControlled({ tokens: users, authorizationMode: 'RBAC' });
  const status = async (token: string) =>
    (await ask(own.server, '/metrics', { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await status('system:masters'), await status('devs')]).toEqual([200, 403]);
});

it('escapes the values of labels', () => {
  const samples = [['', { a: '"\\\n' }, 1]] as const;
  expect(textOf([{ name: 'n', help: 'h', type: 'gauge', samples }])).toBe(
    '# HELP n h\n# TYPE n gauge\nn{a="\\"\\\\\\n"} 1\n',
  );
});
