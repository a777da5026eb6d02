// Tests create, read, replace and delete, which are the same for every resource.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Direct, startDirect } from '../testing/direct.js';

const maps = '/api/v1/namespaces/default/configmaps';
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return server.stop;
});

const create = (path: string, body: object) => server.create(path, body);
const map = (name: string, more = {}) => ({ metadata: { name }, data: { k: 'v' }, ...more });

describe('create', () => {
  test('returns 200 and the object, with the fields that the server sets', async () => {
    const { status, body } = await server.call('POST', maps, { body: map('c1') });
    expect(status).toBe(200);
    expect(body).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'c1',
        namespace: 'default',
        selfLink: `${maps}/c1`,
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
      data: { k: 'v' },
    });
    expect((await server.call('GET', `${maps}/c1`)).body).toEqual(body);
  });

  test('generates a name', async () => {
    const { metadata } = await create(maps, { metadata: { generateName: 'gen-' } });
    expect(metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(metadata.generateName).toBe('gen-');
  });

  test('ignores fields that only the server sets', async () => {
    const given = { name: 'c', uid: 'x', creationTimestamp: '2020-01-01T00:00:00Z', selfLink: '/x' };
    const { metadata } = await create(maps, { metadata: given });
    for (const name of ['uid', 'creationTimestamp', 'selfLink'] as const) expect(metadata[name]).not.toBe(given[name]);
  });

  test('keeps a generation that nothing counts, as real servers do', async () => {
    const at = `${maps}/c`;
    expect((await create(maps, { metadata: { name: 'c', generation: 7 } })).metadata.generation).toBe(7);
    const replaced = await server.call('PUT', at, { body: map('c', { metadata: { name: 'c', generation: 9 } }) });
    expect(replaced.body.metadata.generation).toBe(7);
  });

  test.each([
    [maps, map('c', { metadata: { name: 'Bad_Name!' } }), 422, 'metadata.name'],
    [maps, {}, 422, 'metadata.name'],
    [maps, { metadata: { generateName: 'Bad_' } }, 422, 'metadata.generateName'],
    [maps, { metadata: { name: 'c', labels: { '-a': 'b' } } }, 422, 'metadata.labels'],
    [maps, { metadata: { name: 'c', labels: { a: 'b c' } } }, 422, 'metadata.labels'],
    [maps, { metadata: { name: 'c', annotations: { 'a b': 'c' } } }, 422, 'metadata.annotations'],
    [maps, { metadata: { name: 'c', finalizers: ['x'] } }, 422, 'metadata.finalizers[0]'],
    [maps, { metadata: { name: 'c', finalizers: ['a b/c'] } }, 422, 'metadata.finalizers'],
    [maps, { metadata: { name: 'c', ownerReferences: [{ name: 'x' }] } }, 422, 'metadata.ownerReferences.apiVersion'],
    [maps, { metadata: { name: 'c' }, data: { 'k/': '' } }, 422, 'data[k/]'],
    [maps, { metadata: { name: 'c' }, data: { '...': '' } }, 422, 'data[...]'],
    [maps, { metadata: { name: 'c', resourceVersion: '5' } }, 400, undefined],
    [maps, { metadata: { name: 'c', namespace: 'other' } }, 400, undefined],
    ['/api/v1/namespaces/absent/configmaps', map('c'), 404, undefined],
    ['/api/v1/namespaces', { metadata: { name: 'a.b' } }, 422, 'metadata.name'],
  ])('on %s of %j is %i', async (path, body, status, field) => {
    const reply = await server.call('POST', path, { body });
    expect([reply.status, reply.body.kind]).toEqual([status, 'Status']);
    if (field) expect(reply.body.details.causes[0].field).toBe(field);
  });

  test('of an existing name is 409', async () => {
    await create(maps, map('c1'));
    const { status, body } = await server.call('POST', maps, { body: map('c1') });
    expect([status, body.reason, body.message]).toEqual([409, 'AlreadyExists', 'configmaps "c1" already exists']);
  });

  test('of a name whose object is being deleted says so, of a dry run too', async () => {
    await server.call('POST', maps, {
      body: { ...map('going'), metadata: { name: 'going', finalizers: ['example.com/held'] } },
    });
    await server.call('DELETE', `${maps}/going`);
    for (const query of ['', '?dryRun=All']) {
      const { status, body } = await server.call('POST', `${maps}${query}`, { body: map('going') });
      expect([status, body.message]).toEqual([409, 'object is being deleted: configmaps "going" already exists']);
    }
  });

  test('without a body is 400', async () => {
    expect((await server.call('POST', maps)).status).toBe(400);
  });

  test('as a dry run creates nothing', async () => {
    const dry = await server.call('POST', `${maps}?dryRun=All`, { body: map('dry') });
    expect([dry.status, dry.body.metadata.name, dry.body.metadata.resourceVersion]).toEqual([200, 'dry', undefined]);
    expect((await server.call('GET', `${maps}/dry`)).status).toBe(404);
    const { body } = await server.call('POST', `${maps}?dryRun=Bogus`, { body: map('dry') });
    const why = 'dryRun: Unsupported value: ["Bogus"]: supported values: "All"';
    expect(body).toMatchObject({
      code: 422,
      message: `CreateOptions.meta.k8s.io "" is invalid: ${why}`,
      details: { causes: [{ reason: 'FieldValueNotSupported', field: 'dryRun' }] },
    });
  });
});

describe('read', () => {
  test('of an absent object is 404 with its name', async () => {
    const { body } = await server.call('GET', `${maps}/nope`);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "nope" not found',
      reason: 'NotFound',
      details: { name: 'nope', kind: 'configmaps' },
      code: 404,
    });
  });

  test('with export removes fields that a user cannot set, and with exact keeps the namespace', async () => {
    await create(maps, map('c1'));
    const plain = (await server.call('GET', `${maps}/c1?export=true`)).body;
    expect(plain).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c1' }, data: { k: 'v' } });
    const exact = (await server.call('GET', `${maps}/c1?export=true&exact=true`)).body;
    expect(exact.metadata).toEqual({ name: 'c1', namespace: 'default' });
    const not = (await server.call('GET', `${maps}/c1?export=false`)).body;
    expect(not.metadata.uid).toBeDefined();
  });

  test('at a future revision is 504', async () => {
    await create(maps, map('c1'));
    expect((await server.call('GET', `${maps}/c1?resourceVersion=99999999`)).status).toBe(504);
    expect((await server.call('GET', `${maps}/c1?resourceVersion=1`)).status).toBe(200);
  });
});

describe('replace', () => {
  test('stores the sent fields, and keeps the fields of the server', async () => {
    const before = await create(maps, map('c1', { metadata: { name: 'c1', labels: { a: 'b' } } }));
    const { status, body } = await server.call('PUT', `${maps}/c1`, { body: map('c1', { data: { n: 'w' } }) });
    expect([status, body.data, body.metadata.labels]).toEqual([200, { n: 'w' }, undefined]);
    for (const name of ['uid', 'creationTimestamp', 'selfLink']) {
      expect(body.metadata[name]).toBe(before.metadata[name]);
    }
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  });

  test('without a change keeps the resourceVersion', async () => {
    const before = await create(maps, map('c1'));
    expect((await server.call('PUT', `${maps}/c1`, { body: before })).body).toEqual(before);
    expect((await server.call('PUT', `${maps}/c1`, { body: map('c1') })).body).toEqual(before);
  });

  test.each([
    [{ metadata: { name: 'other' } }, 400, 'the name of the object (other) does not match the name on the URL (c1)'],
    [{ data: {} }, 400, 'the name of the object (c1 based on URL) was undeterminable: name must be provided'],
    [{ metadata: { name: 'c1', namespace: 'x' } }, 400, 'the namespace of the object (x) does not match the namespace'],
    [{ metadata: { name: 'c1', uid: 'x' } }, 409, 'Operation cannot be fulfilled on configmaps "c1": Precondition'],
    [
      { metadata: { name: 'c1', resourceVersion: '1' } },
      409,
      'the object has been modified; please apply your changes',
    ],
    [{ metadata: { name: 'c1', resourceVersion: 'abc' } }, 400, 'parsing "abc": invalid syntax'],
    [{ metadata: { name: 'c1', deletionTimestamp: '2020-01-01T00:00:00Z' } }, 422, 'metadata.deletionTimestamp'],
  ])('with %j is %i', async (body, status, message) => {
    const before = await create(maps, map('c1'));
    const reply = await server.call('PUT', `${maps}/c1`, { body });
    expect(reply.status).toBe(status);
    expect(reply.body.message).toContain(message);
    expect((await server.call('GET', `${maps}/c1`)).body).toEqual(before);
  });

  test('of an absent object is 404, or creates it', async () => {
    expect((await server.call('PUT', `${maps}/absent`, { body: map('absent') })).status).toBe(404);
    const endpoints = '/api/v1/namespaces/default/endpoints/e';
    const body = { metadata: { name: 'e', resourceVersion: '5' } };
    expect((await server.call('PUT', endpoints, { body })).body.metadata.name).toBe('e');
    expect((await server.call('GET', endpoints)).status).toBe(200);
  });

  test('as a dry run changes nothing', async () => {
    const before = await create(maps, map('c1'));
    const dry = await server.call('PUT', `${maps}/c1?dryRun=All`, { body: map('c1', { data: { dry: '1' } }) });
    expect(dry.body.data).toEqual({ dry: '1' });
    expect((await server.call('GET', `${maps}/c1`)).body).toEqual(before);
  });
});

describe('delete', () => {
  test('returns a Status that names the deleted object', async () => {
    const { metadata } = await create(maps, map('c1'));
    const { status, body } = await server.call('DELETE', `${maps}/c1`);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'c1', kind: 'configmaps', uid: metadata.uid },
    });
    expect((await server.call('GET', `${maps}/c1`)).status).toBe(404);
    expect((await server.call('DELETE', `${maps}/c1`)).status).toBe(404);
  });

  test.each([
    [{}, '', 200],
    [null, '', 200],
    [{ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: -5 }, '', 200],
    [{ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }, '', 200],
    [undefined, '?propagationPolicy=Background&gracePeriodSeconds=0', 200],
    [{ preconditions: { uid: 'x' } }, '', 409],
    [{ preconditions: { resourceVersion: '1' } }, '', 409],
    [{ preconditions: { uid: '' } }, '', 409],
    [{ preconditions: { resourceVersion: '' } }, '', 409],
    [{ preconditions: { uid: null, resourceVersion: null } }, '', 200],
    [{ propagationPolicy: 'Bogus' }, '', 422],
    [{ propagationPolicy: '' }, '', 422],
    [{ propagationPolicy: null, orphanDependents: null }, '', 200],
    [undefined, '?uid=', 200],
    [undefined, '?propagationPolicy=', 422],
    [{ propagationPolicy: 'Foreground', orphanDependents: true }, '', 422],
    [undefined, '?propagationPolicy=Bogus', 422],
    [undefined, '?gracePeriodSeconds=x', 400],
    [{ apiVersion: 'v1', kind: 'ConfigMap' }, '', 400],
    [{ gracePeriodSeconds: 'x' }, '', 400],
    ['text', '', 400],
    [undefined, '?dryRun=x', 422],
    [undefined, '?uid=x', 409],
    [{ apiVersion: 'extensions/v1beta1', kind: 'DeleteOptions' }, '', 200],
    [{ apiVersion: 'v9', kind: 'DeleteOptions' }, '', 200],
    [{ apiVersion: 'nobody.example.com/v1', kind: 'DeleteOptions' }, '', 200],
    [{ apiVersion: '', kind: '' }, '', 200],
    [{ apiVersion: 'a/b/c', kind: 'DeleteOptions' }, '', 400],
    [{ apiVersion: 'v1', kind: 'deleteoptions' }, '', 400],
    // With a body, the query is ignored except for dryRun.
    [{}, '?propagationPolicy=Bogus', 200],
    [{ dryRun: ['x'] }, '', 422],
    [{}, '?dryRun=x', 422],
  ])('with %j and %j is %i', async (body, query, status) => {
    await create(maps, map('c1'));
    const reply = await server.call('DELETE', `${maps}/c1${query}`, body === undefined ? {} : { body });
    expect(reply.status).toBe(status);
    expect((await server.call('GET', `${maps}/c1`)).status).toBe(status === 200 ? 404 : 200);
  });

  test.each([
    ['?dryRun=All', undefined],
    ['', { dryRun: ['All'] }],
    ['?dryRun=All', {}],
  ])('as a dry run with %j and %j deletes nothing', async (query, body) => {
    await create(maps, map('c1'));
    expect((await server.call('DELETE', `${maps}/c1${query}`, { body })).body.status).toBe('Success');
    expect((await server.call('GET', `${maps}/c1`)).status).toBe(200);
  });

  test('waits for finalizers, and returns the object', async () => {
    await create(maps, { metadata: { name: 'f', finalizers: ['example.com/x'] } });
    const { body } = await server.call('DELETE', `${maps}/f`);
    expect(body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, deletionTimestamp: expect.any(String) });
    expect((await server.call('GET', `${maps}/f`)).body).toEqual(body);
    expect((await server.call('DELETE', `${maps}/f`)).body).toEqual(body);
    const more = { metadata: { name: 'f', finalizers: ['example.com/x', 'example.com/new'] } };
    expect((await server.call('PUT', `${maps}/f`, { body: more })).status).toBe(422);
    const called = {
      metadata: { ...more.metadata, finalizers: ['example.com/x'], deletionTimestamp: '2001-01-01T00:00:00Z' },
    };
    const kept = (await server.call('PUT', `${maps}/f`, { body: called })).body.metadata.deletionTimestamp;
    expect(kept).toBe(body.metadata.deletionTimestamp);
    const last = await server.call('PUT', `${maps}/f`, { body: { metadata: { name: 'f' } } });
    expect([last.status, last.body.metadata.finalizers]).toEqual([200, undefined]);
    expect((await server.call('GET', `${maps}/f`)).status).toBe(404);
  });

  test('of a collection deletes the selected objects and returns them', async () => {
    for (const name of ['a', 'b']) await create(maps, { metadata: { name, labels: { dc: '1' } } });
    await create(maps, map('canary'));
    const { storage } = server.cluster;
    const { entries } = await storage.list('core/configmaps/default/');
    const { body } = await server.call('DELETE', `${maps}?labelSelector=dc%3D1`);
    expect([body.kind, body.items.length]).toEqual(['ConfigMapList', 2]);
    // What was encoded for the list is not kept with objects that are gone.
    expect(entries.filter(({ derived }) => derived !== undefined)).toHaveLength(1);
    expect((await server.call('GET', maps)).body.items).toHaveLength(1);
    expect((await server.call('DELETE', `${maps}?labelSelector=dc%20in`)).status).toBe(400);
    expect((await server.call('DELETE', `${maps}?watch=true`)).body.kind).toBe('ConfigMapList');
    expect((await server.call('GET', maps)).body.items).toHaveLength(0);
  });
});
