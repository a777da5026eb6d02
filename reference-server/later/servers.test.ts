// Tests three servers of one etcd: clients of one see what clients of another did, and what may exist once exists once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../index.js';
import { storageOf } from '../storages/index.js';
import { noEtcd, TestEtcd } from '../storages/testing/etcd.js';
import type { AnyShape } from '../testing/anyShape.js';
import { ask } from '../testing/standIn.js';
import { startFullServer } from './index.js';

const core = '/api/v1/namespaces/default';

describe.skipIf(noEtcd !== undefined)(`three servers of one etcd${noEtcd === undefined ? '' : ` (${noEtcd})`}`, () => {
  let etcd: TestEtcd;
  const servers: RunningServer[] = [];
  const user = { name: 'admin', uid: 'admin', groups: ['system:masters'] };
  const start = () =>
    startFullServer({ ...storageOf({ etcdServers: etcd.servers }), tokens: [{ token: 'of-all', user }] });
  beforeAll(async () => {
    etcd = await TestEtcd.start();
    servers.push(...(await Promise.all([start(), start(), start()])));
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await etcd?.stop();
  });

  let last = 0;
  /** Sends a request to the next server: to another one than the request before. */
  async function send(method: string, path: string, body?: unknown): Promise<{ status: number; json: AnyShape }> {
    last += 1;
    const server = servers[last % servers.length] as RunningServer;
    const { status, text } = await ask(server, path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status, json: text === '' ? {} : (JSON.parse(text) as AnyShape) };
  }
  const count = (answers: readonly { status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length;

  test('each request sees the one before it, which another server answered', async () => {
    for (let index = 0; index < 20; index++) {
      const path = `${core}/configmaps/c-${index}`;
      expect((await send('POST', `${core}/configmaps`, { metadata: { name: `c-${index}` } })).status).toBe(200);
      const { json } = await send('GET', path);
      expect((await send('PUT', path, { ...json, data: { index: String(index) } })).status).toBe(200);
      expect((await send('GET', path)).json.data).toEqual({ index: String(index) });
      const list = await send('GET', `${core}/configmaps?resourceVersion=0`);
      expect(list.status).toBe(200);
      expect((await send('PUT', path, json)).status).toBe(409);
      expect((await send('DELETE', path)).status).toBe(200);
      expect((await send('GET', path)).status).toBe(404);
    }
  });

  test('creates of one name succeed once', async () => {
    for (let round = 0; round < 10; round++) {
      const body = { metadata: { name: `once-${round}` } };
      const answers = await Promise.all(Array.from({ length: 9 }, () => send('POST', `${core}/configmaps`, body)));
      expect([count(answers, 200), count(answers, 409)]).toEqual([1, 8]);
    }
  });

  test('a quota is never exceeded, and counts exactly', async () => {
    expect((await send('POST', '/api/v1/namespaces', { metadata: { name: 'limited' } })).status).toBe(200);
    const at = '/api/v1/namespaces/limited';
    await send('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { services: '10' } } });
    const used = async () => (await send('GET', `${at}/resourcequotas/q`)).json.status?.used?.services;
    await expect.poll(used).toBe('0');
    for (let round = 0; round < 5; round++) {
      const create = (index: number) =>
        send('POST', `${at}/services`, { metadata: { name: `s-${round}-${index}` }, spec: { ports: [{ port: 80 }] } });
      const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => create(index)));
      expect([count(answers, 200), count(answers, 403)]).toEqual([10, 20]);
      await expect.poll(used).toBe('10');
      const names: string[] = (await send('GET', `${at}/services`)).json.items.map(
        (each: AnyShape) => each.metadata.name,
      );
      expect(names).toHaveLength(10);
      await Promise.all(names.map((name) => send('DELETE', `${at}/services/${name}`)));
      await expect.poll(used).toBe('0');
    }
    const quota = (await send('GET', `${at}/resourcequotas/q`)).json;
    expect(Object.keys(quota).sort()).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
  });

  test('cluster IPs and node ports are given once', async () => {
    const spec = { type: 'NodePort', ports: [{ port: 80 }] };
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        send('POST', `${core}/services`, { metadata: { name: `p-${index}` }, spec }),
      ),
    );
    expect(count(answers, 200)).toBe(90);
    expect(new Set(answers.map(({ json }) => json.spec.clusterIP)).size).toBe(90);
    expect(new Set(answers.map(({ json }) => json.spec.ports[0].nodePort)).size).toBe(90);
    const taken = { metadata: { name: 'taken' }, spec: { ...spec, clusterIP: answers[0]?.json.spec.clusterIP } };
    expect((await send('POST', `${core}/services`, taken)).status).toBe(422);
  });

  test('a definition is served by all servers as soon as it is established', async () => {
    const group = 'example.com';
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
    for (let round = 0; round < 5; round++) {
      const plural = `widgets${round}`;
      const names = { plural, singular: `widget${round}`, kind: `Widget${round}` };
      const versions = [{ name: 'v1', served: true, storage: true, schema }];
      const definition = {
        metadata: { name: `${plural}.${group}` },
        spec: { group, scope: 'Namespaced', names, versions },
      };
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const made = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...definition };
      expect((await send('POST', definitions, made)).status).toBe(201);
      const isEstablished = async () =>
        (await send('GET', `${definitions}/${plural}.${group}`)).json.status?.conditions?.some(
          ({ type, status }: AnyShape) => type === 'Established' && status === 'True',
        );
      await expect.poll(isEstablished).toBe(true);
      const object = { apiVersion: `${group}/v1`, kind: names.kind, metadata: { name: 'w' } };
      const at = `/apis/${group}/v1/namespaces/default/${plural}`;
      expect((await send('POST', at, object)).status).toBe(201);
      for (const _server of servers) {
        expect((await send('GET', `${at}/w`)).status).toBe(200);
        const { resources } = (await send('GET', `/apis/${group}/v1`)).json;
        expect(resources.map(({ name }: AnyShape) => name)).toContain(plural);
      }
    }
  });

  test('a token of one server is one of all', async () => {
    await send('POST', `${core}/serviceaccounts`, { metadata: { name: 'robot' } });
    for (const _server of servers) {
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
      const { json } = await send('POST', `${core}/serviceaccounts/robot/token`, request);
      const headers = { authorization: `Bearer ${json.status.token}` };
      const statuses = await Promise.all(servers.map((server) => ask(server, '/api/v1', { headers })));
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  test('the controllers run on one server, and on another when it ends', async () => {
    const makeNamespace = async (name: string) => {
      await send('POST', '/api/v1/namespaces', { metadata: { name } });
      const account = async () => (await send('GET', `/api/v1/namespaces/${name}/serviceaccounts/default`)).status;
      await expect.poll(account).toBe(200);
    };
    for (let round = 0; round < 3; round++) {
      await makeNamespace(`before-${round}`);
      const [first] = servers.splice(0, 1);
      await first?.close();
      await makeNamespace(`after-${round}`);
      await send('DELETE', `/api/v1/namespaces/before-${round}`);
      const gone = async () => (await send('GET', `/api/v1/namespaces/before-${round}`)).status;
      await expect.poll(gone).toBe(404);
      servers.push(await start());
    }
  });
});
