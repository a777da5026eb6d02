// Tests exports: the fields that each kind drops and keeps.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Direct, type Reply, startDirect } from '../testing/direct.js';

let server: Direct;
beforeEach(async () => {
  server = await startDirect();
});
afterEach(() => server.stop());

const here = '/api/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const containers = [{ name: 'c', image: 'i' }];

/** Creates an object and returns its export. */
async function exportOf(path: string, body: Record<string, unknown>, more = ''): Promise<Reply['body']> {
  const created = await server.call('POST', path, { body });
  expect(created.status).toBe(200);
  return (await server.call('GET', `${path}/${created.body.metadata.name}?export=true${more}`)).body;
}

describe('an export', () => {
  test('keeps the metadata that a user may set, and restores generateName', async () => {
    const metadata = {
      generateName: 'g-',
      labels: { a: 'b' },
      annotations: { c: 'd' },
      finalizers: ['example.com/held'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
    };
    expect((await exportOf(`${here}/configmaps`, { metadata })).metadata).toEqual(metadata);
    const exact = (await exportOf(`${here}/configmaps`, { metadata }, '&exact=true')).metadata;
    expect(exact).toEqual({ ...metadata, namespace: 'default', name: expect.stringMatching(/^g-/) });
  });

  test('removes the address and the node ports of a service, unless it is exact', async () => {
    const ports = [{ port: 80 }];
    const { spec } = await exportOf(`${here}/services`, { metadata: { name: 's' }, spec: { type: 'NodePort', ports } });
    expect([spec.clusterIP, spec.ports[0].nodePort, spec.ports[0].port]).toEqual([undefined, undefined, 80]);
    const headless = { metadata: { name: 'h' }, spec: { clusterIP: 'None', ports } };
    expect((await exportOf(`${here}/services`, headless)).spec.clusterIP).toBe('None');
    const exact = (await server.call('GET', `${here}/services/s?export=true&exact=true`)).body.spec;
    expect([typeof exact.clusterIP, typeof exact.ports[0].nodePort]).toEqual(['string', 'number']);
  });

  test('removes a selector of a job that the server set, and keeps one that the user set', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { restartPolicy: 'Never', containers } };
    const made = await exportOf(`${batch}/jobs`, { metadata: { name: 'made' }, spec: { template } });
    expect([made.spec.selector, made.spec.template.metadata.labels]).toEqual([undefined, { a: 'b' }]);
    const selector = { matchLabels: { a: 'b' } };
    const spec = { manualSelector: true, selector, template };
    expect((await exportOf(`${batch}/jobs`, { metadata: { name: 'own' }, spec })).spec.selector).toEqual(selector);
  });

  test('has the status of a new object; a node keeps its status with exact', async () => {
    const pod = { metadata: { name: 'p' }, spec: { nodeName: 'n', containers } };
    const { spec, status } = await exportOf(`${here}/pods`, pod);
    expect([spec.nodeName, status]).toEqual(['n', { phase: 'Pending' }]);
    const node = { metadata: { name: 'n' }, status: { capacity: { cpu: '4' } } };
    expect((await exportOf('/api/v1/nodes', node)).status).toEqual({});
    const exact = (await server.call('GET', '/api/v1/nodes/n?export=true&exact=true')).body;
    expect(exact.status.capacity).toEqual({ cpu: '4' });
  });

  test('of a service account token is refused, unless it is exact', async () => {
    const metadata = { name: 't', annotations: { 'kubernetes.io/service-account.name': 'default' } };
    const token = { metadata, type: 'kubernetes.io/service-account-token' };
    expect(await exportOf(`${here}/secrets`, token)).toMatchObject({
      code: 422,
      details: { kind: 'Secret', name: 't' },
    });
    const exact = (await server.call('GET', `${here}/secrets/t?export=true&exact=true`)).body;
    expect(exact.metadata.name).toBe('t');
  });
});
