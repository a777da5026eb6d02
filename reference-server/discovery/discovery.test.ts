import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupVersions, operations } from '../../matrix/api/index.js';
import type { RunningServer } from '../server.js';
import { ask, startStandIn } from '../testing/standIn.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startStandIn({}, { runtimeConfig: 'authentication.k8s.io/v1beta1=true' });
});
afterAll(() => server.close());
const get = async (path: string) => JSON.parse((await ask(server, path)).text) as Record<string, unknown>;
const resourcesOf = async (path: string) =>
  new Map(((await get(path)).resources as { name: string }[]).map((resource) => [resource.name, resource]));

describe('discovery', () => {
  it('answers every stated endpoint with its resources', async () => {
    for (const { prefix, group, version } of groupVersions) {
      const list = await get(prefix);
      expect(list).toMatchObject({
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: group ? `${group}/${version}` : version,
      });
      const names = (list.resources as { name: string }[]).map(({ name }) => name);
      expect(names).toEqual([...names].sort());
    }
  });

  it('does not list a group version that is not enabled', async () => {
    await using plain = await startStandIn();
    expect((await ask(plain, '/apis/authentication.k8s.io/v1beta1')).status).toBe(404);
    const { versions } = JSON.parse((await ask(plain, '/apis/authentication.k8s.io')).text);
    expect(versions).toEqual([{ groupVersion: 'authentication.k8s.io/v1', version: 'v1' }]);
    const review = { method: 'POST', body: '{"spec":{"token":"a"}}' };
    expect((await ask(plain, '/apis/authentication.k8s.io/v1beta1/tokenreviews', review)).status).toBe(404);
  });

  it('lists the resources of the core group', async () => {
    const resources = await resourcesOf('/api/v1');
    expect(resources.get('pods')).toEqual({
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['po'],
      categories: ['all'],
    });
    expect(resources.get('componentstatuses')).toMatchObject({
      namespaced: false,
      verbs: ['get', 'list'],
      shortNames: ['cs'],
    });
    expect(resources.get('bindings')).toMatchObject({ kind: 'Binding', verbs: ['create'] });
    expect(resources.get('pods/binding')).toMatchObject({ singularName: '', kind: 'Binding', verbs: ['create'] });
    expect(resources.get('pods/log')).toMatchObject({ kind: 'Pod', verbs: ['get'] });
    expect(resources.get('pods/exec')).toMatchObject({ verbs: ['create', 'get'] });
    expect(resources.get('namespaces/finalize')).toMatchObject({ kind: 'Namespace', verbs: ['update'] });
    expect(resources.get('namespaces/status')).toMatchObject({ verbs: ['get', 'patch', 'update'] });
    expect(resources.get('replicationcontrollers/scale')).toMatchObject({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    });
  });

  it('lists the resources of the extensions group', async () => {
    const resources = await resourcesOf('/apis/extensions/v1beta1');
    expect(resources.get('deployments/scale')).toEqual({
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
    expect(resources.get('deployments/rollback')).toMatchObject({ kind: 'DeploymentRollback', verbs: ['create'] });
    expect(resources.get('replicationcontrollers')).toMatchObject({ verbs: [] });
  });

  it('lists exactly the resources with operations', async () => {
    for (const { groupVersion, resource } of operations) {
      if (resource === undefined) continue;
      expect((await resourcesOf(groupVersion.prefix)).has(resource.plural)).toBe(true);
    }
  });

  it('lists versions and groups', async () => {
    expect(await get('/api')).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: `127.0.0.1:${server.port}` }],
    });
    const batch = {
      name: 'batch',
      versions: [{ groupVersion: 'batch/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'batch/v1', version: 'v1' },
    };
    expect(await get('/apis/batch')).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...batch });
    const { kind, groups } = await get('/apis');
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: `127.0.0.1:${server.port}` }];
    expect([kind, groups]).toEqual([
      'APIGroupList',
      expect.arrayContaining([{ ...batch, serverAddressByClientCIDRs }]),
    ]);
    await using newerServer = await startStandIn({}, { kubeVersion: '1.20' });
    expect(JSON.parse((await ask(newerServer, '/apis')).text).groups).toContainEqual(batch);
  });

  it.each(['/api', '/apis', '/api/v1', '/apis/batch', '/apis/batch/v1', '/version'])(
    'answers %s in YAML too, and with a slash',
    async (path) => {
      const { text, headers } = await ask(server, `${path}/`, { headers: { Accept: 'application/yaml' } });
      expect(headers['content-type']).toBe('application/yaml');
      expect(load(text)).toEqual(await get(path));
    },
  );

  it('shows the version of the interface', async () => {
    expect(await get('/version')).toMatchObject({
      major: '1',
      minor: '5',
      gitVersion: expect.stringMatching(/^v1\.5\.\d+\+/),
    });
  });

  it('shows the configured version', async () => {
    await using newerServer = await startStandIn({}, { kubeVersion: '1.36' });
    expect(JSON.parse((await ask(newerServer, '/version')).text)).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: 'v1.36.0+kube-api-conformance',
    });
  });

  it.each([
    ['GET', '/healthz', 200, 'ok'],
    ['HEAD', '/healthz', 200, ''],
    ['GET', '/readyz', 200, 'ok'],
    ['HEAD', '/api', 405, ''],
  ])('%s %s is %i', async (method, path, status, text) => {
    const reply = await ask(server, path, { method, headers: { Accept: 'text/html' } });
    expect([reply.status, reply.text]).toEqual([status, text]);
  });

  it('lists paths at the root', async () => {
    expect((await get('/')).paths).toEqual(
      expect.arrayContaining(['/api', '/api/v1', '/apis/extensions', '/healthz', '/version']),
    );
  });

  it.each(['/apis/nosuch', '/api/v9', '/apis/extensions/v9'])('does not know %s', async (path) => {
    expect(await get(path)).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404, details: {} });
  });
});
