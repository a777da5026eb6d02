// The mode RBAC: requests, reviews and grants as a table, which cli/serve/rbacKubeApiserver.test.ts holds against a real
// server, and what a real server does later than at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inMemory } from '../../openStorage.js';
import type { RunningServer } from '../../server.js';
import { MemoryStorage } from '../../storage/memory.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';
import { aggregation, rbacBody, rbacDifferences, rbacExchanges, type SendRbac } from '../testing/rbacExchanges.js';

const group = '/apis/rbac.authorization.k8s.io/v1';
const json = { 'content-type': 'application/json' };

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({ authorizationMode: 'RBAC' });
});
afterAll(() => server.close());

const sendTo =
  (to: () => RunningServer): SendRbac =>
  async ({ method, path, body }, headers) => {
    const sent = { method, ...(body && { body: JSON.stringify(body) }) };
    const all = { authorization: `Bearer ${to().token}`, ...headers };
    const { status, text } = await ask(to(), path, { ...sent, headers: all });
    return { code: status, body: rbacBody(text) };
  };
const send = sendTo(() => server);

const call = async (method: string, path: string, body?: object, headers: Record<string, string> = json) => {
  const { code, body: answer } = await send({ as: '', method, path, ...(body && { body }) }, headers);
  return { code, body: answer as AnyShape };
};
const as = (user: string) => ({ ...json, 'impersonate-user': user });
const codeFor = async (user: string, method: string, path: string, body?: object) =>
  (await call(method, path, body, as(user))).code;

const clusterRole = (name: string, ...rules: readonly object[]) => ({ kind: 'ClusterRole', metadata: { name }, rules });
const binding = (name: string, role: string, user: string) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
});
const readNodes = { verbs: ['list'], apiGroups: [''], resources: ['nodes'] };

describe('a server with roles', () => {
  it.each(Object.entries(rbacExchanges))('answers as the table says: %s', async (_what, list) => {
    expect(await rbacDifferences(list, send)).toEqual([]);
  });

  // As the first roles of kube-apiserver 1.36.2.
  const scheduler = 'system:kube-scheduler';
  const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
  const taints = 'system:serviceaccount:kube-system:device-taint-eviction-controller';
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
  it.each([
    [scheduler, 'GET', '/api/v1/namespaces/kube-system/configmaps/kube-scheduler', 403],
    [scheduler, 'DELETE', `${claims}/none`, 404],
    ['system:serviceaccount:kube-system:leader-election-controller', 'GET', leases, 200],
    [taints, 'GET', claims, 200],
    [taints, 'DELETE', '/api/v1/namespaces/default/pods/none', 404],
    ['system:serviceaccount:kube-system:node-controller', 'GET', leases, 403],
  ])('lets %s %s %s: %i', async (user, method, path, code) => {
    expect(await codeFor(user, method, path)).toBe(code);
  });

  it('shows no subjects of a binding that has none', async () => {
    const { body } = await call('GET', `${group}/clusterrolebindings/system:node`);
    expect(body).not.toHaveProperty('subjects');
  });

  it('keeps the rules of aggregated roles', async () => {
    const { make, remove, rules, whole, less } = aggregation(send);
    await make();
    await expect.poll(rules).toEqual(whole);
    await remove();
    await expect.poll(rules).toEqual(less);
  });

  it('gives the aggregated roles of the start their rules before the first request', async () => {
    await using fresh = await startFullServer({ authorizationMode: 'RBAC' });
    const read = async (name: string) => {
      const { body } = await sendTo(() => fresh)({ as: '', method: 'GET', path: `${group}/clusterroles/${name}` }, {});
      return (body as AnyShape).rules.map((rule: object) => JSON.stringify(rule));
    };
    const [view, edit, admin] = [await read('view'), await read('edit'), await read('admin')];
    expect(view.length).toBeGreaterThan(5);
    expect(edit).toEqual(expect.arrayContaining(view));
    expect(edit.length).toBeGreaterThan(view.length);
    expect(admin).toEqual(expect.arrayContaining(edit));
    expect(admin.length).toBeGreaterThan(edit.length);
  });

  it('decides by every acknowledged write at once', async () => {
    await call('POST', `${group}/clusterroles`, clusterRole('nodes', readNodes));
    for (let round = 0; round < 20; round += 1) {
      const user = `user-${round}`;
      const path = `${group}/clusterrolebindings/${user}`;
      expect(await codeFor(user, 'GET', '/api/v1/nodes')).toBe(403);
      await call('POST', `${group}/clusterrolebindings`, binding(user, 'nodes', user));
      expect(await codeFor(user, 'GET', '/api/v1/nodes')).toBe(200);
      await call('PUT', `${group}/clusterroles/nodes`, clusterRole('nodes'));
      expect(await codeFor(user, 'GET', '/api/v1/nodes')).toBe(403);
      await call('PUT', `${group}/clusterroles/nodes`, clusterRole('nodes', readNodes));
      expect(await codeFor(user, 'GET', '/api/v1/nodes')).toBe(200);
      await call('DELETE', path);
      expect(await codeFor(user, 'GET', '/api/v1/nodes')).toBe(403);
    }
  });

  it('knows service accounts by their tokens', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await call('POST', accounts, { metadata: { name: 'reader' } });
    const { body } = await call('POST', `${accounts}/reader/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    const own = { ...json, authorization: `Bearer ${body.status.token}` };
    const nodes = async () => (await call('GET', '/api/v1/nodes', undefined, own)).code;
    expect(await nodes()).toBe(403);
    const subjects = [{ kind: 'ServiceAccount', namespace: 'default', name: 'reader' }];
    await call('POST', `${group}/clusterrolebindings`, { ...binding('account', 'nodes', ''), subjects });
    expect(await nodes()).toBe(200);

    // The right to impersonate one user, in one group.
    const rules = [
      { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['jane'] },
      { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['devs'] },
      {
        verbs: ['impersonate'],
        apiGroups: ['authentication.k8s.io'],
        resources: ['userextras/scopes'],
        resourceNames: ['view'],
      },
      { verbs: ['impersonate'], apiGroups: ['authentication.k8s.io'], resources: ['uids'] },
    ];
    await call('POST', `${group}/clusterroles`, clusterRole('acting', ...rules));
    await call('POST', `${group}/clusterrolebindings`, { ...binding('acting', 'acting', ''), subjects });
    const acting = async (headers: Record<string, string>) => {
      const { code, body: answer } = await call('GET', '/api', undefined, { ...own, ...headers });
      return code === 200 ? 200 : answer.message.split(' in API group')[0];
    };
    const jane = { 'impersonate-user': 'jane' };
    const refused = (what: string, resource: string) =>
      `${what} is forbidden: User "system:serviceaccount:default:reader" cannot impersonate resource "${resource}"`;
    expect(await acting({ ...jane, 'impersonate-group': 'devs', 'impersonate-uid': '1' })).toBe(200);
    expect(await acting({ ...jane, 'impersonate-extra-scopes': 'view' })).toBe(200);
    expect(await acting({ ...jane, 'impersonate-extra-scopes': 'edit' })).toBe(
      refused('userextras.authentication.k8s.io "edit"', 'userextras/scopes'),
    );
    expect(await acting({ 'impersonate-user': 'root' })).toBe(refused('users "root"', 'users'));
    expect(await acting({ ...jane, 'impersonate-group': 'ops' })).toBe(refused('groups "ops"', 'groups'));
    expect(await acting({ 'impersonate-user': 'system:serviceaccount:a:b' })).toBe(
      refused('serviceaccounts "b"', 'serviceaccounts'),
    );
  });

  it('checks grants of every kind of write', async () => {
    const writer = { verbs: ['*'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] };
    const verbs = { ...writer, verbs: ['create', 'update', 'patch', 'get', 'delete'] };
    await call('POST', `${group}/clusterroles`, clusterRole('writing', verbs));
    await call('POST', `${group}/clusterrolebindings`, binding('writing', 'writing', 'writer'));
    const path = `${group}/clusterroles`;
    const apply = { 'content-type': 'application/apply-patch+yaml', 'impersonate-user': 'writer' };
    const config = { apiVersion: 'rbac.authorization.k8s.io/v1', ...clusterRole('applied', readNodes) };
    expect((await call('PATCH', `${path}/applied?fieldManager=a`, config, apply)).code).toBe(403);
    expect((await call('PATCH', `${path}/applied?fieldManager=a`, { ...config, rules: [verbs] }, apply)).code).toBe(
      201,
    );
    expect((await call('PATCH', `${path}/applied?fieldManager=a`, config, apply)).code).toBe(403);
    expect(await codeFor('writer', 'POST', `${path}?dryRun=All`, clusterRole('dry', readNodes))).toBe(403);
    expect(await codeFor('writer', 'POST', `${group}/clusterroles`, { ...clusterRole('none'), rules: null })).toBe(201);
    expect(await codeFor('writer', 'DELETE', `${path}/applied`)).toBe(200);
    const many = Array.from({ length: 300 }, (_, index) => `r${index}`);
    const { code, body } = await call(
      'POST',
      path,
      clusterRole('many', { verbs: many, apiGroups: many, resources: many, resourceNames: many }),
      as('writer'),
    );
    expect(code).toBe(403);
    expect(body.message.length).toBeLessThan(20_000);
    // All of its rights are held, but not by one rule: there are too many of them to look at each.
    const halves = [many.slice(0, 150), many.slice(150)].map((resources) => ({
      verbs: many,
      apiGroups: many,
      resources,
    }));
    await call('POST', path, clusterRole('halves', ...halves));
    await call('POST', `${group}/clusterrolebindings`, binding('halves', 'halves', 'writer'));
    const all = clusterRole('all', { verbs: many, apiGroups: many, resources: many });
    expect((await call('POST', path, all, as('writer'))).body.message).toContain('too many rights to compare');
    // Each rule is not compared with each right: that would be four million times.
    const [verbs20, groups5, resources200] = [many.slice(0, 20), many.slice(0, 5), many.slice(0, 200)];
    const wide = clusterRole('wide', { verbs: verbs20, apiGroups: groups5, resources: resources200 });
    const ofOne = resources200.map((one) => ({ verbs: verbs20, apiGroups: groups5, resources: [one] }));
    await call('POST', path, clusterRole('narrow', ...ofOne));
    await call('POST', `${group}/clusterrolebindings`, binding('narrow', 'narrow', 'granter'));
    await call('POST', `${group}/clusterrolebindings`, binding('writes', 'writing', 'granter'));
    expect(await codeFor('granter', 'POST', path, wide)).toBe(201);
    // One of its many names is missing.
    const lacking = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['*', 'a'] };
    await call('POST', path, clusterRole('lacking', lacking));
    await call('POST', `${group}/clusterrolebindings`, binding('lacking', 'lacking', 'granter'));
    const { message } = (
      await call('POST', path, clusterRole('more', { ...lacking, resourceNames: ['a', 'b'] }), as('granter'))
    ).body;
    expect(message).toMatch(
      /held:\n\{APIGroups:\[""\], Resources:\["pods"\], ResourceNames:\["b"\], Verbs:\["get"\]\}$/,
    );
  });

  it.each([
    ['no role', { metadata: { name: 'bad' }, subjects: [] }],
    ['an unknown kind of role', { ...binding('bad', 'x', 'y'), roleRef: { kind: 'Thing', name: 'x' } }],
    ['a role without a name', { ...binding('bad', 'x', 'y'), roleRef: { kind: 'ClusterRole', name: '' } }],
  ])('refuses a binding with %s as invalid, whoever writes it', async (_, body) => {
    expect(await codeFor('grantor', 'POST', `${group}/namespaces/rbac-a/rolebindings`, body)).toBe(422);
    expect((await call('POST', `${group}/clusterrolebindings`, body)).code).toBe(422);
  });
});

it('gives the first roles back at the next start, and leaves what clients have added', async () => {
  const storage = new MemoryStorage();
  const openStorage = async () => ({ ...(await inMemory()), storage });
  let restarted = await startFullServer({ openStorage, authorizationMode: 'RBAC' });
  const to = sendTo(() => restarted);
  const at = async (method: string, path: string, body?: object) =>
    (await to({ as: '', method, path: group + path, ...(body && { body }) }, json)).body as AnyShape;
  const added = { verbs: ['get'], nonResourceURLs: ['/added'] };
  await at('DELETE', '/clusterroles/system:heapster');
  await at('DELETE', '/clusterrolebindings/cluster-admin');
  const basic = await at('GET', '/clusterroles/system:basic-user');
  await at('PUT', '/clusterroles/system:basic-user', { ...basic, rules: [added] });
  const discovery = await at('GET', '/clusterroles/system:discovery');
  const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
  await at('PUT', '/clusterroles/system:discovery', {
    ...discovery,
    metadata: { ...discovery.metadata, annotations },
    rules: [added],
  });
  const dns = await at('GET', '/clusterrolebindings/system:kube-dns');
  await at('PUT', '/clusterrolebindings/system:kube-dns', { ...dns, subjects: [{ kind: 'Group', name: 'more' }] });
  const { metadata } = await at('GET', '/clusterroles/system:node');
  await restarted.close();

  restarted = await startFullServer({ openStorage, authorizationMode: 'RBAC' });
  expect((await at('GET', '/clusterroles/system:heapster')).rules).toHaveLength(2);
  expect((await at('GET', '/clusterrolebindings/cluster-admin')).subjects).toHaveLength(1);
  expect((await at('GET', '/clusterroles/system:basic-user')).rules).toEqual([added, ...basic.rules]);
  expect((await at('GET', '/clusterroles/system:discovery')).rules).toEqual([added]);
  expect((await at('GET', '/clusterrolebindings/system:kube-dns')).subjects.map(({ name }: AnyShape) => name)).toEqual([
    'more',
    'kube-dns',
  ]);
  expect((await at('GET', '/clusterroles/system:node')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  await restarted.close();
});

it('has no first roles where everything is allowed', async () => {
  await using open = await startFullServer();
  const list = { as: '', method: 'GET', path: `${group}/clusterroles` };
  expect((await sendTo(() => open)(list, {})).body).toMatchObject({ items: [] });
});

it('decides by the newest roles when its place in the history is lost', async () => {
  const storage = new MemoryStorage({ history: 1 });
  await using slow = await startFullServer({
    authorizationMode: 'RBAC',
    openStorage: async () => ({ ...(await inMemory()), storage }),
  });
  const to = sendTo(() => slow);
  const make = (path: string, body: object) => to({ as: '', method: 'POST', path: group + path, body }, json);
  await make('/clusterroles', clusterRole('nodes', readNodes));
  for (let round = 0; round < 5; round += 1) {
    const names = Array.from({ length: 20 }, (_, index) => `user-${round}-${index}`);
    await Promise.all(names.map((name) => make('/clusterrolebindings', binding(name, 'nodes', name))));
    const codes = await Promise.all(
      names.map((user) => to({ as: user, method: 'GET', path: '/api/v1/nodes' }, { 'impersonate-user': user })),
    );
    expect(codes.every(({ code }) => code === 200)).toBe(true);
  }
});
