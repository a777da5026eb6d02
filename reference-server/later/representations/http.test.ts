// Tests tables and metadata alone over HTTP: reads, writes, lists, watches, and what has no other representation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendProtobuf } from '../../testing/protobuf.js';
import { type Ask, ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const pod = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({ without: ['service-account-admission', 'root-ca-configmap'] });
  for (const name of ['a', 'b', 'c'])
    await call('POST', maps, 'application/json', { metadata: { name }, data: { x: '1' } });
  await call('POST', pods, undefined, pod('p'));
});
afterAll(() => server.close());

interface Seen {
  readonly status: number;
  readonly body: AnyShape;
}

async function call(method: string, path: string, accept = 'application/json', body?: unknown): Promise<Seen> {
  const isPatch = method === 'PATCH';
  const type = isPatch ? 'application/merge-patch+json' : 'application/json';
  const sent: Ask = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { Accept: accept, ...(body !== undefined && { 'Content-Type': type }) };
  const { status, text } = await ask(server, path, { method, headers, ...sent });
  return { status, body: JSON.parse(text) };
}

const cells = ({ body }: Seen): unknown[] => body.rows.map(({ cells }: AnyShape) => cells);
const names = ({ body }: Seen): unknown[] => body.rows.map(({ object }: AnyShape) => object.metadata.name);

describe('a table', () => {
  it('of one object has its version, the columns and one row', async () => {
    const { body } = await call('GET', `${maps}/a`, table);
    const { metadata } = (await call('GET', `${maps}/a`)).body;
    expect(body).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { selfLink: metadata.selfLink, resourceVersion: metadata.resourceVersion },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: expect.any(String), priority: 0 },
        { name: 'Data', type: 'string', format: '', description: expect.any(String), priority: 0 },
        { name: 'Age', type: 'string', format: '', description: expect.any(String), priority: 0 },
      ],
      rows: [
        {
          cells: ['a', 1, expect.stringMatching(/^\d+[sm]/)],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
        },
      ],
    });
  });

  it('of a list has the metadata of the list, and its pages', async () => {
    const plain = (await call('GET', `${maps}?limit=2`)).body.metadata;
    const first = await call('GET', `${maps}?limit=2`, table);
    expect(first.body.metadata).toEqual({ ...plain, continue: expect.any(String), remainingItemCount: 1 });
    expect(names(first)).toEqual(['a', 'b']);
    const second = await call('GET', `${maps}?limit=2&continue=${first.body.metadata.continue}`, table);
    expect([names(second), second.body.columnDefinitions.length]).toEqual([['c'], 3]);
    expect((await call('GET', `${maps}?labelSelector=none`, table)).body.rows).toEqual([]);
  });

  it.each([
    ['', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
    ['includeObject=', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
    ['includeObject=Metadata', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
    ['includeObject=Object', { kind: 'ConfigMap', apiVersion: 'v1', data: { x: '1' } }],
  ])('with %s has %j in its rows', async (query, object) => {
    for (const path of [`${maps}?${query}`, `${maps}/a?${query}`]) {
      expect((await call('GET', path, table)).body.rows[0].object).toMatchObject(object);
    }
  });

  it('with includeObject=None has no objects', async () => {
    expect((await call('GET', `${maps}?includeObject=None`, table)).body.rows[0].object).toBeNull();
  });

  it('with another includeObject is 400, and changes nothing', async () => {
    const { status, body } = await call('POST', `${maps}?includeObject=All`, table, { metadata: { name: 'not' } });
    expect([status, body.message]).toEqual([
      400,
      'includeObject: Invalid value: "All": must be Metadata, Object or None',
    ]);
    expect((await call('GET', `${maps}/not`)).status).toBe(404);
    expect((await call('GET', `${maps}/a?includeObject=All`)).status).toBe(200);
  });

  it('of version v1beta1 has metadata of that version', async () => {
    const { body } = await call('GET', `${maps}/a`, table.replace('v=v1', 'v=v1beta1'));
    expect([body.apiVersion, body.rows[0].object.apiVersion]).toEqual(['meta.k8s.io/v1beta1', 'meta.k8s.io/v1beta1']);
  });

  it('in YAML and in pretty JSON has the same rows', async () => {
    const { text } = await ask(server, `${maps}?includeObject=None`, {
      headers: { Accept: table.replace('json', 'yaml') },
    });
    const keys = text.split('\n').filter((line) => /^\w/.test(line));
    expect(keys).toEqual(['apiVersion: meta.k8s.io/v1', 'columnDefinitions:', 'kind: Table', 'metadata:', 'rows:']);
    expect(text.match(/^- cells:$/gm)).toHaveLength(3);
    const pretty = await call('GET', `${maps}?includeObject=None&pretty=true`, table);
    expect(cells(pretty).map((row) => (row as unknown[])[0])).toEqual(['a', 'b', 'c']);
  });

  it('shows the objects that are not stored', async () => {
    const statuses = await call('GET', '/api/v1/componentstatuses', table);
    expect(cells(statuses)).toContainEqual(['controller-manager', 'Healthy', 'ok', '']);
    expect(
      (await call('GET', '/api/v1/componentstatuses?includeObject=Object', table)).body.rows[0].object,
    ).toMatchObject({ kind: 'ComponentStatus', apiVersion: 'v1' });
    expect(cells(await call('GET', '/api/v1/componentstatuses/etcd-0', table))[0]).toHaveLength(4);
  });

  it('shows a pod that has ended with a condition', async () => {
    const current = (await call('GET', `${pods}/p`)).body;
    expect((await call('GET', `${pods}/p`, table)).body.rows[0].conditions).toBeUndefined();
    await call('PUT', `${pods}/p/status`, table, { ...current, status: { phase: 'Failed' } });
    const [{ conditions }] = (await call('GET', pods, table)).body.rows;
    expect(conditions).toMatchObject([{ type: 'Completed', status: 'True', reason: 'Failed' }]);
  });
});

describe('writes answer in the representation', () => {
  it('create, replace, patch and delete', async () => {
    const object = { metadata: { name: 'w' }, data: { x: '1' } };
    expect(cells(await call('POST', maps, table, object))).toEqual([['w', 1, expect.any(String)]]);
    expect(cells(await call('PUT', `${maps}/w`, table, { ...object, data: {} }))).toEqual([
      ['w', 0, expect.any(String)],
    ]);
    expect(cells(await call('PATCH', `${maps}/w`, table, { data: { y: '2', z: '3' } }))).toEqual([
      ['w', 2, expect.any(String)],
    ]);
    const { body } = await call('PATCH', `${maps}/w`, partial, { metadata: { finalizers: ['example.com/f'] } });
    expect([body.kind, body.metadata.finalizers, body.data]).toEqual([
      'PartialObjectMetadata',
      ['example.com/f'],
      undefined,
    ]);
    expect((await call('DELETE', `${maps}/w`, partial)).body).toMatchObject({
      kind: 'PartialObjectMetadata',
      metadata: { deletionTimestamp: expect.any(String) },
    });
  });

  it('a Status stays a Status', async () => {
    await call('POST', maps, undefined, { metadata: { name: 's' } });
    expect((await call('DELETE', `${maps}/s`, table)).body).toMatchObject({ kind: 'Status', status: 'Success' });
    expect((await call('GET', `${maps}/s`, table)).body).toMatchObject({ kind: 'Status', code: 404 });
    expect((await call('GET', `${maps}/s`, partial)).body).toMatchObject({ kind: 'Status', code: 404 });
  });

  it('the delete of a collection', async () => {
    await call('POST', maps, undefined, { metadata: { name: 'd', labels: { only: 'this' } } });
    const { body } = await call('DELETE', `${maps}?labelSelector=only`, partialList);
    expect([body.kind, body.items.length, body.items[0].metadata.name]).toEqual(['PartialObjectMetadataList', 1, 'd']);
  });

  it('a scale has columns of its own', async () => {
    const path = '/api/v1/namespaces/default/replicationcontrollers';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await call('POST', path, undefined, {
      metadata: { name: 'r' },
      spec: { replicas: 0, selector: { a: 'b' }, template },
    });
    const { body } = await call('GET', `${path}/r/scale`, table);
    expect([body.columnDefinitions.map(({ name }: AnyShape) => name), body.rows[0].cells]).toEqual([
      ['Name', 'Desired', 'Available', 'Age'],
      ['r', 0, 0, expect.any(String)],
    ]);
    expect((await call('GET', `${path}/r/scale`, partial)).body).toMatchObject({ metadata: { name: 'r' } });
  });

  it.each([
    ['POST', `${pods}/p/binding`, { target: { name: 'n' } }],
    ['GET', '/api/v1', undefined],
    ['GET', '/apis', undefined],
    ['POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}],
  ])('%s %s has no table', async (method, path, body) => {
    const { status, body: answer } = await call(method, path, table, body);
    expect([status, answer.reason]).toEqual([406, 'NotAcceptable']);
    if (method === 'GET') expect((await call(method, path, `${table},application/json`)).status).toBe(200);
  });
});

describe('metadata alone', () => {
  it('of one object and of a list', async () => {
    const { metadata } = (await call('GET', `${maps}/a`)).body;
    const one = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
    expect((await call('GET', `${maps}/a`, partial)).body).toEqual(one);
    const list = (await call('GET', `${maps}?limit=1`, partialList)).body;
    const plain = (await call('GET', `${maps}?limit=1`)).body.metadata;
    expect(list).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { ...plain, continue: expect.any(String) },
      items: [one],
    });
  });

  it.each(['v1', 'v1beta1'])('in protobuf, version %s', async (version) => {
    const accept = (as: string) => `application/vnd.kubernetes.protobuf;as=${as};g=meta.k8s.io;v=${version}`;
    const { metadata } = (await call('GET', `${maps}/a`)).body;
    const kind = { apiVersion: `meta.k8s.io/${version}`, kind: 'PartialObjectMetadata' };
    const one = await sendProtobuf(server, 'GET', `${maps}/a`, undefined, accept('PartialObjectMetadata'));
    expect([one.type, one.object]).toEqual(['application/vnd.kubernetes.protobuf', { ...kind, metadata }]);
    const list = await sendProtobuf(server, 'GET', maps, undefined, accept('PartialObjectMetadataList'));
    expect(list.object.kind).toBe('PartialObjectMetadataList');
    expect(list.object.items[0]).toEqual({ metadata });
    const { type } = await sendProtobuf(server, 'GET', maps, undefined, `${accept('PartialObjectMetadataList')}`);
    expect(type).toBe('application/vnd.kubernetes.protobuf');
  });

  it('of a list is not that of one object, and the reverse', async () => {
    const seen = [
      await call('GET', maps, partial),
      await call('GET', `${maps}/a`, partialList),
      await call('DELETE', maps, partial),
      await call('GET', `${maps}?watch=true&timeoutSeconds=1`, partialList),
    ];
    expect(seen.map(({ status, body }) => [status, body.message])).toEqual([
      [406, 'you requested PartialObjectMetadata, but the requested object is a list'],
      [406, 'you requested PartialObjectMetadataList, but the requested object is not a list'],
      [406, 'you requested PartialObjectMetadata, but the requested object is a list'],
      [406, 'you requested PartialObjectMetadataList, but the requested object is a watch of single objects'],
    ]);
    expect((await call('GET', `${maps}/a`)).status).toBe(200);
  });
});

describe('a watch', () => {
  const events = async (accept: string): Promise<AnyShape[]> => {
    const { text } = await ask(server, `${maps}?watch=true&timeoutSeconds=1`, { headers: { Accept: accept } });
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  };

  it('has tables with one row, and the columns once', async () => {
    const [first, second] = await events(table);
    expect(first).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Table', rows: [{ cells: ['a', 1, expect.any(String)] }] },
    });
    expect([first?.object.columnDefinitions.length, second?.object.columnDefinitions]).toEqual([3, null]);
    expect(second?.object.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'b' } });
  });

  it('has metadata alone', async () => {
    const [first] = await events(partial);
    const { metadata } = (await call('GET', `${maps}/a`)).body;
    expect(first).toEqual({
      type: 'ADDED',
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
    });
  });

  it('that fails ends with a Status', async () => {
    const { text } = await ask(
      server,
      `${maps}?watch=true&resourceVersion=999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      { headers: { Accept: table } },
    );
    const last = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    expect(last.object ?? last).toMatchObject({ kind: 'Status', status: 'Failure' });
  });

  it('with another includeObject is 400', async () => {
    expect((await call('GET', `${maps}?watch=true&timeoutSeconds=1&includeObject=All`, table)).status).toBe(400);
  });
});
