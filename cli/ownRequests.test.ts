// The requests of simulated nodes: whose they are, what they may do, and that tests do not meet them unasked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyShape } from '../reference-server/testing/anyShape.js';
import { ask } from '../reference-server/testing/standIn.js';
import { type StartedServer, startServer } from './index.js';

const core = '/api/v1/namespaces/default';
const node = 'system:node:node-1';
const components = [node, 'system:kube-scheduler', 'system:kube-proxy'];

describe.each(['AlwaysAllow', 'RBAC'] as const)('with %s', (authorizationMode) => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer({ nodes: 1, authorizationMode, requests: true });
  });
  afterAll(() => server.close());

  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; json: AnyShape }> {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const { status, text } = await ask({ ...server, caCertificate: server.ca }, path, { method, ...sent });
    return { status, json: JSON.parse(text) };
  }

  it('no request is recorded before a client has sent one', () => {
    expect(server.requests.list()).toEqual([]);
    expect(server.cutWatches()).toBe(0);
  });

  it('a pod with volumes, a service and a probe runs, and nothing is refused', async () => {
    expect((await call('POST', `${core}/secrets`, { metadata: { name: 'keys' } })).status).toBe(200);
    const service = { metadata: { name: 'web' }, spec: { selector: { a: 'b' }, ports: [{ port: 80 }] } };
    expect((await call('POST', `${core}/services`, service)).status).toBe(200);
    // Nothing of this meets the node.
    const all = server.fail({ verb: 'watch', status: 503 });
    const rule = server.fail({ resource: 'pods', subresource: 'status', status: 500 });
    const volumes = [{ name: 'v', secret: { secretName: 'keys' } }];
    const probe = { httpGet: { port: 80 } };
    const containers = [{ name: 'c', image: 'nginx', readinessProbe: probe, ports: [{ containerPort: 80 }] }];
    const metadata = { name: 'web', labels: { a: 'b' } };
    const created = await call('POST', `${core}/pods`, { metadata, spec: { volumes, containers } });
    expect(created.status).toBe(200);
    const ready = async () => (await server.get('endpoints', 'web'))?.subsets?.[0]?.addresses?.length;
    await expect.poll(ready).toBe(1);
    const script = 'wget -qO- http://web';
    const asking = [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }];
    const asks = { metadata: { name: 'asks' }, spec: { restartPolicy: 'Never', containers: asking } };
    expect((await call('POST', `${core}/pods`, asks)).status).toBe(200);
    await expect.poll(async () => (await server.get('pods', 'asks'))?.status.phase).toBe('Succeeded');
    const deleted = await call('DELETE', `${core}/pods/web?gracePeriodSeconds=1`);
    expect(deleted.status).toBe(200);
    await expect.poll(async () => await server.get('pods', 'web')).toBeUndefined();
    await expect.poll(async () => (await server.objects('events')).map(({ reason }) => reason)).toContain('Killing');
    expect([all.calls, rule.calls]).toEqual([0, 0]);
    for (const user of components) {
      expect(server.requests.list({ user }), user).not.toEqual([]);
      expect(server.requests.list({ user, status: 403 })).toEqual([]);
    }
    expect(server.requests.list().map(({ verb, user }) => `${user} ${verb}`)).toEqual([
      ...new Array(4).fill('admin create'),
      'admin delete',
    ]);
  });

  it('a request of a node is met by its user', async () => {
    const slow = server.delay({ user: node, milliseconds: 1 });
    expect(server.cutWatches({ user: node })).toBeGreaterThan(0);
    await expect.poll(() => slow.calls).toBeGreaterThan(0);
    const watch = await server.requests.waitFor({ user: node, verb: 'watch', resource: 'pods' });
    expect(watch.userAgent).toBe('kube-api-conformance-node-agent');
    await server.reset();
    expect(await server.get('nodes', 'node-1')).toBeDefined();
  });

  it('a node may do what nodes do', async () => {
    const asks = (resourceAttributes: object) => ({
      spec: { user: node, groups: ['system:nodes'], resourceAttributes },
    });
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const may = async (attributes: object) => (await call('POST', path, asks(attributes))).json.status.allowed;
    expect(await may({ verb: 'patch', resource: 'pods', subresource: 'status' })).toBe(true);
    expect(await may({ verb: 'delete', resource: 'namespaces' })).toBe(authorizationMode === 'AlwaysAllow');
  });
});
