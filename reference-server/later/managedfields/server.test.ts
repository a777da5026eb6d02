// What the rest of the server does with owners: controllers, subresources, versions, representations, codecs, deletions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';
import { fieldAt, mediaTypeOf, ownersIn } from '../testing/applyTable.js';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const extensions = '/apis/extensions/v1beta1/namespaces/default';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(() => server.close());

type Type = keyof typeof mediaTypeOf | undefined;

async function send(method: string, path: string, body?: unknown, type?: Type, headers: Record<string, string> = {}) {
  const contentType = type === undefined ? 'application/json' : mediaTypeOf[type];
  const reply = await ask(server, path, {
    method,
    headers: { 'content-type': contentType, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { code: reply.status, ...reply, body: reply.text };
}

const call = async (...request: Parameters<typeof send>): Promise<Record<string, unknown>> =>
  JSON.parse((await send(...request)).body);

const apply = (path: string, manager: string, body: object, query = '') =>
  call('PATCH', `${path}?fieldManager=${manager}${query}`, body, 'apply');

const deployment = (apiVersion: string, name: string, more: object = {}) => ({
  apiVersion,
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
    ...more,
  },
});

/** The names of the owners: `manager Operation version subresource`. */
const namesIn = (object: Record<string, unknown>): string[] => ownersIn(object).map(([name]) => name);

describe('managed fields of a server', () => {
  it('have the template generation of a daemon set as a field of who writes the set', async () => {
    const { spec } = deployment('apps/v1', 'counted');
    const made = await call('POST', `${apps}/daemonsets?fieldManager=me`, { metadata: { name: 'counted' }, spec });
    expect(ownersIn(made)[0]).toMatchObject([
      'me Update apps/v1',
      { 'f:metadata': { 'f:annotations': { '.': {}, 'f:deprecated.daemonset.template.generation': {} } } },
    ]);
    expect(fieldAt(made, 'metadata.annotations')).toEqual({ 'deprecated.daemonset.template.generation': '1' });
  });

  it('have the controllers as managers, through subresources', async () => {
    await call('POST', `${apps}/deployments?fieldManager=me`, deployment('apps/v1', 'rolled', { replicas: 1 }));
    const owners = async () => namesIn(await call('GET', `${apps}/deployments/rolled`));
    await expect.poll(owners).toContain('kube-controller-manager Update apps/v1 status');
    expect(await owners()).toContain('me Update apps/v1');
    await expect
      .poll(async () => namesIn(((await call('GET', `${core}/pods`)).items as Record<string, unknown>[])[0] ?? {}))
      .toContain('kube-controller-manager Update v1');
    expect(namesIn(await call('GET', '/api/v1/namespaces/default'))).toEqual(['kube-apiserver Update v1']);
  });

  it('follow the scale of an object', async () => {
    const at = `${apps}/deployments/scaled`;
    await apply(at, 'me', deployment('apps/v1', 'scaled', { replicas: 2, paused: true }));
    await call('PATCH', `${at}/scale?fieldManager=autoscaler`, { spec: { replicas: 3 } }, 'merge');
    const scaled = await call('GET', at);
    expect(namesIn(scaled)).toContain('autoscaler Update apps/v1 scale');
    const again = await apply(at, 'me', deployment('apps/v1', 'scaled', { replicas: 2, paused: true }));
    expect(again).toMatchObject({
      code: 409,
      message:
        'Apply failed with 1 conflict: conflict with "autoscaler" with subresource "scale" using apps/v1: .spec.replicas',
    });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'scaled' }, spec: { replicas: 4 } };
    expect(await apply(`${at}/scale`, 'other', scale)).toMatchObject({ code: 409 });
    expect(await apply(`${at}/scale`, 'other', scale, '&force=true')).toMatchObject({ spec: { replicas: 4 } });
    expect(namesIn(await call('GET', at))).toContain('other Apply apps/v1 scale');
    expect(await apply(`${at}/scale`, 'other', { ...scale, kind: 'Other' })).toMatchObject({ code: 400 });
    expect(await apply(`${apps}/deployments/none/scale`, 'other', scale)).toMatchObject({ code: 404 });
  });

  it('leave the status to its subresource', async () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } };
    const ingress = [{ ip: '192.0.2.1', ipMode: 'VIP' }];
    const created = await apply(`${core}/services/s`, 'me', {
      ...service,
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      status: { loadBalancer: { ingress } },
    });
    expect(created.status).toEqual({ loadBalancer: {} });
    expect(JSON.stringify(ownersIn(created))).not.toContain('f:status');
    const written = await apply(`${core}/services/s/status`, 'balancer', {
      ...service,
      spec: { type: 'NodePort' },
      status: { loadBalancer: { ingress } },
    });
    expect(written.status).toEqual({ loadBalancer: { ingress } });
    expect(ownersIn(written)).toContainEqual([
      'balancer Apply v1 status',
      { 'f:status': { 'f:loadBalancer': { 'f:ingress': {} } } },
    ]);
  });

  it('are those of all versions of an object', async () => {
    const body = deployment('apps/v1', 'both', { replicas: 2, paused: true });
    await apply(`${apps}/deployments/both`, 'new', body);
    const old = { apiVersion: 'extensions/v1beta1', kind: 'Deployment', metadata: { name: 'both' } };
    expect(await apply(`${extensions}/deployments/both`, 'old', { ...old, spec: { replicas: 3 } })).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "new": .spec.replicas',
    });
    const taken = await apply(
      `${extensions}/deployments/both`,
      'old',
      { ...old, spec: { replicas: 3 } },
      '&force=true',
    );
    expect(namesIn(taken)).toEqual(expect.arrayContaining(['new Apply apps/v1', 'old Apply extensions/v1beta1']));
    const fields = new Map(ownersIn(await call('GET', `${apps}/deployments/both`)));
    expect(fields.get('old Apply extensions/v1beta1')).toEqual({ 'f:spec': { 'f:replicas': {} } });
    expect(JSON.stringify(fields.get('new Apply apps/v1'))).not.toContain('f:replicas');
    // Who applies in another version is the same manager.
    const moved = await apply(`${apps}/deployments/both`, 'old', { ...body, spec: { ...body.spec, replicas: 3 } });
    expect(namesIn(moved).filter((name) => name.startsWith('old'))).toEqual(['old Apply apps/v1']);
  });

  it('are in YAML, protobuf, and the metadata alone', async () => {
    await call('POST', `${core}/configmaps?fieldManager=me`, { metadata: { name: 'shown' }, data: { a: '1' } });
    const as = async (accept: string) =>
      (await send('GET', `${core}/configmaps/shown`, undefined, undefined, { accept })).body;
    expect(await as('application/yaml')).toContain('manager: me');
    expect(await as('application/vnd.kubernetes.protobuf')).toContain('{"f:data":{".":{},"f:a":{}}}');
    const partial = JSON.parse(await as('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'));
    expect(namesIn(partial)).toEqual(['me Update v1']);
    const table = JSON.parse(await as('application/json;as=Table;v=v1;g=meta.k8s.io'));
    expect(namesIn(table.rows[0].object)).toEqual(['me Update v1']);
  });

  it('stay as they are in a deletion', async () => {
    const body = { metadata: { name: 'held', finalizers: ['example.com/a'] }, data: { a: '1' } };
    const created = await call('POST', `${core}/configmaps?fieldManager=me`, body);
    await call('DELETE', `${core}/configmaps/held?fieldManager=other`);
    const held = await call('GET', `${core}/configmaps/held`);
    expect(fieldAt(held, 'metadata.deletionTimestamp')).toBeDefined();
    expect(ownersIn(held)).toEqual(ownersIn(created));
  });

  it('keep the resourceVersion if an update changes nothing', async () => {
    const created = await call('POST', `${core}/configmaps?fieldManager=me`, {
      metadata: { name: 'same' },
      data: { a: '1' },
    });
    const put = await call('PUT', `${core}/configmaps/same?fieldManager=other`, created);
    expect(put).toEqual(created);
  });

  it('survive many applies at a time', async () => {
    const at = `${core}/configmaps/busy`;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        apply(at, `m${index}`, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'busy' },
          data: { [`k${index}`]: 'v' },
        }),
      ),
    );
    expect(replies.map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'ConfigMap'));
    const busy = await call('GET', at);
    expect(Object.keys(busy.data as object)).toHaveLength(20);
    expect(namesIn(busy)).toHaveLength(20);
  });

  it('are not there without the groups of present servers', async () => {
    await using old = await startFullServer({ modern: false });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ metadata: { name: 'a', managedFields: [{ manager: 'x' }] }, data: { a: '1' } });
    const { text } = await ask(old, `${core}/configmaps?fieldManager=${'x'.repeat(200)}`, {
      method: 'POST',
      headers,
      body,
    });
    expect(JSON.parse(text)).toMatchObject({ kind: 'ConfigMap' });
    expect(text).not.toContain('managedFields');
    const applied = await ask(old, `${core}/configmaps/a?fieldManager=m`, {
      method: 'PATCH',
      headers: { 'content-type': mediaTypeOf.apply },
      body,
    });
    expect(applied.status).toBe(415);
  });
});
