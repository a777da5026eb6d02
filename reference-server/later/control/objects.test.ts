// Fixtures, snapshots, compaction and the clock, seen by clients and controllers.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AnyShape } from '../../testing/anyShape.js';
import { type ControlledServer, OpenWatch, startControlled } from '../testing/controlled.js';
import type { TestObject } from './surface.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data = {}): TestObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };

let started: ControlledServer;
let { controls, send } = {} as ControlledServer;
beforeAll(async () => {
  started = await startControlled();
  ({ controls, send } = started);
});
afterEach(() => controls.reset());
afterAll(() => started.server.close());

describe('load', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('stores objects in any order, with their status and their metadata', async () => {
    const metadata = { name: 'p', namespace: 'n', uid: 'given', creationTimestamp: '2020-01-01T00:00:00Z' };
    const [pod] = await controls.load([
      { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec, status: { phase: 'Running', podIP: '10.0.0.1' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
    ]);
    expect(pod?.metadata).toMatchObject({ uid: 'given', creationTimestamp: '2020-01-01T00:00:00Z' });
    const { body } = await send('GET', '/api/v1/namespaces/n/pods/p');
    expect(body).toEqual(pod);
    expect(body.status).toMatchObject({ phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] });
    // Defaults apply.
    expect(body.spec.terminationGracePeriodSeconds).toBe(30);
  });

  it('replaces an object that exists, which keeps its uid', async () => {
    const [first] = await controls.load(map('m', { a: '1' }));
    const [second] = await controls.load(map('m', { a: '2' }));
    expect(second?.metadata.uid).toBe(first?.metadata.uid);
    expect(Number(second?.metadata.resourceVersion)).toBeGreaterThan(Number(first?.metadata.resourceVersion));
    expect((await controls.get('configmaps', 'm'))?.data).toEqual({ a: '2' });
  });

  it('knows owners by their names', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner' };
    const dependent = map('dependent');
    const owned = { ...dependent, metadata: { ...dependent.metadata, ownerReferences: [owner] } };
    await controls.load([owned, map('owner')]);
    await controls.settled();
    const uid = (await controls.get('configmaps', 'owner'))?.metadata.uid;
    expect((await controls.get('configmaps', 'dependent'))?.metadata.ownerReferences).toEqual([{ ...owner, uid }]);
    await send('DELETE', `${configMaps}/owner`, { propagationPolicy: 'Background' });
    await expect.poll(() => controls.get('configmaps', 'dependent')).toBeUndefined();
  });

  it('claims the addresses of services', async () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
    const [stored] = await controls.load(service);
    const clusterIP = stored?.spec.clusterIP;
    expect(clusterIP).toMatch(/^\d+\./);
    const other = { metadata: { name: 'other' }, spec: { clusterIP, ports: [{ port: 80 }] } };
    expect((await send('POST', '/api/v1/namespaces/default/services', other)).status).toBe(422);
  });

  it('reads files and folders', async () => {
    file(
      'b.yaml',
      `# a comment\n---\n${JSON.stringify(map('b1'))}\n---\n# nothing\n---\napiVersion: v1\nkind: List\nitems:\n- ${JSON.stringify(map('b2'))}\n`,
    );
    const path = file(
      'a.json',
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] }),
    );
    file('notes.txt', 'not an object');
    const names = (objects: readonly TestObject[]) => objects.map(({ metadata }) => metadata.name);
    expect(names(await controls.load(path))).toEqual(['a']);
    expect(names(await controls.load(pathToFileURL(path)))).toEqual(['a']);
    expect(names(await controls.load(pathToFileURL(folder)))).toEqual(['a', 'b1', 'b2']);
    expect(names(await controls.load(folder))).toEqual(['a', 'b1', 'b2']);
  });

  it.each<[unknown, string]>([
    ['/nowhere', 'load: /nowhere: there is none (ENOENT)'],
    [{ kind: 'Pod' }, 'load: objects: give the object an apiVersion and a kind'],
    [[map('fine'), 7], 'load: objects[1]: this is not an object of the API'],
    [{ apiVersion: 'v2', kind: 'Pod' }, 'load: objects: Pod (without a name): there is no apiVersion v2; did you mean'],
    [{ apiVersion: 'v1', kind: 'Prod', metadata: { name: 'p' } }, 'there is no kind in v1 Prod; did you mean Pod?'],
    [map('Wrong Name'), 'load: objects: ConfigMap Wrong Name: ConfigMap "Wrong Name" is invalid: metadata.name'],
    [{ ...map('m'), data: 7 }, 'load: objects: ConfigMap m: '],
    [{ ...map('m'), metadata: { name: 'm', namespace: 'none' } }, 'namespaces "none" not found'],
    ['', 'load: the path is empty: give a path, or the objects'],
    [' ', 'load: the path is empty: give a path, or the objects'],
    ['kind: ConfigMap', 'load: this is the text of objects, not a path: parse it and give the objects'],
    ['apiVersion: v1\nkind: ConfigMap\n', 'load: this is the text of objects, not a path: parse it'],
    ['{"kind":"ConfigMap"}', 'load: this is the text of objects, not a path: parse it'],
    [new URL('https://example.com/a.yaml'), 'load: https://example.com/a.yaml: give a file: URL, or the objects'],
    [undefined, 'load: objects: this is not an object of the API'],
    [['a.yaml'], 'load: objects[0]: this is not an object of the API'],
    [{ ...map('m'), dat: {} }, 'strict decoding error: unknown field "dat"'],
    [{ ...map('m'), metadata: { name: 'm', lables: {} } }, 'strict decoding error: unknown field "metadata.lables"'],
    [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { ...template.spec, nodename: 'n' } },
      'load: objects: Pod p: Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.nodename"',
    ],
  ])('refuses %j', async (objects, message) => {
    await expect(controls.load(objects as TestObject)).rejects.toThrow(message);
    expect(await controls.get('configmaps', 'fine')).toBeUndefined();
  });

  it('drops unknown fields if it is asked to', async () => {
    const [stored] = await controls.load({ ...map('m'), dat: {} }, { fieldValidation: 'Ignore' });
    expect(stored).not.toHaveProperty('dat');
    const message = 'load: fieldValidation: there is no value Strickt; did you mean Strict?';
    await expect(controls.load(map('m'), { fieldValidation: 'Strickt' as never })).rejects.toThrow(message);
    const unknown = 'load: unknown field strict; known are fieldValidation';
    await expect(controls.load(map('m'), { strict: false } as never)).rejects.toThrow(unknown);
  });

  it('takes what the JSON of an object has', async () => {
    const creationTimestamp = new Date('2020-01-02T03:04:05Z');
    const [stored] = await controls.load({ ...map('m'), metadata: { name: 'm', creationTimestamp, more: undefined } });
    expect(stored?.metadata.creationTimestamp).toBe('2020-01-02T03:04:05Z');
    const circle: AnyShape = map('circle');
    circle.data = circle;
    const message = 'load: objects: they have no JSON: Converting circular structure to JSON';
    await expect(controls.load(circle as never)).rejects.toThrow(message);
  });

  it('takes integers that a number cannot hold, as objects have them', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 9_007_199_254_740_993n };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'long' }, spec };
    const [stored] = await controls.load(pod as never);
    expect((stored as AnyShape | undefined)?.spec.terminationGracePeriodSeconds).toBe(9_007_199_254_740_993n);
  });

  it('stores nothing if one object is invalid', async () => {
    await expect(controls.load([map('fine'), map('Wrong')])).rejects.toThrow('objects[1]: ConfigMap Wrong');
    expect(await controls.get('configmaps', 'fine')).toBeUndefined();
  });

  it('names the file and the document of a mistake', async () => {
    const path = file('c.yml', 'a: b: c\n');
    await expect(controls.load(path)).rejects.toThrow(`load: ${path}: `);
    rmSync(path);
  });
});

describe('snapshot and restore', () => {
  it('brings back what changed, with an event for each difference', async () => {
    await controls.load([map('changed', { a: '1' }), map('removed'), map('same'), map('recreated')]);
    const uid = async (name: string) => (await controls.get('configmaps', name))?.metadata.uid;
    const uids = { changed: await uid('changed'), removed: await uid('removed'), recreated: await uid('recreated') };
    const snapshot = await controls.snapshot();
    await send('PUT', `${configMaps}/changed`, { metadata: { name: 'changed' }, data: { a: '2' } });
    for (const name of ['removed', 'recreated']) await send('DELETE', `${configMaps}/${name}`);
    for (const name of ['recreated', 'added']) await send('POST', configMaps, { metadata: { name } });
    const { resourceVersion } = (await send('GET', configMaps)).body.metadata;
    await controls.restore(snapshot);
    const watch = new OpenWatch(
      started,
      `${configMaps}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=1`,
    );
    await watch.ended;
    const events = watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`);
    expect([...events].sort()).toEqual([
      'ADDED recreated',
      'ADDED removed',
      'DELETED added',
      'DELETED recreated',
      'MODIFIED changed',
    ]);
    const versions = watch.events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((one, other) => one - other));
    expect(versions[0]).toBeGreaterThan(Number(resourceVersion));
    for (const [name, before] of Object.entries(uids)) expect(await uid(name)).toBe(before);
    expect((await controls.get('configmaps', 'changed'))?.data).toEqual({ a: '1' });
  });

  it('writes only differences, again and again', async () => {
    const snapshot = await controls.snapshot();
    for (let round = 0; round < 3; round += 1) {
      await controls.load(map('m'));
      await controls.restore(snapshot);
      expect(await controls.get('configmaps', 'm')).toBeUndefined();
    }
    const before = (await send('GET', configMaps)).body.metadata.resourceVersion;
    await controls.restore(snapshot);
    expect((await send('GET', configMaps)).body.metadata.resourceVersion).toBe(before);
  });

  it('leaves quotas, addresses and namespaces as they were', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
    const spec = { hard: { configmaps: '3' } };
    await controls.load([
      namespace,
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'n' }, spec },
    ]);
    const maps = '/api/v1/namespaces/n/configmaps';
    const used = async () => (await controls.get('resourcequotas', 'q', 'n'))?.status?.used?.configmaps;
    // The certificate authority is one of them.
    await expect.poll(used).toBe('1');
    const snapshot = await controls.snapshot();
    for (const name of ['a', 'b']) expect((await send('POST', maps, { metadata: { name } })).status).toBe(200);
    expect((await send('POST', maps, { metadata: { name: 'c' } })).status).toBe(403);
    await controls.restore(snapshot);
    for (const name of ['a', 'b']) expect((await send('POST', maps, { metadata: { name } })).status).toBe(200);
    expect((await send('POST', maps, { metadata: { name: 'c' } })).status).toBe(403);
    const service = { metadata: { name: 's' }, spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] } };
    for (let round = 0; round < 2; round += 1) {
      expect((await send('POST', '/api/v1/namespaces/n/services', service)).status).toBe(200);
      await controls.restore(snapshot);
    }
    await send('DELETE', '/api/v1/namespaces/n');
    await expect.poll(() => controls.get('namespaces', 'n')).toBeUndefined();
    await controls.restore(snapshot);
    await controls.settled();
    expect((await controls.get('namespaces', 'n'))?.status.phase).toBe('Active');
    expect((await send('POST', maps, { metadata: { name: 'a' } })).status).toBe(200);
  });

  it('lets the controllers go on from the restored state', async () => {
    const spec = {
      replicas: 2,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    await controls.load({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec });
    const uids = async () => (await controls.objects('pods', 'default')).map(({ metadata }) => metadata.uid).sort();
    await expect.poll(async () => (await uids()).length).toBe(2);
    await controls.settled();
    const [before, snapshot] = [await uids(), await controls.snapshot()];
    await send('DELETE', '/apis/apps/v1/namespaces/default/deployments/d', { propagationPolicy: 'Background' });
    await expect.poll(async () => (await uids()).length).toBe(0);
    await controls.restore(snapshot);
    expect(await uids()).toEqual(before);
    await send(
      'PATCH',
      '/apis/apps/v1/namespaces/default/deployments/d',
      { spec: { replicas: 3 } },
      'application/merge-patch+json',
    );
    await expect.poll(async () => (await uids()).length).toBe(3);
    expect(await uids()).toEqual(expect.arrayContaining(before));
  });

  it('resets to the start', async () => {
    await controls.load(map('m'));
    await send('DELETE', '/api/v1/namespaces/kube-public');
    controls.fail({ status: 500 });
    await controls.clock.advance(3_600_000);
    await controls.reset();
    expect((await send('GET', '/api/v1/namespaces/kube-public')).status).toBe(200);
    expect((await send('GET', `${configMaps}/m`)).status).toBe(404);
    expect(Math.abs(controls.clock.now().getTime() - Date.now())).toBeLessThan(60_000);
    expect(controls.requests.list()).toHaveLength(2);
  });

  it('is shown by its size, and has no JSON', async () => {
    const snapshot = await controls.snapshot();
    expect(inspect({ snapshot })).toBe(`{ snapshot: Snapshot { size: ${snapshot.size} } }`);
    expect(() => JSON.stringify(snapshot)).toThrow('a snapshot has no JSON: it is for restore of the same server');
  });

  it('refuses a snapshot of another server', async () => {
    await using other = await startControlled();
    const snapshot = await other.controls.snapshot();
    await expect(controls.restore(snapshot)).rejects.toThrow('restore: give a snapshot of this server');
    await expect(controls.restore({ size: 1 })).rejects.toThrow('restore: give a snapshot of this server');
  });
});

it('compacts: earlier versions and continue tokens are expired, and open watches go on', async () => {
  await controls.load([map('a'), map('b')]);
  const list = (await send('GET', `${configMaps}?limit=1`)).body.metadata;
  const open = new OpenWatch(started, `${configMaps}?watch=true&resourceVersion=${list.resourceVersion}`);
  await controls.requests.waitFor({ verb: 'watch', status: 200 });
  await controls.compact();
  expect((await send('GET', `${configMaps}?limit=1&continue=${list.continue}`)).body).toMatchObject({
    code: 410,
    reason: 'Expired',
  });
  const late = new OpenWatch(started, `${configMaps}?watch=true&resourceVersion=${list.resourceVersion}`);
  await late.ended;
  expect(late.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
  const { resourceVersion } = (await send('GET', configMaps)).body.metadata;
  await controls.load(map('c'));
  const next = new OpenWatch(started, `${configMaps}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=1`);
  await next.ended;
  expect(next.events.map(({ type, object }) => [type, object.metadata.name])).toEqual([['ADDED', 'c']]);
  controls.cutWatches();
  await open.ended;
  expect(open.events.map(({ type, object }) => [type, object.metadata.name])).toEqual([['ADDED', 'c']]);
});
